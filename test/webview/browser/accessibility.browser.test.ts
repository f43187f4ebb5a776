import assert from 'node:assert/strict';
import type { ToWebview } from '../../../src/protocol';
import type { PageId } from '../../../src/webview/model/view-state';
import { findAccessibilityFaults } from '../accessibility';
import { FAKE_GAP, FAKE_SERVER, fakeCheckpoints, fakeDatabases, fakeMessages, fakeTracking } from '../fake-capture';
import { fakeEvidence, fakeWriteWork } from '../fake-evidence';
import { useBrowser } from '../page';

/** Few databases: axe looks at every cell, and one row is like the other. */
const MESSAGES: readonly ToWebview[] = [
  ...fakeMessages(fakeDatabases(400, 12), fakeCheckpoints(12, FAKE_GAP).slice(0, 300)),
  { type: 'evidence', evidence: fakeEvidence(fakeWriteWork(12)) },
];
const PAGES: readonly PageId[] = ['timeline', 'beforeAfter', 'writeWork', 'errorLog'];

describe('The dashboard in a browser, as axe sees it', function () {
  this.timeout(60_000);
  const openPage = useBrowser();

  for (const theme of ['dark', 'high-contrast-light'] as const) {
    it(`has no fault in the theme ${theme}`, async () => {
      const opened = await openPage({ theme, messages: MESSAGES, state: { selectedDatabaseId: 8 } });
      for (const id of theme === 'dark' ? PAGES : (['timeline', 'errorLog'] as const)) {
        await opened.page.locator(`#tab-${id}`).click();
        await opened.settle();
        assert.deepEqual(await findAccessibilityFaults(opened), [], id);
      }
    });
  }

  it('has no fault where it is narrow or zoomed to 200 %', async () => {
    for (const [page, size] of [
      ['timeline', { width: 400, height: 800 }],
      ['errorLog', { width: 640, height: 440, pixelRatio: 2 }],
    ] as const) {
      const opened = await openPage({ ...size, messages: MESSAGES, state: { page } });
      assert.deepEqual(await findAccessibilityFaults(opened), [], page);
    }
  });

  it('has no fault where there is nothing to show', async () => {
    const obstacle = { brief: 'needs X', missing: ['X'], sentence: 'Tracking needs X.', grant: `GRANT X TO [${'reader'.repeat(20)}];` };
    const idle = fakeTracking(0, { state: 'not tracking', observation: null, obstacle });
    const opened = await openPage({
      messages: [
        { type: 'server', server: FAKE_SERVER },
        { type: 'tracking', tracking: idle },
      ],
    });
    for (const id of ['timeline', 'writeWork']) {
      await opened.page.locator(`#tab-${id}`).click();
      await opened.settle();
      assert.deepEqual(await findAccessibilityFaults(opened), [], id);
    }
  });
});
