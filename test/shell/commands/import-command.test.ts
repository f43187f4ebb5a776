import assert from 'node:assert/strict';
import { createImportCommand } from '../../../src/shell/commands/import-command';
import type { ServerForm } from '../../../src/shell/commands/server-commands';
import type { WrittenConnections } from '../../../src/shell/servers/imported-servers';
import { createDesk, type Desk, nothingForbidden, run } from '../fake-editor';
import { hostServer } from '../fake-host';
import { facts, snapshot, systemDatabases } from '../sample';

const sql = {
  id: '11',
  profileName: 'Payroll',
  server: 'sql11',
  port: 1433,
  user: 'dba',
  password: 'p4ssword',
  authenticationType: 'SqlLogin',
};
const integrated = { id: '12', server: 'sql12', authenticationType: 'Integrated', groupId: 'g1' };
const groups = [{ id: 'g1', name: 'Production' }];

interface Bench {
  readonly desk: Desk;
  readonly shown: string[];
  readonly opened: string[];
  readonly import: (settings: WrittenConnections | null) => Promise<string | undefined>;
}

/** @param answers of the user to our questions, @param typed into the form of Add Server, in order */
function createBench(answers: unknown[], typed: (string | undefined)[] = []): Bench {
  const desk = createDesk(snapshot(facts(systemDatabases)), answers);
  const [shown, opened] = [[] as string[], [] as string[]];
  const form: ServerForm = {
    input: { askText: async () => typed.shift(), askChoice: async ({ value }) => value, tell: () => undefined },
    checkAddress: () => null,
    rules: () => nothingForbidden,
    passwords: desk.passwords,
    reveal: async (id, isOpened) => void shown.push(`${id} ${isOpened ? 'opened' : 'closed'}`),
    showDashboard: () => undefined,
  };
  const open = async (): Promise<void> => void opened.push('setting');
  return { desk, shown, opened, import: (settings) => run(createImportCommand(desk.context, form, { read: () => settings, open })) };
}

describe('importing the connections of the SQL Server extension', () => {
  it('ticks those that can be used as they are, and says of the others why not', async () => {
    const bench = createBench(['as offered']);
    assert.equal(await bench.import({ connections: [sql, integrated, 7], groups }), undefined);
    const offered = bench.desk.conversation.offered[0]?.map(({ label, description, detail, isPicked }) => [
      label,
      description,
      detail,
      isPicked,
    ]);
    assert.deepEqual(offered, [
      ['Payroll', 'sql11 · login dba', undefined, true],
      [
        'sql12',
        'sql12 · Production',
        "This computer's own Windows login cannot be used here. If you tick it, you are asked for a name and password.",
        false,
      ],
    ]);
    assert.deepEqual(bench.desk.conversation.said, ['Connections to import; you type their passwords later; 1 entry cannot be read']);
  });

  it('puts what was ticked into our list and shows it, connects to nothing, and brings no password along', async () => {
    const bench = createBench(['as offered']);
    await bench.import({ connections: [sql, { ...sql, id: '13', server: 'sql13' }], groups });
    assert.deepEqual(
      bench.desk.servers.saved.list().map(({ id, server }) => [id, server]),
      [
        ['mssql:11', 'sql11'],
        ['mssql:13', 'sql13'],
      ],
    );
    assert.deepEqual([bench.shown, bench.desk.monitors.length, bench.desk.secrets.values.size], [['mssql:11 closed'], 0, 0]);
    assert.doesNotMatch(JSON.stringify([...bench.desk.state.values, ...bench.desk.logged]), /p4ssword/);
  });

  it('asks for the login of one that is ticked without having one, and goes on with the next where that is left', async () => {
    const typed = ['sql12', 'CONTOSO\\ann', 'p4ss', '', 'Twelve'];
    const bench = createBench([[]], typed);
    bench.desk.conversation.chooseMany = async (_, choices) => choices.map(({ value }) => value);
    await bench.import({ connections: [{ ...integrated, id: '10', server: 'sql10' }, integrated], groups });
    assert.deepEqual(
      bench.desk.servers.saved.list().map(({ id, authentication, user }) => [id, authentication, user]),
      [['mssql:10', 'windows', 'CONTOSO\\ann']],
    );
  });

  it('leaves out what is in the list already, and says so where nothing is left', async () => {
    const bench = createBench(['as offered', 'as offered']);
    await bench.import({ connections: [sql], groups });
    await bench.import({ connections: [sql, { ...sql, id: '13', server: 'sql13' }], groups });
    assert.match(bench.desk.conversation.said[1] ?? '', /1 is in the list already$/);
    await bench.import({ connections: [sql], groups });
    assert.equal(bench.desk.conversation.said[2], 'Every connection of the SQL Server extension is in the list already.');
  });

  it('offers Add Server where there is nothing to import, and the setting where it is no list', async () => {
    const bench = createBench([true, true]);
    await bench.import({ connections: [], groups: [] });
    assert.equal(bench.desk.added, 1);
    await bench.import(null);
    assert.deepEqual(bench.opened, ['setting']);
    assert.deepEqual(bench.desk.conversation.said, [
      'The settings hold no connection of the SQL Server extension.',
      'The setting mssql.connections is not a list: correct it first.',
    ]);
  });

  it('takes a server over from that extension under the same id, so that it is the same server to its captures', async () => {
    const bench = createBench(['as offered']);
    const { servers } = bench.desk;
    servers.list.takeIn({ servers: [hostServer], untrusted: 0 });
    await servers.connect(hostServer.id, async () => undefined);
    await servers.list.noteTracked(hostServer.id, true);
    servers.list.takeIn(null);
    assert.equal(servers.list.ownership(hostServer.id), 'orphaned', 'connectionSharing is gone, and the server is still in sight');
    await bench.import({ connections: [sql], groups });
    assert.deepEqual(
      servers.list.all().map(({ id, way }) => [id, way]),
      [[hostServer.id, 'own']],
    );
    assert.deepEqual([servers.list.ownership(hostServer.id), servers.list.wasTracked(hostServer.id)], ['own', true]);
    assert.equal(bench.desk.monitors[0]?.isDisposed, true, 'nobody asks it by the old way any more');
    await servers.connect(hostServer.id, async () => undefined);
    assert.equal(bench.desk.monitors[1]?.id, hostServer.id);
  });
});
