import assert from 'node:assert/strict';
import { fillTemplate } from '../../../src/core/script/template';
import { reviewTemplates } from '../../../src/texts';
import type { ScriptKind } from '../../../src/core/script/script-request';
import { openQueryWindow } from '../../e2e/query-window';
import { otherExamples, otherKinds } from '../../core/script/other-scripts';
import { textOf } from '../../core/script/scripts-of';
import { openScriptedServer, type ScriptedServer } from '../scripts/scripted-server';

/** What is the server's and must not have changed: settings, and checkpoints that somebody asked for. */
function listTraces({ simulator }: ScriptedServer): unknown {
  const { ledger } = simulator.server;
  const manual = ledger.checkpoints.filter(({ kind }) => kind === 'manual').length;
  return [manual, ledger.settingChanges.length];
}

describe('Every script beside the switch, run where it should not do anything', () => {
  let served: ScriptedServer;
  const texts = new Map<ScriptKind, string>();
  before(async () => {
    served = await openScriptedServer();
    await served.monitor.refresh();
    const databases = served.monitor.snapshot.facts?.databases.filter(({ name }) => name === 'a]b') ?? [];
    for (const kind of otherKinds) {
      const scripts = await served.write(otherExamples[kind].request(databases));
      texts.set(kind, textOf(scripts) || textOf(scripts, 'analysis'));
    }
  });
  after(() => served?.dispose());

  const readInterval = async (): Promise<string> =>
    served.run(
      "DECLARE @v nvarchar(20) = (SELECT CONVERT(nvarchar(20), c.value) + N' ' + CONVERT(nvarchar(20), c.value_in_use) FROM sys.configurations AS c WHERE c.name = N'recovery interval (min)'); PRINT @v;",
    );
  const elsewhere = (text: string): string => text.replaceAll("N'LEGACY-SQL07'", "N'OTHER'");
  const stopped =
    /^Msg 50000: Stopped: this is not the server that the script names, or a transaction is open in this window\. Nothing was done\.$/m;
  const anything = /CHECKPOINT|CHANGED|ALTER|DONE/;

  it('does nothing on another server, not even by a client that switches NOEXEC off, and says that it stopped', async () => {
    const before = listTraces(served);
    for (const [kind, text] of texts) {
      assert.notEqual(elsewhere(text), text, kind);
      for (const first of ['', 'SET NOEXEC OFF;\n', 'SET NOEXEC OFF;\nGO\n']) {
        const printed = await served.run(`${first}${elsewhere(text)}\nGO\nPRINT N'usable again';`);
        assert.match(printed, stopped, kind);
        assert.match(printed, /usable again$/, kind);
        assert.doesNotMatch(printed, anything, kind);
      }
    }
    assert.deepEqual(listTraces(served), before);
    assert.equal(await readInterval(), '0 0');
  });

  it('does nothing inside an open transaction', async () => {
    const before = listTraces(served);
    for (const [kind, text] of texts) {
      const printed = await served.run(`BEGIN TRANSACTION;\nGO\n${text}\nGO\nIF @@TRANCOUNT > 0 ROLLBACK;`);
      assert.match(printed, stopped, kind);
      assert.doesNotMatch(printed, anything, kind);
    }
    assert.deepEqual(listTraces(served), before);
    assert.equal(await readInterval(), '0 0');
  });

  it('switches implicit transactions off where they are on, and leaves no transaction open', async () => {
    for (const text of texts.values())
      assert.match(
        await served.run(
          `SET IMPLICIT_TRANSACTIONS ON;\nGO\n${elsewhere(text)}\nGO\nPRINT @@TRANCOUNT;\nPRINT @@OPTIONS & 2;`,
        ),
        /\n0\n0$/,
      );
  });

  it('does nothing when a part of it is run elsewhere, or in a transaction: from any line to the end, or from the beginning to any line', async () => {
    const before = listTraces(served);
    const { host, port, administrator } = served.simulator;
    const window = await openQueryWindow({ host, port, ...administrator });
    for (const [kind, text] of texts) {
      const lines = text.split('\n');
      const guard = lines.findIndex((line) => line.startsWith('/* Guard:'));
      // Each line around the guard, and every fifth of the others.
      const cuts = [...lines.keys()].filter((at) => at % 5 === 0 || Math.abs(at - guard) < 9);
      for (const part of cuts.flatMap((at) => [lines.slice(at).join('\n'), lines.slice(0, at).join('\n')]))
        for (const selected of [
          elsewhere(part),
          `BEGIN TRANSACTION;\n${part}\nGO\nIF @@TRANCOUNT > 0 ROLLBACK;`,
        ])
          assert.doesNotMatch(
            (await window.run(selected)).printed,
            /: (DONE|CHANGED)|took \d/,
            `${kind}:\n${selected}`,
          );
    }
    window.close();
    assert.deepEqual(listTraces(served), before);
    assert.equal(await readInterval(), '0 0');
  });

  it('does nothing for a login without the rights, and says what is missing or what the server answered', async () => {
    const before = listTraces(served);
    for (const [kind, text] of texts)
      assert.match(await served.run(text, { user: 'reader' }), otherExamples[kind].refused, kind);
    assert.deepEqual(listTraces(served), before);
    assert.equal(await readInterval(), '0 0');
  });

  it('does nothing with the defaults of its file in sql/, as SSMS fills them in', async () => {
    const { switch: ofSwitch, ...others } = reviewTemplates;
    assert.match(
      await served.run(fillTemplate(ofSwitch, {})),
      /^Msg 50000: Stopped: the guard does not name this server/,
    );
    const named = await served.run(fillTemplate(ofSwitch, { server_name: 'LEGACY-SQL07' }));
    assert.match(
      named,
      /TYPE A DATABASE NAME HERE: LEFT ALONE: not here, or renamed or re-created since the review/,
    );
    for (const [name, template] of Object.entries(others)) {
      const printed = await served.run(fillTemplate(template, {}));
      assert.match(printed, /^Msg 50000: Stopped: this is not the server that /, name);
      assert.doesNotMatch(printed, anything, name);
    }
    assert.deepEqual(listTraces(served), [0, 0]);
  });
});
