import assert from 'node:assert/strict';
import { Dismissed } from '../../../src/shell/kit/command-table';
import type { SavedServer } from '../../../src/shell/servers/saved-server';
import { newAnswers } from '../../../src/shell/servers/server-answers';
import { connectDirectly, createServerCommands, type ServerForm, trustNewCertificate } from '../../../src/shell/commands/server-commands';
import { agree, createDesk, type Desk, nothingForbidden, openDesk, run, savedServer, serverRow } from '../fake-editor';
import { hostServer } from '../fake-host';
import { facts, snapshot, systemDatabases } from '../sample';

const found = snapshot(facts(systemDatabases));

describe('server commands', () => {
  let dashboards: unknown[];
  beforeEach(() => (dashboards = []));

  const form = ({ passwords }: Desk, rules = nothingForbidden): ServerForm => ({
    input: { askText: async () => undefined, askChoice: async () => undefined, tell: () => undefined },
    checkAddress: () => null,
    rules: () => rules,
    passwords,
    reveal: async () => undefined,
    showDashboard: (...shown) => void dashboards.push(shown),
  });

  const whole = 'Server=tcp:SQL01,1433;User ID=sa;Password=p4ssword;Encrypt=True;TrustServerCertificate=True';
  /** Texts are answered in this order, choices as they are offered first. */
  const answering = (desk: Desk, ...answers: string[]): ServerForm => ({
    ...form(desk),
    input: { askText: async () => answers.shift(), askChoice: async ({ value }) => value, tell: () => undefined },
  });

  it('add a server by its connection string: the password is stored once the server took it, and nothing of the string', async () => {
    const desk = createDesk(found);
    assert.equal(await run(createServerCommands(desk.context, answering(desk, whole, 'Prod')).addServer), undefined);
    const [added] = desk.servers.saved.list();
    assert.deepEqual([added?.name, added?.server, added?.authentication], ['Prod', 'tcp:SQL01,1433', 'sql']);
    assert.deepEqual([desk.secrets.values.size, await desk.passwords.password(added as SavedServer, false)], [0, 'p4ssword']);
    await desk.passwords.accepted(added as SavedServer, 'p4ssword');
    assert.equal(await desk.servers.saved.password(added?.id ?? ''), 'p4ssword');
    desk.context.log.error('the driver says p4ssword');
    assert.doesNotMatch(JSON.stringify([...desk.state.values, ...desk.logged]), /p4ssword|User ID/);
  });

  it('change the server that is added a second time, and make no second row', async () => {
    const desk = createDesk(found);
    await run(createServerCommands(desk.context, answering(desk, whole, 'Prod')).addServer);
    const again = whole.replace('tcp:SQL01,1433', 'sql01').replace('p4ssword', 'n3wer');
    await run(createServerCommands(desk.context, answering(desk, again, 'Again')).addServer);
    const [added] = desk.servers.saved.list();
    assert.deepEqual(
      [desk.servers.saved.list().length, added?.name, await desk.passwords.password(added as SavedServer, false)],
      [1, 'Again', 'n3wer'],
    );
    await run(createServerCommands(desk.context, answering(desk, whole.replace('ID=sa', 'ID=dba'), 'Other login')).addServer);
    assert.equal(desk.servers.saved.list().length, 2);
  });

  it('send tokens to a host that is not of Azure only if the user says so, and keep that answer for that host', async () => {
    const entra = 'Server=sql01;Authentication=Active Directory Default;Encrypt=Strict';
    const left = createDesk(found, [false]);
    assert.equal(await run(createServerCommands(left.context, answering(left, entra, 'Prod')).addServer), undefined);
    assert.deepEqual([left.servers.saved.list(), left.conversation.said], [[], ['Send Microsoft Entra tokens to sql01?']]);
    assert.match(left.conversation.details[0] ?? '', /^sql01 is not an Azure host\. A token for Azure SQL is sent to it/);

    const desk = createDesk(found, [true, true]);
    await run(createServerCommands(desk.context, answering(desk, entra, 'Prod')).addServer);
    const [added] = desk.servers.saved.list();
    assert.equal(added?.tokenHost, 'sql01');
    const row = { ...serverRow, serverId: added?.id ?? '' };
    await run(createServerCommands(desk.context, answering(desk, 'sql01', '', '', '', 'Renamed')).editServer, row);
    assert.deepEqual([desk.servers.saved.list()[0]?.name, desk.conversation.said.length], ['Renamed', 1]);
    await run(createServerCommands(desk.context, answering(desk, 'sql02', '', '', '', 'Moved')).editServer, row);
    assert.deepEqual([desk.servers.saved.list()[0]?.tokenHost, desk.conversation.said.length], ['sql02', 2]);
    await run(createServerCommands(desk.context, answering(desk, entra.replace('sql01', 'shop.database.windows.net'), 'Azure')).addServer);
    assert.deepEqual([desk.servers.saved.list().length, desk.conversation.said.length], [2, 2]);
  });

  it('keep nothing of a server that an administrator forbids', async () => {
    const desk = createDesk(found);
    const forbidding = { ...answering(desk, 'sql01', 'dba', 'p4ss', '', 'Prod'), rules: () => ({ ...nothingForbidden, allowNtlm: false }) };
    const windows = {
      ...forbidding.input,
      askChoice: async <T>({ value }: { readonly value: T }) => (value === 'sql' ? ('windows' as T) : value),
    };
    const input = { ...windows, askText: async () => 'C\\ann' };
    assert.match(String(await run(createServerCommands(desk.context, { ...forbidding, input }).addServer)), /connections\.allowNtlm/);
    assert.deepEqual(desk.servers.saved.list(), []);
  });

  it('accept a new certificate only if the user does, who sees both, and leave what goes on alone', async () => {
    const desk = await openDesk(found, [false, true]);
    await desk.servers.save({ ...savedServer, trustServerCertificate: true });
    await desk.servers.saved.keepTrusted('server-1', 'AB:CD');
    await desk.servers.connect('server-1', agree);
    const change = { was: 'AB:CD', is: 'EF:01' };
    await assert.rejects(trustNewCertificate(desk.context, 'server-1', change), Dismissed);
    assert.equal(desk.servers.saved.find('server-1')?.trustedCertificate, 'AB:CD');
    assert.match(
      desk.conversation.details[0] ?? '',
      /^Remembered: AB:CD\nShown now: EF:01\n[^]*makes a new certificate for itself at each start[^]*would look the same/,
    );
    await trustNewCertificate(desk.context, 'server-1', change);
    assert.deepEqual([desk.servers.saved.find('server-1')?.trustedCertificate, desk.monitors[0]?.isDisposed], ['EF:01', false]);
    await assert.rejects(trustNewCertificate(desk.context, 'server-1', change), /has changed in the meantime\. Connect again/);
  });

  it('keep the id of a server that another product led to', async () => {
    const desk = createDesk(found);
    await connectDirectly(desk.context, answering(desk, whole, 'Prod'), { id: 'mssql:7', name: 'Prod', server: 'sql01', user: null });
    assert.deepEqual(
      desk.servers.saved.list().map(({ id }) => id),
      ['mssql:7'],
    );
  });

  it('begin with what is known of that connection, but for its password', async () => {
    const desk = createDesk(found);
    const known = { ...newAnswers, authentication: 'windows', trustServerCertificate: true, database: 'app' } as const;
    const server = { id: 'mssql:7', name: 'Payroll', server: 'sql07', user: null, login: 'Windows login' };
    const typed = ['sql07', 'CONTOSO\\ann', 'p4ss', 'app', 'Payroll'];
    await connectDirectly(desk.context, answering(desk, ...typed), server, known);
    const [kept] = desk.servers.saved.list();
    assert.deepEqual([kept?.id, kept?.authentication, kept?.trustServerCertificate], ['mssql:7', 'windows', true]);
  });

  it('change nothing when the form is left', async () => {
    const desk = await openDesk(found);
    const commands = createServerCommands(desk.context, form(desk));
    await run(commands.addServer);
    await run(commands.editServer, serverRow);
    assert.deepEqual([desk.servers.saved.list(), await desk.servers.saved.password('server-1')], [[savedServer], 'p4ssword']);
  });

  it('remove a server only when that is confirmed, and end its monitor', async () => {
    const desk = await openDesk(found, [false, true]);
    await desk.servers.connect('server-1', agree);
    const { removeServer } = createServerCommands(desk.context, form(desk));
    await run(removeServer, serverRow);
    assert.equal(desk.servers.saved.list().length, 1);
    await run(removeServer, serverRow);
    assert.deepEqual([desk.servers.saved.list().length, desk.monitors[0]?.isDisposed, desk.secrets.values.size], [0, true, 0]);
  });

  it('remove no server that another product lists, and one that it lists no more', async () => {
    const desk = await openDesk(found, [true]);
    const { removeServer } = createServerCommands(desk.context, form(desk));
    const row = { ...serverRow, serverId: hostServer.id };
    desk.servers.list.takeIn({ servers: [hostServer], untrusted: 0 });
    assert.match(String(await run(removeServer, row)), /Remove it where it comes from/);
    assert.deepEqual(desk.conversation.said, []);
    desk.servers.list.takeIn({ servers: [], untrusted: 0 });
    desk.servers.point(hostServer);
    await run(removeServer, row);
    assert.equal(desk.servers.list.find(hostServer.id), undefined);
  });

  it('refresh the servers that were opened and leave the others alone', async () => {
    const desk = await openDesk(found);
    await desk.servers.save({ ...savedServer, id: 'server-2' });
    await desk.servers.connect('server-1', agree);
    assert.equal(await run(createServerCommands(desk.context, form(desk)).refresh), undefined);
    assert.deepEqual([desk.monitors.length, desk.monitors[0]?.asked], [1, ['look', 'refresh']]);
  });

  it('refresh a server that refused a login only from its own row, or once the user said so: anything can run a command', async () => {
    const standing = { kind: 'refused', sentence: 'The login was refused.', sinceMs: 0, retryInMs: null } as const;
    const desk = await openDesk({ ...found, connection: 'failed', failure: standing.sentence, standing }, [false, true]);
    await desk.servers.look('server-1');
    const { refresh } = createServerCommands(desk.context, form(desk));
    for (const invoked of [undefined, { ...serverRow }]) {
      const before = desk.monitors[0]?.asked.length;
      await run(refresh, invoked);
      assert.equal(desk.conversation.said.at(-1), 'Log in to Production 7 again?');
      assert.equal(desk.monitors[0]?.asked.length, invoked === undefined ? before : (before ?? 0) + 1);
    }
    await run(refresh, serverRow);
    assert.deepEqual(
      [desk.conversation.said.filter((said) => said.startsWith('Log in')).length, desk.monitors[0]?.asked.slice(1)],
      [2, ['refresh', 'refresh']],
    );
  });

  it('refresh no server for all that was never open and would ask the user', async () => {
    const standing = { kind: 'waiting', sentence: 'It waits for a click.', sinceMs: 0, retryInMs: null } as const;
    const desk = await openDesk({ ...found, connection: 'failed', facts: null, standing });
    await desk.servers.look('server-1');
    await run(createServerCommands(desk.context, form(desk)).refresh);
    assert.deepEqual(desk.monitors[0]?.asked, ['look']);
  });

  it('show the dashboard beside the pane, which may be too low to read', async () => {
    const desk = await openDesk(found);
    assert.equal(await run(createServerCommands(desk.context, form(desk)).openServer, serverRow), undefined);
    assert.deepEqual(dashboards, [['server-1', null]]);
  });

  it('refresh all by trying a server again that was not reached yet, but without asking the user anything for it', async () => {
    const standing = { kind: 'unreachable', sentence: 'Nothing answers.', sinceMs: 0, retryInMs: 1 } as const;
    const desk = await openDesk({ ...found, connection: 'failed', facts: null, failure: standing.sentence, standing });
    await desk.servers.look('server-1');
    const { refresh } = createServerCommands(desk.context, form(desk));
    assert.equal(await run(refresh), 'Nothing answers.');
    assert.deepEqual(desk.monitors[0]?.asked, ['look', 'look now']);
    await run(refresh, serverRow);
    assert.deepEqual(desk.monitors[0]?.asked, ['look', 'look now', 'refresh']);
  });

  it('refresh all and leave a login alone that was refused and never let in', async () => {
    const standing = { kind: 'refused', sentence: 'The login was refused.', sinceMs: 0, retryInMs: null } as const;
    const desk = await openDesk({ ...found, connection: 'failed', facts: null, failure: standing.sentence, standing });
    await desk.servers.look('server-1');
    await run(createServerCommands(desk.context, form(desk)).refresh);
    assert.deepEqual([desk.monitors[0]?.asked, desk.conversation.said.filter((said) => said.startsWith('Log in'))], [['look'], []]);
  });

  it('say what failed after a refresh', async () => {
    const desk = await openDesk({ ...found, connection: 'failed', failure: 'Login failed.' });
    assert.equal(await run(createServerCommands(desk.context, form(desk)).refresh, serverRow), 'Login failed.');
  });
});
