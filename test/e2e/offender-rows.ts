import type { FrameLocator } from 'playwright-core';
import type { Truth } from './ledger-truth';

/** What the offenders table shows, by database_id, once it has that many rows. */
export async function readOffenders(webview: FrameLocator, count: number): Promise<readonly Truth[]> {
  await webview.locator(`tr[data-database-id]:nth-child(${count})`).waitFor();
  const cells = await webview
    .locator('tr[data-database-id]')
    .evaluateAll((elements) =>
      elements.map((row) => [
        row.getAttribute('data-database-id'),
        ...['count', 'totalMs', 'maximumMs'].map((column) => row.querySelector(`[data-column="${column}"]`)?.getAttribute('data-value')),
      ]),
    );
  const shown = cells.map((row) => {
    const [databaseId = NaN, checkpoints = NaN, totalMs = NaN, maximumMs = NaN] = row.map(Number);
    return { databaseId, count: checkpoints, totalMs, maximumMs };
  });
  return shown.sort((a, b) => a.databaseId - b.databaseId);
}
