import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { type Host, themes } from './host';

/** Goes through the dashboard's pages of evidence and back to the timeline. @param database one that is tracked and has had checkpoints */
export async function lookAtEvidence(host: Host, database: string): Promise<void> {
  const tab = (name: string): Locator => host.webview().getByRole('tab', { name });
  const panel = (): Locator => host.webview().getByRole('tabpanel').filter({ visible: true });
  await tab('I/O').click();
  const instance = panel().locator('section').filter({ hasText: 'Pages written by the instance' });
  // A first sample gives no figure, and of the simulator's fast clock few are near enough to the one before.
  await instance.locator('tbody tr').filter({ hasText: 'Checkpoint pages' }).waitFor({ timeout: 60_000 });
  await panel().locator('tr[data-database-id]').filter({ hasText: database }).first().waitFor();
  assert.match((await panel().textContent()) ?? '', /The one task of automatic checkpoints was busy/);
  // The user's own theme comes last.
  for (const theme of ['light', 'highContrast', 'highContrastLight', 'dark'] as const) {
    await host.setTheme(theme);
    await host.webview().locator(`body.${themes[theme].webviewClass}`).waitFor();
    await host.screenshot(`evidence-io-${theme}`);
  }
  await tab('Error log').click();
  await panel().getByText('FlushCache messages').first().waitFor();
  assert.match((await panel().textContent()) ?? '', /Read by xp_readerrorlog/);
  await host.screenshot('evidence-error-log');
  await tab('Before / after').click();
  await panel()
    .getByText(/Changes of target recovery time|Each database before and after/)
    .first()
    .waitFor();
  await host.screenshot('evidence-before-after');
  await tab('Timeline').click();
}
