import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { vsixFile } from '../../tools/build/vsix';
import { root } from '../../tools/packages';
import { lookAfter, stopAtFailure } from './chain';
import { eventually } from './eventually';
import { type Host, startHost, themes } from './host';
import { openReviewedScripts } from './review-panel';
import { openFromExplorer } from './saved-files';

const SAMPLE = join(root, 'media/sample.checkpoints');

/** What each page of the sample says first. */
const PAGES: Readonly<Record<string, RegExp>> = {
  Databases: /Datum_Billing/,
  'Before / after': /^6 databases changed: 1,\d+ → 5\.\d seconds an hour in checkpoints\.$/,
  'I/O': /The one checkpoint task was busy \d+ %/,
  'Error log': /\d+ checkpoints took longer than the recovery interval/,
};

describe('The sample, in an editor without a server', function () {
  stopAtFailure(this);
  let host: Host;
  lookAfter(this, 'sample', () => host);

  before(async () => {
    host = await startHost({ vsixFiles: [vsixFile] });
  });

  it('opens with one click in the welcome of the pane at a wave, and shows a busy checkpoint task and its forecast', async () => {
    await host.openViewContainer('Checkpoint Health');
    await host.page.getByRole('button', { name: 'Explore a Sample' }).click();
    await host.webview().locator('tr[data-database-id]').first().waitFor();
    await host.webview().getByText('The checkpoint task is almost never free.').first().waitFor();
    await host
      .webview()
      .getByText(/^Forecast \(goal: under \d+ %\)$/)
      .first()
      .waitFor();
    await host.treeRows('Sample: SAMPLE-SQL07').waitFor();
    await host
      .webview()
      .getByText(/^At 12:0\d, 3 databases were changed\.$/)
      .first()
      .waitFor();
    assert.match(
      (await host.webview().locator('header').innerText()) ?? '',
      /14 d.*Saved capture, no server behind it.*none lost/s,
    );
  });

  it('offers nothing that needs a server', async () => {
    for (const name of ['Refresh', 'Start tracking'])
      assert.equal(await host.webview().getByRole('button', { name, exact: true }).count(), 0, name);
    await host.webview().getByText('no server behind it').first().waitFor();
  });

  it('shows the mornings of two weeks, and single checkpoints of the last one from near', async () => {
    const { mouse } = host.page;
    await host.webview().getByRole('button', { name: 'Fit', exact: true }).click();
    await host.webview().getByText('14 d 4 h').first().waitFor();
    await host.screenshot('sample-two-weeks-dark');
    const told = await host.webview().locator('.axis text').allTextContents();
    assert.ok(
      told.filter((text) => /^Mar \d+$/.test(text)).length > 4,
      `days, not gaps alone: ${told.join()}`,
    );
    // The end of the last morning, whose last half hour is then in view.
    await mouse.move(1_408, 500);
    for (let turn = 0; turn < 8; turn++) await mouse.wheel(0, -400);
    await host
      .webview()
      .getByText(/3\d min .*of 14 d/)
      .first()
      .waitFor();
  });

  // The dark one is that of the README, when it is to be made again.
  for (const theme of ['dark', 'light'] as const)
    it(`draws the timeline in the ${theme} theme`, async () => {
      await host.setTheme(theme);
      await host.webview().locator(`body.${themes[theme].webviewClass}`).waitFor();
      // Away from the rows, whose tooltips would lie over the picture.
      await host.page.mouse.move(300, 5);
      await host.page.waitForTimeout(1_000);
      await host.screenshot(`sample-timeline-${theme}`);
      const path = join(root, `artifacts/screenshots/readme-${theme}.png`);
      await host.page.screenshot({ path, clip: { x: 348, y: 94, width: 1092, height: 626 } });
    });

  for (const [name, says] of Object.entries(PAGES))
    it(`has something to say on the page ${name}`, async () => {
      await host.setTheme('dark');
      await host.webview().getByRole('tab', { name }).click();
      await host.webview().getByText(says).locator('visible=true').first().waitFor();
      await host.screenshot(`sample-${name.replace(/\W+/g, '-')}-dark`);
    });

  it('reviews the next wave, whose script stops on every other server', async () => {
    await host
      .webview()
      .getByRole('button', { name: /^Review wave 3/ })
      .click();
    await host.webview().getByRole('heading', { name: 'Wave 3: set 60 seconds on 3 databases.' }).waitFor();
    await host.webview().locator('p.why').waitFor();
    await host.webview().getByText('SWITCH: 3 databases on SAMPLE-SQL07').first().waitFor();
    await host.screenshot('sample-review-dark');
    await openReviewedScripts(host);
    await eventually(async () => {
      const scripts = (await host.documents())
        .map(({ text }) => text)
        .filter((text) => /^\/\* (SWITCH|ROLLBACK): /.test(text));
      assert.equal(scripts.length, 2);
      for (const text of scripts) assert.match(text, /NOT IN \(N'SAMPLE-SQL07'\)/);
    });
  });

  it('opens like any saved capture, also from the workspace', async () => {
    copyFileSync(SAMPLE, join(host.vscode.workspaceFolder, 'of a colleague.checkpoints'));
    await openFromExplorer(host, 'of a colleague.checkpoints');
    await host.webview().getByText('The checkpoint task is almost never free.').first().waitFor();
  });
});
