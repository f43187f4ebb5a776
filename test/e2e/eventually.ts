import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright-core';

/**
 * How long an editor may take to start, or to show what was done. A slow machine needs more than a minute to start one
 * (docs/libraries.md, VS Code from npm).
 */
export const REACTION_MS = 120_000;

/** Asserts again and again until it holds. @returns what it gives */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const deadlineMs = Date.now() + REACTION_MS;
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
