/** Writes a site's checkpoints as the rows of a server, and lets the product read them into a capture. */
import type { Facts } from '../../src/core/advice/facts';
import { type Capture, createCapture } from '../../src/core/capture/capture';
import { createCatalog } from '../../src/core/capture/catalog';
import { finishSteps } from '../../src/core/steps';
import type { EventRow } from '../../src/core/events/event';
import { writeCaller, writeEventRow } from '../../test/core/events/event-rows';
import type { Site, SiteCheckpoint } from './site';

const ROWS_A_READ = 1_024;
/** The longest time between a look at the server and the moment when its clock was moved. */
const LOOKS_APART_MS = 30_000;

/** null if this server may not record. */
export function captureOfSite(site: Site, facts: Facts): Capture | null {
  if (!site.server.canRecord) return null;
  const { observedFromMs, observedToMs, gaps, clockBack, checkpoints, inTaskOrder } = site;
  const capture = createCapture({ id: site.name });
  capture.observe(observedFromMs, observedToMs);
  for (const [beginUtcMs, endUtcMs] of gaps)
    capture.addGap({ kind: 'session stopped', beginUtcMs, endUtcMs, reason: 'The session was stopped.' });
  if (clockBack !== null) {
    const beginUtcMs = clockBack.atMs - clockBack.byMs - LOOKS_APART_MS;
    const endUtcMs = Math.min(observedToMs, clockBack.atMs + LOOKS_APART_MS);
    capture.addGap({
      kind: 'clock moved back',
      beginUtcMs,
      endUtcMs,
      reason: "The server's clock was moved back.",
    });
  }
  finishSteps(
    capture.nameDatabases(createCatalog(facts.databases, observedFromMs, facts.server.utcOffsetMinutes)),
  );
  if (!site.notRecorded) {
    const isOrdered = inTaskOrder || clockBack !== null;
    read(capture, site, isOrdered ? checkpoints : [...checkpoints].sort((a, b) => a[1] - b[1]), !isOrdered);
  }
  capture.settle(Infinity);
  return capture;
}

/** @param mayPair true if no later row is older than the begin of the next checkpoint */
function read(capture: Capture, site: Site, checkpoints: readonly SiteCheckpoint[], mayPair: boolean): void {
  const isRecorded = createRecorded(site);
  const tasks = new Tasks(site.taskOfCause);
  let rows: EventRow[] = [];
  for (const [databaseId, beginMs, endMs, cause] of checkpoints) {
    const task = tasks.take(cause, beginMs, endMs);
    const isSystem = cause === 'automatic' || cause === 'indirect';
    const actions = site.recordsCaller
      ? writeCaller(isSystem, (isSystem ? 5 : 50) + (task?.number ?? 0))
      : '';
    if (isRecorded(beginMs))
      rows.push(
        writeEventRow({ kind: 'begin', databaseId, at: beginMs, activity: task?.next() ?? null, actions }),
      );
    if (isRecorded(endMs))
      rows.push(
        writeEventRow({ kind: 'end', databaseId, at: endMs, activity: task?.next() ?? null, actions }),
      );
    if (rows.length < ROWS_A_READ) continue;
    capture.append(rows);
    if (mayPair) capture.settle(beginMs);
    rows = [];
  }
  capture.append(rows);
}

/** Whether an event at that time was recorded: in the observed time and in no gap. */
function createRecorded({ observedFromMs, observedToMs, gaps }: Site): (atMs: number) => boolean {
  return (atMs) =>
    atMs >= observedFromMs && atMs <= observedToMs && !gaps.some(([from, to]) => atMs >= from && atMs < to);
}

/** One task, with its own count of events. */
class Task {
  private events = 0;
  freeMs = -Infinity;

  constructor(readonly number: number) {}

  next(): string {
    return `770C3538-EC3F-4A27-86A9-${this.number.toString(16).toUpperCase().padStart(12, '0')}-${++this.events}`;
  }
}

/**
 * Decides which task runs a checkpoint. A task runs one at a time, so an overlapping checkpoint gets another task of
 * the same kind.
 */
class Tasks {
  private readonly byName = new Map<string, Task[]>();
  private count = 0;

  constructor(private readonly ofCause: Site['taskOfCause']) {}

  /** null if the session has no activity ids. */
  take(cause: SiteCheckpoint[3], beginMs: number, endMs: number): Task | null {
    if (this.ofCause === null) return null;
    const name = this.ofCause[cause] ?? `whoever asks for ${cause}`;
    const tasks = this.byName.get(name) ?? [];
    this.byName.set(name, tasks);
    let task = cause === 'automatic' ? tasks[0] : tasks.find(({ freeMs }) => freeMs <= beginMs);
    if (task === undefined) tasks.push((task = new Task(++this.count)));
    task.freeMs = endMs;
    return task;
  }
}
