import assert from 'node:assert/strict';
import { readTarget } from '../../../src/shell/commands/command-context';
import { createLookCommands } from '../../../src/shell/commands/look-commands';
import { createTrackingCommands } from '../../../src/shell/commands/tracking-commands';
import { createRow } from '../../../src/shell/tree/row';
import { agree, databaseRow, openDesk, run, savedServer, serverRow } from '../fake-editor';
import { hostServer } from '../fake-host';
import { database, facts, snapshot, systemDatabases } from '../sample';

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
    assert.deepEqual([desk.conversation.said, desk.monitors[0]?.asked], [[only], ['look', ['startTracking', null]]]);
    await desk.servers.save({ ...savedServer, id: 'server-2', name: 'Two' });
    await run(createTrackingCommands(desk.context).startTracking);
    assert.deepEqual([desk.conversation.said.slice(1), desk.monitors[1]?.asked], [['Which server?'], ['look', ['startTracking', null]]]);
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
    assert.deepEqual(desk.monitors[0]?.asked, ['look', ['startTracking', null], ['startTracking', [5, 6]]]);
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
    assert.deepEqual(desk.monitors[0]?.asked, ['look']);
  });

  it('ask before the session is removed, and name the files that stay', async () => {
    const refused = await openDesk(found, [false]);
    await run(createTrackingCommands(refused.context).removeTracking, serverRow);
    assert.deepEqual(refused.monitors[0]?.asked, ['look']);
    const desk = await openDesk(found, [true]);
    await desk.servers.connect('server-1', agree);
    (desk.monitors[0] as { leftFiles: readonly string[] }).leftFiles = ['a_0_*.xel (up to 250 MB)', 'a_2*.xel'];
    await run(createTrackingCommands(desk.context).removeTracking, serverRow);
    assert.equal(
      desk.conversation.said.at(-1),
      'The tracking session was removed from Production 7. Its event files stay on the server: a_0_*.xel (up to 250 MB); a_2*.xel. Delete them there when nobody needs them.',
    );
    assert.match(desk.logged.join('\n'), /a_0_\*\.xel \(up to 250 MB\), a_2\*\.xel/);
  });

  it('say why when the server cannot be reached, and ask nothing of it', async () => {
    const desk = await openDesk({ ...found, connection: 'failed', failure: 'Could not reach sql07,1433.', facts: null });
    assert.equal(await run(createTrackingCommands(desk.context).startTracking, serverRow), 'Could not reach sql07,1433.');
    assert.deepEqual(new Set(desk.monitors[0]?.asked), new Set(['look']));
  });
});

describe('commands that look', () => {
  it('open the dashboard at the database that was clicked, and connect', async () => {
    const desk = await openDesk(found, ['or']);
    const filters: unknown[] = [];
    const commands = createLookCommands(desk.context, {
      tree: { filterOf: () => '', filter: (...args) => void filters.push(args), showMore: () => undefined },
      showLog: () => undefined,
    });
    await run(commands.openDashboard, databaseRow(6), [databaseRow(6)]);
    await run(commands.filterDatabases, serverRow);
    assert.deepEqual([desk.timelines, filters, desk.monitors[0]?.asked], [[['server-1', 6]], [['server-1', 'or']], ['look']]);
  });

  it('show automatic databases alone at a click on how many there are, and all at the next, and ask nothing', async () => {
    const desk = await openDesk(found);
    let filter = '';
    const commands = createLookCommands(desk.context, {
      tree: { filterOf: () => filter, filter: (_, text) => void (filter = text), showMore: () => undefined },
      showLog: () => undefined,
    });
    const flag = createRow({ kind: 'automatic', id: 'server-1/automatic', serverId: 'server-1', label: '312 of 400 automatic' });
    await run(commands.filterDatabases, flag);
    assert.equal(filter, 'automatic');
    await run(commands.filterDatabases, flag);
    assert.equal(filter, '');
  });
});
