/** Streams a million checkpoints into a capture and writes what it holds, at the end and at the peak, as JSON. Needs --expose-gc. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Capture, createCapture } from '../src/core/capture/capture';
import { BEGIN_UTC_MS, createEventRows, EVENT_MS } from './event-rows';

const PAGES = 2000;
const PAGE = 1000;

function readHeap(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
}

/** Rows of one page, moved on to the time and the numbers of another: making them anew would take longer than reading them. */
const template = createEventRows(PAGE, 500, 'own');
function createPage(page: number) {
  return template.map((row, i) => {
    const at = BEGIN_UTC_MS + (page * PAGE + i) * EVENT_MS;
    const eventData = (row.eventData ?? '')
      .replace(/timestamp="[^"]+"/, `timestamp="${new Date(at).toISOString()}"`)
      .replace(/-(\d+)<\/value><\/action><\/event>$/, `-${page * PAGE + i + 1}</value></action></event>`);
    return { ...row, eventData, fileOffset: String(page * 4096) };
  });
}

const readAll = (): number => readHeap() + process.memoryUsage().arrayBuffers;

/** A capture of so many pages, and the most that was held beyond the beginning while it grew. */
function stream(): { readonly capture: Capture; readonly peakBytes: number } {
  const capture = createCapture({ id: 'bench' });
  capture.append(createPage(0));
  capture.settle(BEGIN_UTC_MS);
  const base = { heap: readHeap(), buffers: process.memoryUsage().arrayBuffers };
  let [heapPeak, buffersPeak] = [0, 0];
  for (let page = 1; page < PAGES; page++) {
    capture.append(createPage(page));
    capture.settle(BEGIN_UTC_MS + (page * PAGE - 400) * EVENT_MS);
    // Before garbage is collected: while columns grow, old and new ones are there.
    buffersPeak = Math.max(buffersPeak, process.memoryUsage().arrayBuffers - base.buffers);
    if (page % 20 === 0) heapPeak = Math.max(heapPeak, readHeap() - base.heap);
  }
  capture.settle(Infinity);
  return { capture, peakBytes: heapPeak + buffersPeak };
}

/** Buffers are given back beside the program, some time after their last use: the first look finds most of them still there. */
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
  // What is given back when the capture goes is what it held; compiled code and the like stay.
  streamed = null;
  console.log(JSON.stringify({ heldBytes: withCapture - (await readAtRest()), peakBytes, checkpoints }));
}

void main();
