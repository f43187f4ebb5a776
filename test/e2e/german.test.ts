import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { vsixFile } from '../../tools/build/vsix';
import { lookAfter, stopAtFailure } from './chain';
import { type Host, startHost } from './host';
import { createEnglishFinder, listTexts, readTexts } from '../webview/in-language';

const texts = readTexts('de') ?? {};

describe('The sample, in an editor in German', function () {
  stopAtFailure(this);
  let host: Host;
  lookAfter(this, 'german', () => host);

  before(async () => {
    host = await startHost({ vsixFiles: [vsixFile], language: 'de' });
  });

  /**
   * Nothing in English, and numbers with a comma. The T-SQL of a preview is not looked at: colleagues may use another
   * language.
   */
  async function assertGerman(): Promise<void> {
    const body = await host.webview().locator('body').elementHandle();
    const shown = await listTexts({ page: (await body?.ownerFrame()) as Frame });
    const findEnglish = createEnglishFinder(texts, []);
    assert.deepEqual(findEnglish([...shown, ...(await host.treeRows().allInnerTexts())]), []);
    assert.ok(shown.some((line) => /\d,\d (%|s|ms|GB)/.test(line)));
    assert.deepEqual(
      shown.filter((line) => /\d\.\d ?(%|s|ms|GB)(?!\w)/.test(line)),
      [],
    );
  }

  it('is German in the pane, in the dashboard and in a review, with a comma in its numbers; its script is in English', async () => {
    await host.openViewContainer('Checkpoint Health');
    await host.page.getByRole('button', { name: 'Beispiel ansehen' }).click();
    await host.webview().getByText('Der Checkpoint-Task ist fast nie frei.').first().waitFor();
    await host.webview().locator('tr[data-database-id]').first().waitFor();
    await assertGerman();
    await host.treeRows(/SAMPLE-SQL07.*88 % ausgelastet/s).waitFor();
    await host.treeRows(/BestForYou_ERP.*8,3 %/s).waitFor();
    await host
      .webview()
      .getByRole('button', { name: /^Welle 3 prüfen/ })
      .click();
    await host.webview().getByText('Welle 3: 60 Sekunden für 3 Datenbanken setzen.').first().waitFor();
    await host.webview().getByText('SWITCH: 3 databases on SAMPLE-SQL07').first().waitFor();
    await assertGerman();
    await host.screenshot('german-review');
  });
});
