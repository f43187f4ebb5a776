/**
 * Streams a million checkpoints into a capture and writes the memory held at the end and at the peak, as JSON. Needs
 * --expose-gc.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Capture } from '../src/core/capture/capture';
import { streamCapture } from './event-pages';

const CHECKPOINTS = 1_000_000;

function readHeap(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
}

const readAll = (): number => readHeap() + process.memoryUsage().arrayBuffers;

/** The capture, and the most memory that it took while it grew. */
function stream(): { readonly capture: Capture; readonly peakBytes: number } {
  let base: { readonly heap: number; readonly buffers: number } | null = null;
  let [heapPeak, buffersPeak] = [0, 0];
  const capture = streamCapture(CHECKPOINTS, (page) => {
    base ??= { heap: readHeap(), buffers: process.memoryUsage().arrayBuffers };
    // Before garbage collection, because growing columns exist twice for a moment.
    buffersPeak = Math.max(buffersPeak, process.memoryUsage().arrayBuffers - base.buffers);
    if (page % 20 === 0) heapPeak = Math.max(heapPeak, readHeap() - base.heap);
  });
  return { capture, peakBytes: heapPeak + buffersPeak };
}

/**
 * Buffers are freed on another thread, some time after their last use, so the first reading still contains most of
 * them.
 */
async function readAtRest(): Promise<number> {
  let least = readAll();
  for (let looks = 0; looks < 10; looks++) {
    await sleep(50);
    least = Math.min(least, readAll());
  }
  return least;
}

async function main(): Promise<void> {
  let streamed: ReturnType<typeof stream> | null = stream();
  const { peakBytes } = streamed;
  const checkpoints = streamed.capture.columns.rows;
  const withCapture = await readAtRest();
  // What is freed with the capture is what it held; compiled code and the like stay.
  streamed = null;
  console.log(JSON.stringify({ heldBytes: withCapture - (await readAtRest()), peakBytes, checkpoints }));
}

void main();
