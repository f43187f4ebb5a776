import assert from 'node:assert/strict';
import { splitAtGo } from '../../e2e/query-window';
import { temporaryProcedure } from './analysed';
import { openScriptedServer, type ScriptedServer } from './scripted-server';

describe('The switch that sp_CheckpointHealth writes, on the simulated server', () => {
  let opened: ScriptedServer;
  afterEach(() => opened?.dispose());

  const write = async (parameters = '', server?: string): Promise<string> => {
    const window = await opened.open(server === undefined ? {} : { server });
    assert.equal((await window.run(temporaryProcedure)).printed, '');
    const { printed, tables } = await window.run(`EXECUTE #sp_CheckpointHealth @script = 1${parameters};`);
    window.close();
    return tables.length === 0 ? printed : (tables[0] ?? []).map((row) => String(row['line'])).join('\n');
  };
  const allAtOnce = (text: string): string =>
    text.replace(/DECLARE @wave int = 1;/, 'DECLARE @wave int = NULL;');

  it('changes a canary of three, then all others, each database once, whatever it is called', async () => {
    opened = await openScriptedServer({ databases: 120 });
    const text = await write();
    assert.equal(splitAtGo(text).length, 1);
    assert.deepEqual(
      text.split('\n').filter((line) => line.length > 140),
      [],
    );
    const count = Number(
      /^\/\* SWITCH to indirect checkpoints on LEGACY-SQL07\. Databases: (\d+)\. /.exec(text)?.[1],
    );
    assert.equal((await opened.show(text)).changed.length, 3);
    const { changed: rest } = await opened.show(allAtOnce(text));
    assert.equal(rest.length, count - 3);
    assert.ok(
      rest.some((line) => line.startsWith('Kasse 🧾 Süd: 0 -> 60')) &&
        rest.some((line) => line.startsWith("x'; DROP")),
    );
    assert.match(await write(), /^No database with automatic checkpoints can be changed here\.$/);
  });

  it('runs on every replica of the groups that its databases are in, and changes what is primary there', async () => {
    opened = await openScriptedServer({ scenario: 'availability-group' }, 'SALES-SQL01');
    const text = allAtOnce(await write());
    assert.deepEqual((await opened.show(text, { server: 'SALES-SQL02' })).changed, []);
    assert.match(
      (await opened.show(text, { server: 'SALES-DR01' })).printed,
      /^Msg 50000: Stopped: this text does not name this server/,
    );
    const { changed } = await opened.show(text);
    assert.equal(changed.filter((line) => line.startsWith('SALES-SQL01/')).length, 6);
  });
});
