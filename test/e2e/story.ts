import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startSimulator, type Simulator } from '../../simulator/index';
import { vsixFile } from '../../tools/build/vsix';
import { lookAfter, stopAtFailure } from './chain';
import { type Host, serverFigure, startHost } from './host';
import { readTruth } from './ledger-truth';
import { askForOneWave, openReviewedScripts, readReview, showReview } from './review-panel';
import { assertDatabases } from './database-rows';
import { runScript } from './query-window';
import type { Way } from './ways/way';

/** Virtual time before tracking begins: after it the first long checkpoints come. */
const quietMs = 8 * 60_000;
/** Virtual time that is tracked: verdicts need ten minutes. */
const trackedMs = 14 * 60_000;

/** The main job, the same whichever way leads to the server. */
export function describeStory(way: Way): void {
  describe(`The main job, from automatic checkpoints to a reviewed script, ${way.name}`, function () {
    stopAtFailure(this);
    let simulator: Simulator;
    let host: Host;
    lookAfter(this, way.short, () => host);
    let script = '';

    before(async () => {
      simulator = await startSimulator({ rate: 60, tls: 'required' });
      // What happens while it is tracked must not depend on how long an editor takes to start.
      simulator.server.pause();
      simulator.server.advance(quietMs);
      host = await startHost({
        vsixFiles: [vsixFile, ...(await way.vsixFiles())],
        server: way.server?.(simulator),
        env: way.env?.(simulator),
        ...(await way.host?.()),
      });
    });

    after(() => simulator?.close());

    const serverRow = (): Locator => host.treeRows(way.serverName);

    it('flags the server: 312 of 400 databases are automatic, in groups', async () => {
      await way.openPane(host, simulator);
      await serverRow().filter({ hasText: '312 of 400 automatic' }).waitFor();
      await host.treeRows('Automatic, not measured').filter({ hasText: '308' }).waitFor();
      await host.treeRows('Start tracking').waitFor();
      await host.screenshot(`pane-${way.short}-dark`);
      // In a low pane the open group leaves no room below it.
      await host.treeRows('Automatic, not measured').click();
      await host.treeRows('New databases: automatic').waitFor();
    });

    it('starts tracking with one click', async () => {
      simulator.server.resume();
      await host.pressRowIcon(host.treeRows('Start tracking'), 'Start Tracking Checkpoints');
      await host.treeRows(/^\s*Tracking\s*\d/).waitFor();
      assert.equal(
        simulator.server.ledger.sessionRuns.filter((run) => run.sessionName === 'CheckpointHealth').length,
        1,
      );
    });

    it('shows checkpoints while they happen', async () => {
      await host.takeContextMenuItem(serverRow(), 'Open Checkpoint Timeline');
      await host.webview().locator('tr[data-database-id]').first().waitFor();
      await waitForTracked(simulator);
    });

    it('stops, keeps the data, and its table equals what the server really did, to the millisecond', async () => {
      await host.pressRowIcon(host.treeRows(/^\s*Tracking\s*\d/), 'Stop Tracking Checkpoints');
      await host.treeRows(/^\s*Tracked\s*\d/).waitFor();
      const truth = readTruth(simulator.server.ledger);
      assert.ok(truth.length > 30, `${truth.length} databases had checkpoints`);
      await assertDatabases(host.webview(), truth);
    });

    it('finds the databases that keep the checkpoint task busy', async () => {
      await host
        .treeRows(/^\s*(Feeds the queue|Hurts on its own)/)
        .first()
        .waitFor();
      await host.screenshot(`pane-measured-${way.short}-dark`);
    });

    it('selects the worst database in the table and in the timeline at once, and says what to do about it', async () => {
      await host.webview().locator('tr[data-database-id]').first().click();
      await host.webview().locator('.lane-name.selected').waitFor();
      // One that had too few checkpoints in these minutes is watched, however long they took.
      await host
        .webview()
        .getByText(/^(Switch|Watch)$/)
        .first()
        .waitFor();
      await host.screenshot(`timeline-${way.short}-dark`);
    });

    it('reviews what would change and what would not, and why', async () => {
      await host.takeContextMenuItem(serverRow(), 'Review Script for Indirect Checkpoints…');
      const sentence = await readReview(host);
      assert.match(sentence, /^Set 60 seconds on \d+ databases?/);
      assert.match((await host.webview().locator('p.why').textContent()) ?? '', /^Why: The checkpoint task /);
      await host.webview().getByRole('button', { name: 'Cannot change here' }).click();
      const master = host.webview().locator('tr[data-database="1"]');
      assert.match((await master.textContent()) ?? '', /It is a system database\./);
      assert.equal(await master.locator('input').first().getAttribute('aria-disabled'), 'true');
      await host.screenshot(`review-${way.short}-dark`);
    });

    it('opens the script in an editor and its rollback beside it, and executes neither', async () => {
      await askForOneWave(host);
      await openReviewedScripts(host);
      await host.page.locator('.tab').filter({ hasText: '/* ROLLBACK:' }).first().waitFor();
      const document = await host.waitForDocument(({ text }) => text.startsWith('/* SWITCH:'));
      assert.deepEqual([document.languageId, document.isUntitled], ['sql', true]);
      script = document.text;
      assert.match(
        script,
        /^\/\* SWITCH: \d+ databases? on LEGACY-SQL07 to indirect checkpoints: ALTER DATABASE \[name\] SET TARGET_RECOVERY_TIME = 60 /,
      );
      const rollback = (await host.documents()).find(({ text }) => text.startsWith('/* ROLLBACK:'));
      assert.ok(rollback !== undefined, 'the rollback twin is open');
      assert.deepEqual(simulator.server.ledger.settingChanges, []);
      assert.equal(await way.connectedTo(host, document.uri), way.connectsScripts ? way.serverName : null);
      await host.screenshot(`script-${way.short}-dark`);
    });

    it('shows each of them in the same tab when they are opened again', async () => {
      const before = (await host.documents()).length;
      await showReview(host);
      await openReviewedScripts(host);
      await host.waitForDocument(({ text }) => text.startsWith('/* SWITCH:'));
      assert.equal((await host.documents()).length, before);
      const tabs = await host.page
        .locator('.tab')
        .filter({ hasText: /\/\* (SWITCH|ROLLBACK):/ })
        .count();
      assert.equal(tabs, 2);
    });

    it('shows those databases as indirect after the user ran the script', async () => {
      const count = Number(/^\/\* SWITCH: (\d+)/.exec(script)?.[1]);
      const printed = await runScript(toLogin(simulator), script);
      assert.match(printed.join('\n'), new RegExp(`${count} changed, 0 failed; `));
      assert.equal(simulator.server.ledger.settingChanges.length, count);
      await host.runCommand('Checkpoint Health: Refresh');
      await serverRow()
        .filter({ hasText: `${312 - count} of 400 automatic` })
        .waitFor();
      await host.screenshot(`pane-switched-${way.short}-dark`);
    });

    it('says that nothing was measured since, advises nothing, and reviews how to roll that wave back', async () => {
      await host.takeContextMenuItem(serverRow(), 'Open Checkpoint Timeline');
      await host
        .webview()
        .getByRole('heading', { name: /^Wave 1 ran at \d\d:\d\d\. Not measured since then\.$/ })
        .waitFor();
      assert.equal(await host.webview().locator('header .primary:visible').count(), 0);
      await host.screenshot(`just-switched-${way.short}-dark`);
      await host.webview().getByRole('button', { name: 'Roll back wave 1…' }).click();
      assert.match(await readReview(host), /^Set automatic checkpoints \(0 seconds\) on \d+ databases?\./);
    });

    it('puts everything back with the rollback twin', async () => {
      const rollback =
        (await host.documents()).find(({ text }) => text.startsWith('/* ROLLBACK:'))?.text ?? '';
      const printed = await runScript(toLogin(simulator), rollback);
      assert.match(printed.join('\n'), /\d+ changed, 0 failed; /);
      await host.runCommand('Checkpoint Health: Refresh');
      await serverRow().filter({ hasText: serverFigure }).waitFor();
    });

    it('sent no login that the server refused', () => {
      const { logins } = simulator.server.ledger;
      assert.ok(logins.length > 0);
      assert.deepEqual(
        logins.filter(({ error }) => error !== null),
        [],
      );
    });
  });
}

function toLogin({ host, port, administrator }: Simulator): Parameters<typeof runScript>[0] {
  return { host, port, ...administrator };
}

/** Waits until the session has run for long enough by the server's clock. */
async function waitForTracked({ server }: Simulator): Promise<void> {
  const startedUtcMs =
    server.ledger.sessionRuns.find((run) => run.sessionName === 'CheckpointHealth')?.startedUtcMs ?? 0;
  await server.clock.wait(Math.max(0, startedUtcMs + trackedMs - server.clock.nowUtcMs()));
}
