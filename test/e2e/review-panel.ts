/** The review of scripts as a user goes through it. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { listSwitched } from '../core/script/read-literal';
import { eventually } from './eventually';
import type { Host } from './host';

/** A button of the review that can be pressed now. */
export function reviewButton(host: Host, name: string): Locator {
  return host.webview().locator('button:not([aria-disabled="true"])', { hasText: name });
}

/** The button that opens what is reviewed, where it can be pressed now. */
function openButton(host: Host): Locator {
  return host.webview().locator('button.primary:not([aria-disabled="true"])');
}

/** Waits until the review is planned, and gives the sentence that sums it up. */
export async function readReview(host: Host): Promise<string> {
  await reviewButton(host, 'Read again').waitFor();
  return (await host.webview().locator('.review-title').textContent()) ?? '';
}

/** Asks for everything in one wave, so that there is one script. */
export async function askForOneWave(host: Host): Promise<void> {
  for (const field of ['First wave', 'then'])
    await host.webview().getByLabel(field, { exact: true }).fill('');
  await openButton(host).filter({ hasText: 'Open script and rollback' }).waitFor();
}

/** Looks at the review until it is planned, and opens its scripts. @returns the sentence that sums it up */
export async function openReviewedScripts(host: Host): Promise<string> {
  await openButton(host).waitFor();
  const sentence = await readReview(host);
  await openButton(host).click();
  return sentence;
}

/** Brings the review to the front again, from behind what it opened. */
export async function showReview(host: Host): Promise<void> {
  await host.page.locator('.tab').filter({ hasText: 'Review scripts' }).click();
  await readReview(host);
}

/** Asks for a script and gives the databases that it lists, then those of its rollback. */
export async function readScripts(
  host: Host,
  ask: () => Promise<void>,
): Promise<readonly (readonly string[])[]> {
  const before = new Set((await host.documents()).map(({ uri }) => uri));
  await ask();
  await openReviewedScripts(host);
  return eventually(async () => {
    const texts = (await host.documents()).filter(({ uri }) => !before.has(uri)).map(({ text }) => text);
    return ['SWITCH', 'ROLLBACK'].map((kind) => {
      const opened = texts.find((text) => text.startsWith(`/* ${kind}: `));
      return listSwitched(opened ?? assert.fail(`no ${kind} was opened, but ${texts.length} documents`));
    });
  });
}
