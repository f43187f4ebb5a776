import assert from 'node:assert/strict';
import { createImportCommand } from '../../../src/shell/commands/import-command';
import type { WrittenConnections } from '../../../src/shell/servers/imported-servers';
import { createDesk, createForm, run } from '../fake-editor';
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
function createBench(answers: unknown[], typed: (string | undefined)[] = []) {
  const desk = createDesk(snapshot(facts(systemDatabases)), answers);
  const { context, conversation, servers, monitors, state, secrets, logged } = desk;
  const [shown, opened] = [[] as string[], [] as string[]];
  const reveal = async (id: string, isOpened: boolean): Promise<void> =>
    void shown.push(`${id} ${isOpened ? 'opened' : 'closed'}`);
  const form = createForm(desk, typed, { reveal });
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
  return {
    conversation,
    servers,
    monitors,
    state,
    secrets,
    logged,
    shown,
    opened,
    importAll,
    importFrom,
    kept,
  };
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
    assert.deepEqual(said, ['Connections to import; you type their passwords later; 1 entry cannot be read']);
  });

  it('puts what was ticked into our list and shows it, connects to nothing, and brings no password along', async () => {
    const bench = createBench(['as offered']);
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
