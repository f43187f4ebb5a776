import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { eventually } from './eventually';
import type { Truth } from './ledger-truth';

/**
 * Asserts that the databases table comes to show exactly this. The extension hands rows over in slices, so the pane can
 * have said that tracking ended before the last one is drawn.
 */
export async function assertDatabases(webview: FrameLocator, truth: readonly Truth[]): Promise<void> {
  await webview.getByRole('tab', { name: 'Databases' }).click();
  await eventually(async () => assert.deepEqual(await readDatabases(webview), truth));
  await webview.getByRole('tab', { name: 'Timeline' }).click();
}

/** What the databases table shows, by database_id. */
async function readDatabases(webview: FrameLocator): Promise<readonly Truth[]> {
  const cells = await webview
    .locator('#panel-databases tr[data-database-id]')
    .evaluateAll((elements) =>
      elements.map((row) => [
        row.getAttribute('data-database-id'),
        ...['count', 'totalMs', 'maximumMs'].map((column) =>
          row.querySelector(`[data-column="${column}"]`)?.getAttribute('data-value'),
        ),
      ]),
    );
  const shown = cells.map((row) => {
    const [databaseId = NaN, checkpoints = NaN, totalMs = NaN, maximumMs = NaN] = row.map(Number);
    return { databaseId, count: checkpoints, totalMs, maximumMs };
  });
  return shown.sort((a, b) => a.databaseId - b.databaseId);
}
