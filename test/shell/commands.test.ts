import assert from 'node:assert/strict';
import { readTarget } from '../../src/shell/command-target';
import { createLookCommands } from '../../src/shell/look-commands';
import { addGivenServer, connectDirectly, createServerCommands, type ServerForm } from '../../src/shell/servers/server-commands';
import { createTrackingCommands, describeLeftFiles } from '../../src/shell/tracking-commands';
import { createDesk, databaseRow, openDesk, run, savedServer, serverRow } from './fake-editor';
import { hostServer } from './fake-host';
import { database, facts, snapshot, systemDatabases } from './sample';

const found = snapshot(facts([...systemDatabases, database(5, 'a'), database(6, 'b'), database(7, 'c', { targetSeconds: 60 })]));

describe('what a command is about', () => {
  it('is all databases selected with the one that was clicked, of its server', () => {
    const selection = [databaseRow(5), databaseRow(6), databaseRow(9, 'server-2'), serverRow];
    assert.deepEqual(readTarget(databaseRow(6), selection), {
      kind: 'target',
      target: { serverId: 'server-1', databaseIds: [5, 6], group: null },
    });
  });

  it('is the server when the server was clicked, whatever else is selected', () => {
    assert.deepEqual(readTarget(serverRow, [serverRow, databaseRow(5)]), {
      kind: 'target',
      target: { serverId: 'server-1', databaseIds: [], group: null },
    });
  });

  it('is nothing of ours for nodes of Azure Data Studio and of the mssql extension', () => {
    assert.equal(readTarget({ isConnectionNode: true, connectionProfile: { id: 'x', serverName: 's' } }, undefined).kind, 'foreign');
    assert.equal(readTarget({ nodeType: 'Server', connectionProfile: { server: 's' }, label: 's' }, []).kind, 'foreign');
    assert.equal(readTarget({ serverId: 's', databaseIds: ['5'] }, undefined).kind, 'foreign');
    assert.equal(readTarget(undefined, undefined).kind, 'none');
  });

  it('is the only server from the palette, and asked for where there are several: that choice is an answer', async () => {
    const desk = await openDesk(found, [true, 'server-2']);
    await run(createTrackingCommands(desk.context).startTracking);
    const only = 'Track checkpoints of all databases on Production 7 (sql07)?';
    assert.deepEqual([desk.conversation.said, desk.monitors[0]?.asked], [[only], ['refresh', ['startTracking', null]]]);
    await desk.servers.save({ ...savedServer, id: 'server-2', name: 'Two' }, undefined);
    await run(createTrackingCommands(desk.context).startTracking);
    assert.deepEqual([desk.conversation.said.slice(1), desk.monitors[1]?.asked], [['Which server?'], ['refresh', ['startTracking', null]]]);
    assert.deepEqual(
      desk.conversation.offered[0]?.map(({ label }) => label),
      ['Production 7', 'Two'],
    );
  });

  it('is asked for with the way to each server where there is more than one way', async () => {
    const desk = await openDesk(found);
    desk.servers.point({ ...hostServer, name: 'Production 7', server: 'sql07' });
    await run(createTrackingCommands(desk.context).startTracking);
    assert.deepEqual(
      desk.conversation.offered[0]?.map(({ description }) => description),
      ['sql07, SQL Server extension (mssql)', 'sql07, Own driver'],
    );
  });
});

