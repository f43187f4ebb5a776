import assert from 'node:assert/strict';
import { createImportCommand } from '../../../src/shell/commands/import-command';
import type { WrittenConnections } from '../../../src/shell/servers/imported-servers';
import { createDesk, createForm, nothingForbidden, run, savedServer } from '../fake-editor';
import { FakeInput } from '../servers/form-bench';
import { hostServer } from '../fake-host';
import type { SavedServer } from '../../../src/shell/servers/saved-server';
import { facts, partsOf, snapshot, systemDatabases } from '../sample';

const sql = {
  id: '11',
  profileName: 'Payroll',
  server: 'sql11',
  port: 1433,
  user: 'dba',
  password: 'p4ssword',
  authenticationType: 'SqlLogin',
};
const nobody = { id: '13', server: 'sql13', authenticationType: 'SqlLogin', user: '' };
const integrated = { id: '12', server: 'sql12', authenticationType: 'Integrated', groupId: 'g1' };
const another = { ...sql, id: '13', server: 'sql13' };
const groups = [{ id: 'g1', name: 'Production' }];

/** @param answers of the user to our questions, @param typed into the form of Add Server, in order */
function createBench(answers: unknown[], typed: (string | undefined)[] = [], rules = () => nothingForbidden) {
  const desk = createDesk(snapshot(facts(systemDatabases)), answers);
  const { context, servers } = desk;
  const [shown, opened] = [[] as string[], [] as string[]];
  const reveal = async (id: string, isOpened: boolean): Promise<void> =>
    void shown.push(`${id} ${isOpened ? 'opened' : 'closed'}`);
  const input = new FakeInput(typed);
  const form = createForm(desk, [], { reveal, input, rules });
  const open = async (): Promise<void> => void opened.push('setting');
  const importAll = (...connections: unknown[]): Promise<string | undefined> =>
    importFrom({ connections, groups });
  const importFrom = (settings: WrittenConnections | null): Promise<string | undefined> =>
    run(
      createImportCommand({ ...context, addServer: async () => void opened.push('Add Server') }, form, {
        read: () => settings,
        open,
      }),
    );
  const kept = (...keys: (keyof SavedServer)[]): readonly unknown[] => partsOf(servers.saved.list(), ...keys);
  return Object.assign(desk, { input, shown, opened, importAll, importFrom, kept });
}

