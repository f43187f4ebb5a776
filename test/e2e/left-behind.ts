import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { findSecrets, findSecretsBelow, testSecrets } from '../secret-search';

/** Passwords of a real server that a test was given. */
const givenSecrets = ['LIVE_SQL_PASSWORD'].flatMap((name) => process.env[name] ?? []);

/**
 * Where an editor does not write but is written to, or may hold a password: what is installed; a browser's own profile,
 * whose storage is searched through the page; and mssql's own settings, where that extension, or its stand-in, keeps
 * what it was given.
 */
const LEFT_OUT = /^(extensions|browser|tmp\/(?!.*checkpoint))(\/|$)|^workspace\/\.vscode\/settings\.json$/;

/** Our code, where an error of the browser or of the extension host names it. */
const OURS = /checkpoint-health|checkpointhealth/i;
const VIOLATION = /content security policy|refused to (?:load|execute|apply|connect|frame|run)/i;

/**
 * Notes all that a page says, and of that what it should not say: errors of our own code, what a content security
 * policy forbade in our webviews, and uncaught errors.
 */
export function watchPage(page: Page, said: string[], noted: string[]): void {
  page.on('console', (message) => {
    const text = `${message.text()} (${message.location().url})`;
    said.push(text);
    if (message.type() === 'error' && (OURS.test(text) || (VIOLATION.test(text) && /webview/.test(text))))
      noted.push(text);
  });
  page.on('pageerror', (error) => {
    if (OURS.test(`${error.message} ${error.stack ?? ''}`) || /webview/.test(error.stack ?? ''))
      noted.push(String(error.stack));
  });
}

/**
 * What a run left behind that it should not: a password in any file, in the storage of the page or in a log, and errors
 * of ours that nobody caught.
 */
export async function listLeftBehind(
  folder: string,
  page: Page,
  log: string,
  said: readonly string[],
): Promise<readonly string[]> {
  const secrets = [...testSecrets, ...givenSecrets];
  const stored = await readStorage(page);
  return [
    ...(await findSecretsBelow(folder, secrets, (path) => LEFT_OUT.test(path))),
    ...(await findSecrets('storage of the page', stored, secrets)),
    ...(await findSecrets('log of the editor', log, secrets)),
    ...(await findSecrets('console', said.join('\n'), secrets)),
    ...listUncaught(join(folder, 'data', 'data', 'logs'), OURS),
  ];
}

/** All that the page stores, but for the one entry where the editor encrypts its secrets. */
async function readStorage(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    const local = Object.entries(localStorage).filter(([key]) => key !== 'secrets.provider');
    const stored: unknown[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(new Error(name));
      });
      for (const store of database.objectStoreNames) {
        const values = await new Promise<unknown[]>((resolve, reject) => {
          const reading = database.transaction(store).objectStore(store).getAll();
          reading.onsuccess = () => resolve(reading.result);
          reading.onerror = () => reject(new Error(store));
        });
        stored.push(
          ...values.map((value) => (value instanceof Uint8Array ? new TextDecoder().decode(value) : value)),
        );
      }
      database.close();
    }
    return JSON.stringify([local, stored]);
  });
}

/** Lines of the extension host's logs that tell of an error that nobody caught, in code that these words name. */
export function listUncaught(folder: string, whose: RegExp): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listUncaught(path, whose);
    if (!/exthost/.test(entry.name)) return [];
    const lines = readFileSync(path, 'utf8').split(/\n(?=\d{4}-\d\d-\d\d )/);
    return lines
      .filter((line) => /\[error\]|not handled within|unhandled/i.test(line) && whose.test(line))
      .map((line) => `${entry.name}: ${line}`);
  });
}
