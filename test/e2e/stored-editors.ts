import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from './eventually';

/**
 * Waits until the states that the web workbench stored of its panels have each of these parts, as JSON.
 * @throws Error with what it has instead
 */
export async function waitUntilStored(page: Page, parts: readonly string[]): Promise<void> {
  if (parts.length === 0) return;
  await eventually(async () => {
    await page.evaluate(loseFocus);
    const text = await page.evaluate(readStoredEditors);
    for (const part of parts)
      assert.ok(text.includes(part), `the editor did not store ${part}; it has ${text}`);
  });
}

/**
 * Runs in the workbench's page, as when the user turns to another window: then the editor stores at once, else only
 * when it is idle.
 */
async function loseFocus(): Promise<void> {
  document.hasFocus = () => false;
  window.dispatchEvent(new Event('blur'));
  await new Promise((resolve) => setTimeout(resolve, 500));
  delete (document as Partial<Document>).hasFocus;
  window.dispatchEvent(new Event('focus'));
}

/** Runs in the workbench's page: what it stored of its editors, the states of panels in it without their escapes. */
async function readStoredEditors(): Promise<string> {
  const texts: string[] = [];
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const opening = indexedDB.open(name);
    await new Promise((resolve, reject) => Object.assign(opening, { onsuccess: resolve, onerror: reject }));
    const reading = opening.result
      .transaction('ItemTable')
      .objectStore('ItemTable')
      .get('memento/workbench.parts.editor');
    await new Promise((resolve, reject) => Object.assign(reading, { onsuccess: resolve, onerror: reject }));
    texts.push(String(reading.result).replaceAll('\\', ''));
    opening.result.close();
  }
  return texts.join();
}