describe('tracking commands', () => {
  it('start with all databases from the server and with the selected ones from databases', async () => {
    const desk = await openDesk(found);
    const { startTracking } = createTrackingCommands(desk.context);
    await run(startTracking, serverRow, [serverRow]);
    await run(startTracking, databaseRow(6), [databaseRow(5), databaseRow(6)]);
    assert.deepEqual(desk.monitors[0]?.asked, ['refresh', ['startTracking', null], ['startTracking', [5, 6]]]);
  });

  it('offer the automatic databases first when they are chosen', async () => {
    const desk = await openDesk(found, ['as offered']);
    await run(createTrackingCommands(desk.context).startTrackingChosen, serverRow);
    assert.deepEqual(desk.conversation.offered[0]?.map(({ label, isPicked }) => [label, isPicked]).slice(4), [
      ['a', true],
      ['b', true],
      ['c', false],
    ]);
    assert.deepEqual(desk.monitors[0]?.asked.at(-1), ['startTracking', [5, 6]]);
  });

  it('start nothing when no database is chosen', async () => {
    const desk = await openDesk(found, [[]]);
    assert.equal(
      await run(createTrackingCommands(desk.context).startTrackingChosen, serverRow),
      'No database was chosen, so tracking was not started.',
    );
    assert.deepEqual(desk.monitors[0]?.asked, ['refresh']);
  });

  it('ask before the session is removed, and name the files that stay', async () => {
    const refused = await openDesk(found, [false]);
    await run(createTrackingCommands(refused.context).removeTracking, serverRow);
    assert.deepEqual(refused.monitors[0]?.asked, ['refresh']);
    const desk = await openDesk(found, [true]);
    await desk.servers.connect('server-1');
    (desk.monitors[0] as { leftFiles: readonly string[] }).leftFiles = ['C:\\log\\a_0_1.xel'];
    await run(createTrackingCommands(desk.context).removeTracking, serverRow);
    assert.equal(
      desk.conversation.said.at(-1),
      'The tracking session was removed from Production 7. This file stays on the server: C:\\log\\a_0_1.xel.',
    );
    assert.match(describeLeftFiles('X', ['a_0_*.xel (at most 4 files of 50 MB)']), /These files stay on the server: a_0_\*\.xel \(/);
    assert.match(desk.logged.join('\n'), /a_0_1\.xel/);
  });

  it('name three files and count the rest', () => {
    assert.match(describeLeftFiles('P', ['a', 'b', 'c', 'd', 'e']), /on the server: a, b, c and 2 more, all named in the log\.$/);
  });

  it('say why when the server cannot be reached, and ask nothing of it', async () => {
    const desk = await openDesk({ ...found, connection: 'failed', failure: 'Could not reach sql07,1433.', facts: null });
    assert.equal(await run(createTrackingCommands(desk.context).startTracking, serverRow), 'Could not reach sql07,1433.');
    assert.deepEqual(new Set(desk.monitors[0]?.asked), new Set(['refresh']));
  });
});

describe('server commands', () => {
  const form = (revealed: string[] = []): ServerForm => ({
    input: { askText: async () => undefined, askChoice: async () => undefined, tell: () => undefined },
    checkAddress: (server) => (server.startsWith('np:') ? 'Only TCP.' : null),
    reveal: async (serverId) => void revealed.push(serverId),
  });

  it('add a given server once, show it, and change it when it is given again', async () => {
    const desk = createDesk(found);
    const revealed: string[] = [];
    const given = { name: 'Prod', server: 'sql01', user: 'sa', password: 'p4ssword', encrypt: true, trustServerCertificate: false };
    const id = await addGivenServer(desk.context, form(revealed), given);
    assert.equal(await addGivenServer(desk.context, form(revealed), { ...given, password: 'n3wer' }), id);
    assert.deepEqual([desk.servers.saved.list().length, await desk.servers.saved.password(id), revealed], [1, 'n3wer', [id, id]]);
    await assert.rejects(addGivenServer(desk.context, form(), { ...given, server: 'np:x' }), /^Error: Only TCP\.$/);
  });

  it('leave alone what is going on with a server that is given again as it was', async () => {
    const desk = createDesk(found);
    const given = { name: 'Prod', server: 'sql01', user: 'sa', password: 'p4ssword', encrypt: true, trustServerCertificate: false };
    const id = await addGivenServer(desk.context, form(), given);
    await desk.servers.connect(id);
    await addGivenServer(desk.context, form(), given);
    assert.equal(desk.monitors[0]?.isDisposed, false);
    await addGivenServer(desk.context, form(), { ...given, trustServerCertificate: true });
    assert.equal(desk.monitors[0]?.isDisposed, true);
    for (const change of [{ database: 'Sales' }, { hostNameInCertificate: 'sql.contoso.com' }]) {
      await addGivenServer(desk.context, form(), { ...given, ...change });
      const kept = desk.servers.saved.find(id);
      assert.deepEqual({ ...kept, ...change }, kept);
    }
    desk.context.log.error('the driver says p4ssword');
    assert.doesNotMatch(desk.logged.join(), /p4ssword/);
  });

  const whole = 'Server=tcp:SQL01,1433;User ID=sa;Password=p4ssword;Encrypt=True;TrustServerCertificate=True';
  const answering = (...answers: string[]): ServerForm => ({
    ...form(),
    input: { askText: async () => answers.shift(), askChoice: async () => undefined, tell: () => undefined },
  });

  it('add a server by its connection string: the password is kept as a secret, and nothing of the string', async () => {
    const desk = createDesk(found);
    assert.equal(await run(createServerCommands(desk.context, answering(whole, 'Prod')).addServer), undefined);
    const [added] = desk.servers.saved.list();
    assert.deepEqual([added?.name, added?.server, added?.authentication], ['Prod', 'tcp:SQL01,1433', 'sql']);
    assert.equal(await desk.servers.saved.password(added?.id ?? ''), 'p4ssword');
    desk.context.log.error('the driver says p4ssword');
    assert.doesNotMatch(JSON.stringify([...desk.state.values, ...desk.logged]), /p4ssword|User ID/);
  });

  it('change the server that is added a second time, and make no second row', async () => {
    const desk = createDesk(found);
    await run(createServerCommands(desk.context, answering(whole, 'Prod')).addServer);
    await run(
      createServerCommands(desk.context, answering(whole.replace('tcp:SQL01,1433', 'sql01').replace('p4ssword', 'n3wer'), 'Again'))
        .addServer,
    );
    const [added] = desk.servers.saved.list();
    assert.deepEqual(
      [desk.servers.saved.list().length, added?.name, await desk.servers.saved.password(added?.id ?? '')],
      [1, 'Again', 'n3wer'],
    );
    await run(createServerCommands(desk.context, answering(whole.replace('ID=sa', 'ID=dba'), 'Other login')).addServer);
    assert.equal(desk.servers.saved.list().length, 2);
  });

  it('keep the id of a server that another product led to', async () => {
    const desk = createDesk(found);
    await connectDirectly(desk.context, answering(whole, 'Prod'), { id: 'mssql:7', name: 'Prod', server: 'sql01', user: null });
    assert.deepEqual(
      desk.servers.saved.list().map(({ id }) => id),
      ['mssql:7'],
    );
  });

  it('change nothing when the form is left', async () => {
    const desk = await openDesk(found);
    const commands = createServerCommands(desk.context, form());
    await run(commands.addServer);
    await run(commands.editServer, serverRow);
    assert.deepEqual([desk.servers.saved.list(), await desk.servers.saved.password('server-1')], [[savedServer], 'p4ssword']);
  });

  it('remove a server only when that is confirmed, and end its monitor', async () => {
    const desk = await openDesk(found, [false, true]);
    await desk.servers.connect('server-1');
    const { removeServer } = createServerCommands(desk.context, form());
    await run(removeServer, serverRow);
    assert.equal(desk.servers.saved.list().length, 1);
    await run(removeServer, serverRow);
    assert.deepEqual([desk.servers.saved.list().length, desk.monitors[0]?.isDisposed, desk.secrets.values.size], [0, true, 0]);
  });

  it('remove no server that another product lists, and one that it lists no more', async () => {
    const desk = await openDesk(found, [true]);
    const { removeServer } = createServerCommands(desk.context, form());
    const row = { ...serverRow, serverId: hostServer.id };
    desk.servers.list.takeIn({ servers: [hostServer], untrusted: 0 });
    assert.match(String(await run(removeServer, row)), /remove it where it comes from/);
    assert.deepEqual(desk.conversation.said, []);
    desk.servers.list.takeIn({ servers: [], untrusted: 0 });
    desk.servers.point(hostServer);
    await run(removeServer, row);
    assert.equal(desk.servers.list.find(hostServer.id), undefined);
  });

  it('refresh the servers that were opened and leave the others alone', async () => {
    const desk = await openDesk(found);
    await desk.servers.save({ ...savedServer, id: 'server-2' }, undefined);
    await desk.servers.connect('server-1');
    assert.equal(await run(createServerCommands(desk.context, form()).refresh), undefined);
    assert.deepEqual([desk.monitors.length, desk.monitors[0]?.asked], [1, ['refresh', 'refresh']]);
  });

  it('say what failed after a refresh', async () => {
    const desk = await openDesk({ ...found, connection: 'failed', failure: 'Login failed.' });
    assert.equal(await run(createServerCommands(desk.context, form()).refresh, serverRow), 'Login failed.');
  });
});

describe('commands that look', () => {
  it('open the dashboard at the database that was clicked, and connect', async () => {
    const desk = await openDesk(found, ['or']);
    const shown: unknown[] = [];
    const filters: unknown[] = [];
    const commands = createLookCommands(desk.context, {
      tree: { filterOf: () => '', filter: (...args) => void filters.push(args), showMore: () => undefined },
      dashboards: { show: (...args) => void shown.push(args) },
      showLog: () => undefined,
    });
    await run(commands.openDashboard, databaseRow(6), [databaseRow(6)]);
    await run(commands.filterDatabases, serverRow);
    assert.deepEqual([shown, filters, desk.monitors[0]?.asked], [[['server-1', 6]], [['server-1', 'or']], ['refresh']]);
  });
});
