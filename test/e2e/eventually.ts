import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright-core';

/** How long the page may take to show what was done. */
const REACTION_MS = 10_000;

/** Asserts again and again until it holds. */
export async function eventually(check: () => Promise<void>, timeoutMs = REACTION_MS): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
    }
    await sleep(50);
  }
}

/** Whether it comes on screen within that time. */
export const appears = (locator: Locator, timeoutMs: number): Promise<boolean> =>
  locator.waitFor({ timeout: timeoutMs }).then(
    () => true,
    () => false,
  );
