/**
 * Side by side in one process, interleaved: event text to events by our reader and by an XML library; whole rows to checkpoints; figures
 * of a million checkpoints. CPU time, medians; only ratios compare across machines. Run: npx tsx bench/events.ts
 */
import { SaxesParser } from 'saxes';
import { createCapture } from '../src/core/capture/capture';
import { CheckpointStore } from '../src/core/capture/checkpoint-store';
import type { EventRow } from '../src/core/capture/event';
import { readEvent } from '../src/core/capture/event-xml';
import { computeBusyShare, computeStatistics } from '../src/core/evidence/statistics';

const EVENTS = 40_000;
const ROUNDS = 7;
const BEGIN_UTC_MS = Date.UTC(2026, 0, 5, 10);

function createRows(events: number): EventRow[] {
  return Array.from({ length: events }, (_, i) => {
    const databaseId = 5 + (Math.floor(i / 2) % 400);
    const name = i % 2 === 0 ? 'checkpoint_begin' : 'checkpoint_end';
    const timestamp = new Date(BEGIN_UTC_MS + i * 40).toISOString();
    const data = `<data name="database_id"><value>${databaseId}</value></data>`;
    const activity = `<action name="attach_activity_id" package="package0"><value>770C3538-EC3F-4A27-86A9-31A2FC777DBC-${i + 1}</value></action>`;
    const eventData = `<event name="${name}" package="sqlserver" timestamp="${timestamp}">${data}${activity}</event>`;
    // One flat string, as a driver makes it; a concatenated one is slower to walk.
    const flat = Buffer.from(eventData, 'latin1').toString('latin1');
    return { objectName: name, eventData: flat, fileName: 'CheckpointHealth_0_132.xel', fileOffset: String(Math.floor(i / 100) * 4096) };
  });
}

function readWithSaxes(rows: readonly EventRow[]): number {
  let read = 0;
  for (const row of rows) {
    let element = '';
    let field = '';
    const values: Record<string, string> = {};
    const parser = new SaxesParser();
    parser.on('opentag', (tag) => {
      element = tag.name;
      if (element !== 'value' && element !== 'type' && element !== 'text') field = `${element} ${tag.attributes.name}`;
    });
    parser.on('text', (text) => {
      if (element === 'value') values[field] = (values[field] ?? '') + text;
    });
    parser.write(row.eventData ?? '').close();
    if (values['data database_id']) read++;
  }
  return read;
}

function readWithOurs(rows: readonly EventRow[]): number {
  let read = 0;
  for (const row of rows) if (readEvent(row).kind !== 'malformed') read++;
  return read;
}

function captureRows(rows: readonly EventRow[]): number {
  const capture = createCapture({ id: 'bench' });
  for (let from = 0; from < rows.length; from += 1000) {
    capture.append(rows.slice(from, from + 1000));
    capture.settle(BEGIN_UTC_MS + (from + 500) * 40);
  }
  capture.settle(Infinity);
  return capture.columns.rows * 2;
}

function computeMillion(): () => number {
  const store = new CheckpointStore();
  for (let i = 0; i < 1_000_000; i++) store.append(BEGIN_UTC_MS + i * 80, (i * 48271) % 60_000, (i * 16807) % 500);
  const columns = store.columns();
  const window = { beginUtcMs: BEGIN_UTC_MS, endUtcMs: BEGIN_UTC_MS + 1e9 };
  const observation = {
    ...window,
    gaps: [{ kind: 'events lost' as const, beginUtcMs: BEGIN_UTC_MS + 5000, endUtcMs: BEGIN_UTC_MS + 9000, reason: 'bench' }],
  };
  return () => computeStatistics(columns, 500, window, observation).length + (computeBusyShare(columns, window, observation) ?? 0);
}

function measureCpuMs(work: () => number): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const rows = createRows(EVENTS);
const contenders: Readonly<Record<string, () => number>> = {
  'event text, our walk': () => readWithOurs(rows),
  'event text, saxes': () => readWithSaxes(rows),
  'rows to checkpoints, all of it': () => captureRows(rows),
  'figures of 1,000,000 checkpoints of 500 databases': computeMillion(),
};
const times = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, work] of Object.entries(contenders)) times.get(name)?.push(measureCpuMs(work));
}
const medianOf = (name: string): number => (times.get(name) ?? []).sort((a, b) => a - b)[ROUNDS >> 1] ?? NaN;
const ours = medianOf('event text, our walk');
for (const name of times.keys()) {
  const median = medianOf(name);
  const perEvent = name.startsWith('figures') ? '' : `  ${Math.round((median * 1e6) / EVENTS)} ns an event`;
  console.log(`${name.padEnd(52)} ${median.toFixed(0).padStart(6)} ms  x ${(median / ours).toFixed(1).padStart(5)}${perEvent}`);
}
