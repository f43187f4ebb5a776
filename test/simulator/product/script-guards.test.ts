import assert from 'node:assert/strict';
import { fillTemplate } from '../../../src/core/script/template';
import { reviewTemplates } from '../../../src/texts';
import type { ScriptRequest } from '../../../src/core/script/script-request';
import { openScriptedServer, type ScriptedServer, textOf } from '../scripts/scripted-server';

/** Each kind of script, for databases that can be worked on. */
const listRequests = (databaseId: number): readonly ScriptRequest[] => [
  { kind: 'before failover', databaseIds: [databaseId], windows: 1, stopAfterMinutes: 0 },
  { kind: 'throttled checkpoint', databaseIds: [databaseId], seconds: 1 },
  { kind: 'scan cost', databaseId, times: 2 },
  { kind: 'recovery interval', minutes: 5 },
  { kind: 'model', targetSeconds: 60 },
];

/** What is the server's and must not have changed: settings, and checkpoints that somebody asked for. */
function listTraces({ simulator }: ScriptedServer): unknown {
  const { ledger } = simulator.server;
  const manual = ledger.checkpoints.filter(({ kind }) => kind === 'manual').length;
  return [manual, ledger.settingChanges.length];
}

describe('Every script beside the switch, run where it should not do anything', function () {
  this.timeout(60_000);
  let served: ScriptedServer;
  const texts = new Map<ScriptRequest['kind'], string>();
  before(async () => {
    served = await openScriptedServer();
    await served.monitor.refresh();
    const database = served.monitor.snapshot.facts?.databases.find(({ name }) => name === 'a]b');
    for (const request of listRequests(database?.databaseId ?? 0)) {
      const scripts = await served.write(request);
      texts.set(request.kind, textOf(scripts) || textOf(scripts, 'analysis'));
    }
  });
  after(() => served?.dispose());

  const readInterval = async (): Promise<string> =>
    served.run(
      "DECLARE @v nvarchar(20) = (SELECT CONVERT(nvarchar(20), c.value) + N' ' + CONVERT(nvarchar(20), c.value_in_use) FROM sys.configurations AS c WHERE c.name = N'recovery interval (min)'); PRINT @v;",
    );
  const elsewhere = (text: string): string => text.replaceAll("N'LEGACY-SQL07'", "N'OTHER'");

  it('does nothing on another server, neither in the first batch nor behind GO, and leaves the session usable', async () => {
    const before = listTraces(served);
    for (const [kind, text] of texts) {
      assert.notEqual(elsewhere(text), text, kind);
      const printed = await served.run(`${elsewhere(text)}\nGO\nPRINT N'usable again';`);
      assert.match(printed, /^Msg 50000: Stopped: this is not the server that the script was written for\. Nothing was done\./, kind);
      assert.match(printed, /usable again$/, kind);
      assert.doesNotMatch(printed, /DONE|CHANGED|CHECKPOINT {2}|BEGINS/, kind);
    }
    assert.deepEqual(listTraces(served), before);
    assert.equal(await readInterval(), '0 0');
  });

  it('does nothing inside an open transaction', async () => {
    const before = listTraces(served);
    for (const [kind, text] of texts) {
      const printed = await served.run(`BEGIN TRANSACTION;\nGO\n${text}\nGO\nIF @@TRANCOUNT > 0 ROLLBACK;`);
      assert.match(printed, /Stopped: a transaction is open in this session\. Nothing was done\./, kind);
      assert.doesNotMatch(printed, /DONE|CHANGED|CHECKPOINT {2}|BEGINS/, kind);
    }
    assert.deepEqual(listTraces(served), before);
    assert.equal(await readInterval(), '0 0');
  });

  it('does nothing where implicit transactions are on, neither as a whole nor behind the guard', async () => {
    const before = listTraces(served);
    for (const [kind, text] of texts) {
      const printed = await served.run(`SET IMPLICIT_TRANSACTIONS ON;\nGO\n${text}\nGO\nPRINT @@TRANCOUNT;`);
      assert.match(printed, /^Msg 50000: Stopped: implicit transactions are on in this session\. Nothing was done\./, kind);
      assert.match(printed, /\n0$/, kind);
      const parts = text.split(/^GO$/m);
      const part = parts.find((each) => each.includes('@outcome')) ?? '';
      const partly = await served.run(`SET IMPLICIT_TRANSACTIONS ON;\nGO\n${part}\nGO\nIF @@TRANCOUNT > 0 ROLLBACK;`);
      assert.match(partly, /Stopped: /, kind);
      assert.doesNotMatch(printed + partly, /DONE|CHANGED|CHECKPOINT {2}|BEGINS/, kind);
    }
    assert.deepEqual(listTraces(served), before);
    assert.equal(await readInterval(), '0 0');
  });

  it('does nothing when only the part behind the guard is run, elsewhere or in a transaction', async () => {
    const before = listTraces(served);
    for (const [kind, text] of texts) {
      const parts = text.split(/^GO$/m);
      const working = parts.findIndex((part) => part.includes('@outcome'));
      const part = parts[working] ?? '';
      for (const selected of [elsewhere(part), `BEGIN TRANSACTION;\n${part}\nROLLBACK;`]) {
        const printed = await served.run(selected);
        assert.match(printed, /Stopped: /, kind);
        assert.doesNotMatch(printed, /DONE|CHANGED|CHECKPOINT {2}|BEGINS/, kind);
      }
    }
    assert.deepEqual(listTraces(served), before);
    assert.equal(await readInterval(), '0 0');
  });

  it('does nothing for a login without the rights, and says what is missing or what the server answered', async () => {
    const before = listTraces(served);
    const missing: Readonly<Record<string, RegExp>> = {
      'before failover': /LEFT ALONE {2}\[a\]\]b\] does not let this login in\./,
      'throttled checkpoint': /LEFT ALONE {2}\[a\]\]b\] does not let this login in\./,
      'scan cost': /LEFT ALONE {2}\[a\]\]b\] does not let this login in\./,
      'recovery interval': /LEFT ALONE {2}recovery interval \(min\) cannot be changed by this login: ALTER SETTINGS is needed\./,
      model: /FAILED {6}\[model\]: \d+ /,
    };
    for (const [kind, text] of texts) assert.match(await served.run(text, { user: 'reader' }), missing[kind] ?? /^$/, kind);
    assert.deepEqual(listTraces(served), before);
    assert.equal(await readInterval(), '0 0');
  });

  it('does nothing with the defaults of its file in sql/, as SSMS fills them in', async () => {
    for (const [name, template] of Object.entries(reviewTemplates)) {
      const printed = await served.run(fillTemplate(template, {}));
      assert.match(printed, /^Msg 50000: Stopped: this is not the server that the script was written for\./, name);
      assert.doesNotMatch(printed, /DONE|CHANGED {2}|CHECKPOINT {2}|BEGINS/, name);
    }
    assert.deepEqual(listTraces(served), [0, 0]);
  });

  it('runs no text of ours by the monitor: what it wrote so far has left no trace of its login on the server', () => {
    assert.deepEqual(listTraces(served), [0, 0]);
  });
});
