/** Files that a user saves from the editor, and what programs outside of it find in them. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { inflateSync } from 'node:zlib';
import { SaxesParser } from 'saxes';
import { eventually } from './eventually';
import type { Host } from './host';

/** Types a path into the dialog that asks where to, as the editor in a browser has it. @returns the name that it proposed */
export async function saveAs(host: Host, path: string): Promise<string> {
  mkdirSync(dirname(path), { recursive: true });
  const input = host.page.locator('.quick-input-widget:visible input[type=text]');
  await eventually(async () => assert.match(await input.inputValue(), /\.\w+$/));
  const proposed = basename(await input.inputValue());
  await typePath(host, path);
  await host.page.locator('.notification-list-item-message', { hasText: `${basename(path)} was saved.` }).waitFor();
  assert.ok(existsSync(path), `${path} was written`);
  return proposed;
}

/** Chooses a file by its path in the dialog that asks which. */
export async function openPath(host: Host, path: string): Promise<void> {
  const input = host.page.locator('.quick-input-widget:visible input[type=text]');
  await eventually(async () => assert.match(await input.inputValue(), /\//));
  await typePath(host, path);
}

/** The dialog may still be listing its first folder, and then puts its own path back: type as a user does, look, type again. */
async function typePath({ page }: Host, path: string): Promise<void> {
  const box = page.locator('.quick-input-widget:visible');
  const input = box.locator('input[type=text]');
  for (let attempt = 1; attempt <= 4 && (await box.isVisible()); attempt++) {
    await page.waitForTimeout(500);
    await input.press('ControlOrMeta+a');
    await page.keyboard.insertText(path);
    await page.waitForTimeout(700);
    if ((await input.inputValue()) !== path) continue;
    await input.press('Enter');
    await box.waitFor({ state: 'hidden', timeout: 3_000 }).catch(() => undefined);
  }
  await box.waitFor({ state: 'hidden', timeout: 3_000 });
}

/** Opens a file of the workspace by a double-click in the Explorer. */
export async function openFromExplorer(host: Host, name: string): Promise<void> {
  await host.openViewContainer('Explorer');
  await host.page.locator('.explorer-folders-view .monaco-list-row').getByText(name, { exact: true }).dblclick();
  await host.page.locator('.tab').getByText(name, { exact: true }).first().waitFor();
}

/** One may come while the others go. What still goes on cannot be cleared. */
export async function clearNotifications(host: Host): Promise<void> {
  await eventually(async () => {
    await host.runCommandById('notifications.clearAll');
    await host.page.waitForTimeout(150);
    assert.deepEqual(
      (await host.notifications()).filter((text) => !/Connecting to /.test(text)),
      [],
    );
  });
}

interface PngPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Values of pixels that differ. */
  readonly colours: number;
}

/** Takes a PNG apart: one of 8 bits a channel, without interlacing. @throws where it is none, or is cut */
export function readPng(bytes: Buffer): PngPicture {
  assert.equal(bytes.subarray(0, 8).toString('hex'), '89504e470d0a1a0a');
  const data: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  const [widthPx, heightPx] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const channels = { 2: 3, 6: 4 }[bytes[25]!] ?? assert.fail(`colour type ${bytes[25]}`);
  assert.deepEqual([bytes[24], bytes[28]], [8, 0]);
  const pixels = inflateSync(Buffer.concat(data));
  assert.equal(pixels.length, (widthPx * channels + 1) * heightPx, 'it is whole');
  const seen = new Set<number>();
  for (let at = 1; at + 4 <= pixels.length; at += channels) seen.add(pixels.readUInt32LE(at));
  return { widthPx, heightPx, colours: seen.size };
}

/** How often each element is in an XML text. @throws where it is not well-formed */
export function countElements(xml: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => counts.set(name, (counts.get(name) ?? 0) + 1));
  parser.write(xml).close();
  return counts;
}

/** Reads RFC 4180 as a program does that takes cells for texts: rows by the names of their columns. */
export function readCsv(text: string): readonly Readonly<Record<string, string>>[] {
  assert.ok(text.startsWith('\uFEFF'), 'it says that it is UTF-8');
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)!.push(quoted === undefined ? (plain ?? '') : quoted.replace(/""/g, '"'));
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  const [columns = [], ...cells] = rows;
  assert.deepEqual(cells.pop(), [''], 'the last line is ended');
  return cells.map((row) => {
    assert.equal(row.length, columns.length);
    return Object.fromEntries(columns.map((column, at) => [column, row[at]!]));
  });
}

export const readText = (path: string): string => readFileSync(path, 'utf8');
