/** What a browser has cost so far: CPU time of all its processes, memory of its renderers. */
import { readFile } from 'node:fs/promises';
import type { CDPSession } from 'playwright-core';

/** CPU time of all processes of the browser since they started, in milliseconds. */
async function readCpuMs(browser: CDPSession): Promise<number> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
}

/** The same, after the drawing has reached the screen and the processes rest. */
export async function readCpuAtRestMs(browser: CDPSession): Promise<number> {
  for (let before = await readCpuMs(browser); ;) {
    await new Promise((resolve) => setTimeout(resolve, RESTS_MS));
    const now = await readCpuMs(browser);
    if (now - before < RESTS_MS * BUSY_SHARE) return now;
    before = now;
  }
}

const RESTS_MS = 250;
const BUSY_SHARE = 0.15;

/**
 * Memory that only the renderers use, in bytes, after garbage collection. null if the system does not tell (read from
 * Linux's /proc).
 */
export async function readRendererBytes(browser: CDPSession, page: CDPSession): Promise<number | null> {
  for (let pass = 0; pass < 2; pass++) await page.send('HeapProfiler.collectGarbage');
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  const sizes = await Promise.all(renderers.map(({ id }) => readPrivateBytes(id)));
  return sizes.some((size) => size === null) ? null : sizes.reduce<number>((sum, size) => sum + size!, 0);
}

async function readPrivateBytes(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => null);
  return text === null
    ? null
    : [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)].reduce(
        (sum, [, kb]) => sum + Number(kb) * 1024,
        0,
      );
}

/** Time of running script in the page so far, in milliseconds of the clock chosen for the page's measures. */
export async function readScriptMs(page: CDPSession): Promise<number> {
  const { metrics } = await page.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? NaN) * 1000;
}