describe('importing the connections of the SQL Server extension', () => {
  it('ticks those that can be used as they are, and says of the others why not', async () => {
    const bench = createBench(['as offered']);
    assert.equal(await bench.importAll(sql, integrated, 7), undefined);
    const { offered, said } = bench.conversation;
    assert.deepEqual(partsOf(offered[0], 'label', 'description', 'detail', 'isPicked'), [
      ['Payroll', 'sql11 · login dba', undefined, true],
      ['sql12', 'sql12 · your own login · Production', undefined, true],
    ]);
    assert.deepEqual(said, ['Connections to import, without their passwords; 1 entry cannot be read']);
  });

  it('puts what was ticked into our list and shows it, connects to nothing, and brings no password along', async () => {
    const bench = createBench(['as offered'], ['']);
    await bench.importAll(sql, another);
    assert.deepEqual(bench.kept('id', 'server'), [
      ['mssql:11', 'sql11'],
      ['mssql:13', 'sql13'],
    ]);
    assert.deepEqual(
      [bench.shown, bench.monitors.length, bench.secrets.values.size],
      [['mssql:11 closed'], 0, 0],
    );
    assert.doesNotMatch(JSON.stringify([...bench.state.values, ...bench.logged]), /p4ssword/);
  });

  it('asks for the login of one that is ticked without having one, and goes on with the next where that is left', async () => {
    const typed = ['dba', 'p4ss'];
    const bench = createBench([[]], typed);
    bench.conversation.chooseMany = async (_, choices) => choices.map(({ value }) => value);
    await bench.importAll({ ...nobody, id: '10', server: 'sql10' }, nobody);
    assert.deepEqual(bench.kept('id', 'authentication', 'user'), [['mssql:10', 'sql', 'dba']]);
  });

  describe('of which several have one account', () => {
    const twenty = Array.from({ length: 20 }, (_, index) => ({
      ...sql,
      id: `s${index}`,
      profileName: `SQL${index}`,
      server: `sql${index}`,
    }));
    /** Each server with the password that is known for it. */
    async function listKnown({ servers, passwords }: ReturnType<typeof createBench>) {
      const own = servers.saved.list();
      const known = await Promise.all(own.map((server) => passwords.password(server, false)));
      return own.map(({ server }, index) => `${server} ${known[index]}`);
    }

    it('asks once for its password, says to which it goes, and has it for them and for no other', async () => {
      const bench = createBench(['as offered'], ['p4ss']);
      const reader = { ...sql, id: 'r', server: 'sql30', user: 'DBA' };
      const dbaOfWindows = {
        ...sql,
        id: 'w',
        connectionString: 'Server=sql31;UID=C\\dba;Trusted_Connection=yes',
      };
      await bench.importAll(...twenty, reader, integrated, dbaOfWindows);
      const [asked, ...more] = bench.input.texts;
      assert.equal(
        asked?.prompt,
        `For 20 of the servers that you chose. It is sent to each of them when you open it. Kept in the editor's secret storage once the server has accepted it; Edit Server changes that. ${twenty.map(({ server }) => server).join(', ')}`,
      );
      assert.equal(asked.title, 'Password of login dba');
      assert.deepEqual([asked.isPassword, more, bench.conversation.said.length], [true, [], 1]);
      const others = ['sql30 undefined', 'sql12 undefined', 'sql31 undefined'];
      assert.deepEqual(await listKnown(bench), [...twenty.map(({ server }) => `${server} p4ss`), ...others]);
    });

    it('takes over none that came into the list meanwhile, and goes on where one is forbidden meanwhile', async () => {
      let allowedHosts: readonly string[] = [];
      const bench = createBench(['as offered'], [], () => ({ ...nothingForbidden, allowedHosts }));
      bench.input.askText = async () => {
        await bench.servers.save({ ...savedServer, id: 'mssql:s0', server: 'own', user: 'reader' });
        allowedHosts = ['sql2', 'sql3'];
        return 'p4ss';
      };
      await bench.importAll(...twenty.slice(0, 4));
      assert.deepEqual(bench.kept('server', 'user'), [
        ['own', 'reader'],
        ['sql2', 'dba'],
        ['sql3', 'dba'],
      ]);
      assert.match(bench.input.told.join(), /^SQL1: .*sql1/);
    });

    it('stores it for each server only when that has accepted it, and none where that is forbidden', async () => {
      const bench = createBench(['as offered'], ['p4ss']);
      await bench.importAll(...twenty);
      assert.equal(bench.secrets.values.size, 0);
      const [, second] = bench.servers.saved.list();
      await bench.passwords.accepted(second ?? assert.fail(), 'p4ss');
      assert.deepEqual([...bench.secrets.values], [['checkpointHealth.password.mssql:s1', 'p4ss']]);
      assert.doesNotMatch(JSON.stringify([...bench.state.values, ...bench.logged]), /p4ss/);
    });

    it('leaves it to each server to ask where the answer is empty, and to all that are left after Escape', async () => {
      const windows = (id: string, user: string) => ({
        id,
        connectionString: `Server=${id};UID=${user};Trusted_Connection=yes`,
      });
      const accounts = [
        sql,
        another,
        windows('sql21', 'CONTOSO\\ann'),
        windows('sql22', 'contoso\\Ann'),
        { ...sql, id: '31', server: 'sql31', user: 'sa' },
        { ...sql, id: '32', server: 'sql32', user: 'sa' },
      ];
      const bench = createBench(['as offered'], ['', 'd0main']);
      await bench.importAll(...accounts);
      assert.deepEqual(bench.input.steps, ['1/3', '2/3', '3/3']);
      assert.deepEqual(await listKnown(bench), [
        'sql11 undefined',
        'sql13 undefined',
        'sql21 d0main',
        'sql22 d0main',
        'sql31 undefined',
        'sql32 undefined',
      ]);
      const left = createBench(['as offered'], [undefined, 'never']);
      await left.importAll(...accounts);
      assert.equal(left.input.texts.length, 1);
      assert.equal((await listKnown(left)).filter((known) => !known.endsWith('undefined')).length, 0);
    });
  });

  it('leaves out what is in the list already, and says so where nothing is left', async () => {
    const bench = createBench(['as offered', 'as offered']);
    await bench.importAll(sql);
    await bench.importAll(sql, another);
    assert.match(bench.conversation.said[1] ?? '', /1 is in the list already$/);
    await bench.importAll(sql);
    assert.equal(
      bench.conversation.said[2],
      'Every connection of the SQL Server extension is in the list already.',
    );
  });

  it('offers Add Server where there is nothing to import, and the setting where it is no list', async () => {
    const bench = createBench([true, true]);
    await bench.importAll();
    await bench.importFrom(null);
    assert.deepEqual(bench.opened, ['Add Server', 'setting']);
    assert.deepEqual(bench.conversation.said, [
      'The settings have no connection of the SQL Server extension.',
      'The setting mssql.connections is not a list: correct it first.',
    ]);
  });

  it('takes a server over from that extension under the same id, so that it is the same server to its captures', async () => {
    const bench = createBench(['as offered']);
    const { servers, monitors } = bench;
    servers.list.takeIn({ servers: [hostServer], untrusted: 0 });
    await servers.connect(hostServer.id, async () => undefined);
    await servers.list.noteTracked(hostServer.id, true);
    servers.list.takeIn(null);
    assert.equal(
      servers.list.ownership(hostServer.id),
      'orphaned',
      'connectionSharing is gone, and the server is still in sight',
    );
    await bench.importAll(sql);
    assert.deepEqual(partsOf(servers.list.all(), 'id', 'way'), [[hostServer.id, 'own']]);
    assert.deepEqual(
      [servers.list.ownership(hostServer.id), servers.list.wasTracked(hostServer.id)],
      ['own', true],
    );
    assert.equal(monitors[0]?.isDisposed, true, 'nobody asks it by the old way any more');
    await servers.connect(hostServer.id, async () => undefined);
    assert.equal(monitors[1]?.id, hostServer.id);
  });
});
