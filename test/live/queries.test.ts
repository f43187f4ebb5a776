import assert from 'node:assert/strict';
import { readAvailabilityRoles, readDatabaseFacts, readServerFacts, readServerState } from '../../src/core/advice/fact-rows';
import type { TextRows } from '../../src/core/rows';
import { fillTemplate } from '../../src/core/script/template';
import { ownSessionTemplates, readTemplates } from '../../src/texts';
import { type LiveLogin, openLogin } from './login';
import { readSettings } from './settings';
import { type LiveTarget, openTarget } from './target';

const settings = readSettings(process.env);

/** Each file of sql/ as somebody runs it by hand: its template parameters at their defaults. */
describe(`Every file of sql/, by hand, on ${settings.kind === 'simulator' ? 'the simulator' : 'SQL Server'}`, function () {
  this.timeout(300_000);
  let target: LiveTarget;
  let login: LiveLogin;

  before(async () => {
    target = await openTarget(settings);
    login = await openLogin(target.address);
  });

  after(async () => {
    login?.close();
    await target?.dispose();
  });

  const ownSession = async (kind: keyof typeof ownSessionTemplates): Promise<void> => {
    const [row] = await login.rows(fillTemplate(ownSessionTemplates[kind], {}));
    const { error_number, error_message } = row ?? {};
    assert.deepEqual({ error_number, error_message }, { error_number: null, error_message: null });
  };

  it('creates and starts the event session, once', async () => {
    await ownSession('create');
    await ownSession('start');
    const [again] = await login.rows(fillTemplate(ownSessionTemplates.create, {}));
    assert.equal(again?.['error_number'], '25631');
  });

  const understands: Readonly<Record<string, (rows: TextRows) => { readonly problems: readonly unknown[] }>> = {
    serverFacts: readServerFacts,
    serverState: readServerState,
    databaseFacts: readDatabaseFacts,
    availabilityRoles: readAvailabilityRoles,
  };
  for (const [name, template] of Object.entries(readTemplates))
    it(`reads ${name}${name in understands ? ', and understands every cell' : ''}`, async () => {
      const rows = await login.rows(fillTemplate(template, {}));
      if (name === 'serverFacts' || name === 'serverState' || name === 'eventSession') assert.equal(rows.length, 1);
      const columns = Object.keys(rows[0] ?? {});
      const cells = rows.map((row) => columns.map((column) => (row[column] == null ? null : String(row[column]))));
      if (rows.length > 0) assert.deepEqual(understands[name]?.({ columns, rows: cells }).problems ?? [], []);
    });

  it('changes the databases of the event session, and adds what is missing in it', async () => {
    await ownSession('changeDatabases');
    await ownSession('addMissingEvents');
  });

  it('stops and drops the event session', async () => {
    await ownSession('stop');
    await ownSession('drop');
  });

  it('creates, starts, stops and drops the one in memory', async () => {
    for (const kind of ['createRing', 'start', 'stop', 'drop'] as const) await ownSession(kind);
  });
});
