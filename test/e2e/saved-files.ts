/** Files that a user saves from the editor, and opens in it. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { eventually } from './eventually';
import type { Host } from './host';

/**
 * Types a path into the dialog that asks where to, as the editor in a browser has it.
 * @returns the name that it proposed
 */
export async function saveAs(host: Host, path: string): Promise<string> {
  mkdirSync(dirname(path), { recursive: true });
  const input = host.page.locator('.quick-input-widget:visible input[type=text]');
  await eventually(async () => assert.match(await input.inputValue(), /\.\w+$/));
  const proposed = basename(await input.inputValue());
  await typePath(host, path);
  await host.page
    .locator('.notification-list-item-message', { hasText: `${basename(path)} was saved.` })
    .waitFor();
  assert.ok(existsSync(path), `${path} was written`);
  return proposed;
}

/**
 * The dialog may still be listing its first folder, and then puts its own path back: type as a user does, look, type
 * again.
 */
export async function typePath({ page }: Host, path: string): Promise<void> {
  const box = page.locator('.quick-input-widget:visible');
  const input = box.locator('input[type=text]');
  await eventually(async () => {
    if (!(await box.isVisible())) return;
    await page.waitForTimeout(500);
    await input.press('ControlOrMeta+a');
    await page.keyboard.insertText(path);
    await page.waitForTimeout(700);
    assert.equal(await input.inputValue(), path);
    await input.press('Enter');
    await box.waitFor({ state: 'hidden', timeout: 3_000 });
  });
}

/** Opens a file of the workspace by a double-click in the Explorer. */
export async function openFromExplorer(host: Host, name: string): Promise<void> {
  await host.openViewContainer('Explorer');
  await host.page
    .locator('.explorer-folders-view .monaco-list-row')
    .getByText(name, { exact: true })
    .dblclick();
  await host.page.locator('.tab').getByText(name, { exact: true }).first().waitFor();
}
