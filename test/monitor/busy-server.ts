import { createRandom } from '../../simulator/scenarios/random';
import { ConnectionError, type ResultSet } from '../../src/hosts/host';
import type { TrueCheckpoint } from '../core/capture/histories';
import { type FakeEvent, FakeServer } from './fake-server';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const UTC_OFFSET_MS = 60 * MINUTE_MS;
/** How long an event lies in a buffer at most, and how many a buffer holds. */
const LATENCY_MS = 5_000;
const BUFFER_EVENTS = 20;
const BUFFER_BYTES = 512;
const FILES_KEPT = 5;
/** Events lie on a grid of its own after each change of the clock: no two of a time that the clock goes through twice are at the same millisecond. */
const GRID_MS = 16;
/** One event of this many comes damaged. */
const DAMAGED_EVERY = 4_999;

export interface Load {
  readonly databases: number;
  readonly checkpointsADay: number;
  readonly days: number;
  readonly seed: number;
}

/** One database: it has one checkpoint after the other. */
interface Work {
  readonly id: number;
  readonly meanMs: number;
  /** When its checkpoint begins, or ends. */
  dueMs: number;
  /** By the server's clock; null: none is running. */
  beganUtcMs: number | null;
  isDamaged: boolean;
}

/** One that comes damaged has no time of its own. */
interface HappenedEvent extends Pick<FakeEvent, 'kind' | 'databaseId' | 'at'> {
  readonly atMs: number;
}

/** A fake server whose databases have checkpoints while time passes, with files that roll over, and with levers for what goes wrong. */
export class BusyServer extends FakeServer {
  /** What happened, whoever saw it. Made at once in full size, so that it does not grow beside what is measured. */
  private readonly truth;
  /** Different events that were given to a reader; those that came damaged. */
  served = 0;
  damaged = 0;
  private readonly isServed: Uint8Array;
  private readonly random;
  private readonly works: readonly Work[];
  private readonly eventsAFile: number;
  private buffered: (HappenedEvent & { readonly sequence: number })[] = [];
  private readonly startMs: number;
  private clockMs = 0;
  private sequence = 0;
  private offset = 0;
  private filesBegun = 0;
  private inFile = 0;
  private losing = 0;

  constructor(
    private readonly nowMs: () => number,
    { databases, checkpointsADay, days, seed }: Load,
  ) {
    super();
    this.random = createRandom(seed, 0);
    this.startMs = nowMs();
    const most = Math.ceil(1.2 * checkpointsADay * days) + databases;
    const [beginUtcMs, durationMs, databaseId] = [new Float64Array(most), new Uint32Array(most), new Uint16Array(most)];
    this.truth = { rows: 0, beginUtcMs, durationMs, databaseId };
    this.isServed = new Uint8Array(2 * most);
    this.eventsAFile = Math.ceil((2 * checkpointsADay * 10 * MINUTE_MS) / DAY_MS);
    this.works = Array.from({ length: databases }, (_, at) => {
      const meanMs = (databases * DAY_MS) / checkpointsADay / (0.5 + at / databases);
      return { id: 5 + at, meanMs, dueMs: this.startMs + meanMs * this.random.unit(), beganUtcMs: null, isDamaged: false };
    });
    this.databases = this.works.map(({ id }) => ({ id, name: `Database ${id}`, target: '0' }));
    this.roll();
  }

  protected override async answerAll(text: string): Promise<readonly ResultSet[]> {
    this.catchUp();
    this.forgetRead(text);
    // What was asked would grow without end.
    this.asked.length = this.texts.length = 0;
    const sets = await super.answerAll(text);
    // A session that is stopped writes what it holds.
    if (!this.isRunning) this.flush(Infinity);
    return sets.map((set) => (set.columns.includes('event_data') ? this.serve(set) : set));
  }

  /** Lets everything happen up to now. What a lever changes holds from then on. */
  catchUp(): void {
    const nowMs = this.nowMs();
    const happened: HappenedEvent[] = [];
    for (const work of this.works) while (work.dueMs <= nowMs) this.goOn(work, happened);
    happened.sort((a, b) => a.atMs - b.atMs);
    const lost = happened.splice(0, this.losing);
    this.losing -= lost.length;
    this.droppedEvents += lost.length;
    for (const event of happened) this.buffered.push({ ...event, sequence: ++this.sequence });
    this.flush(nowMs - LATENCY_MS);
    this.nowUtc = writeTime(this.nowUtcMs);
  }

  private get nowUtcMs(): number {
    return this.nowMs() + this.clockMs;
  }

  private goOn(work: Work, happened: HappenedEvent[]): void {
    const { id, dueMs, beganUtcMs } = work;
    const atUtcMs = Math.round(dueMs / GRID_MS) * GRID_MS + this.clockMs;
    const isDamaged = this.random.unit() < 1 / DAMAGED_EVERY;
    const kind = beganUtcMs === null ? 'begin' : 'end';
    if (this.isRunning) happened.push({ kind, databaseId: id, at: isDamaged ? '' : writeTime(atUtcMs), atMs: dueMs });
    work.isDamaged = isDamaged || (work.isDamaged && beganUtcMs !== null);
    if (beganUtcMs === null) {
      work.beganUtcMs = atUtcMs;
      work.dueMs += 50 + 5_000 * this.random.unit() ** 3;
      return;
    }
    if (!work.isDamaged && atUtcMs >= beganUtcMs) {
      const row = this.truth.rows++;
      this.truth.beginUtcMs[row] = beganUtcMs;
      this.truth.durationMs[row] = atUtcMs - beganUtcMs;
      this.truth.databaseId[row] = id;
    }
    work.beganUtcMs = null;
    work.dueMs += 2 * work.meanMs * this.random.unit();
  }

  /** Writes buffers up to that time to the files. */
  private flush(toMs: number): void {
    const behind = this.buffered.findIndex(({ atMs }) => atMs > toMs);
    const ripe = this.buffered.splice(0, behind < 0 ? this.buffered.length : behind);
    for (const [index, event] of ripe.entries()) {
      if (index % BUFFER_EVENTS === 0) this.offset += BUFFER_BYTES;
      if (index % BUFFER_EVENTS === 0 && this.inFile >= this.eventsAFile) this.roll();
      this.inFile++;
      const { kind, databaseId, at, sequence } = event;
      this.events.push({ kind, databaseId, at, sequence, offset: this.offset, file: this.fileName });
    }
  }

  /** Begins a new file. With one too many, the oldest goes. */
  private roll(): void {
    this.filesBegun++;
    this.inFile = 0;
    this.offset = BUFFER_BYTES;
    this.fileName = nameFile(this.filesBegun);
    const gone = nameFile(this.filesBegun - FILES_KEPT);
    this.events = this.events.filter(({ file }) => file !== gone);
  }

  /** What lies before the file in which a reader goes on is never asked for again: without it the fake server answers quickly. */
  private forgetRead(text: string): void {
    const file = /@initial_file nvarchar\(260\) = N'([^']*)'/.exec(text)?.[1];
    const at = this.events.findIndex((event) => event.file === file);
    if (at > 0) this.events = this.events.slice(at);
  }

  private serve({ columns, rows }: ResultSet): ResultSet {
    const data = columns.indexOf('event_data');
    for (const row of rows) {
      const sequence = Number(/-(\d+)<\/value><\/action>/.exec(row[data] ?? '')?.[1]);
      if (this.isServed[sequence] === 1) continue;
      this.isServed[sequence] = 1;
      this.served++;
      if (row[data]?.includes('timestamp="Z"')) this.damaged++;
    }
    return { columns, rows };
  }

  *listCheckpoints(): Iterable<TrueCheckpoint> {
    const { rows, beginUtcMs, durationMs, databaseId } = this.truth;
    for (let row = 0; row < rows; row++)
      yield { databaseId: databaseId[row]!, beginUtcMs: beginUtcMs[row]!, endUtcMs: beginUtcMs[row]! + durationMs[row]! };
  }

  /** While it is set, every login and every read fails. */
  set isAway(isAway: boolean) {
    this.fail(isAway ? new ConnectionError('disconnected', 'The connection was lost.') : null, 'open', '*');
  }

  /** The login may read its events no more, or again. */
  set isDenied(isDenied: boolean) {
    const denied = new ConnectionError('permissionDenied', 'VIEW SERVER STATE permission was denied.', 300);
    this.fail(isDenied ? denied : null, 'event-session', 'checkpoint-events');
  }

  private fail(error: ConnectionError | null, ...names: readonly string[]): void {
    this.catchUp();
    for (const name of names) {
      if (error === null) this.failures.delete(name);
      else this.failures.set(name, error);
    }
  }

  /** Somebody else stops the session. */
  stopSession(): void {
    this.catchUp();
    this.isRunning = false;
  }

  startSession(): void {
    this.catchUp();
    this.roll();
    Object.assign(this, { isRunning: true, startedLocal: this.localTime, droppedEvents: 0 });
  }

  /** The server crashes and is there again at once: buffers and running checkpoints are gone, and the session does not run. */
  restart(): void {
    this.catchUp();
    this.buffered = [];
    for (const work of this.works) {
      if (work.beganUtcMs !== null) work.dueMs += work.meanMs;
      work.beganUtcMs = null;
    }
    Object.assign(this, { isRunning: false, serverStartedLocal: this.localTime });
  }

  setClockBack(byMs: number): void {
    this.catchUp();
    this.clockMs -= Math.round(byMs / GRID_MS) * GRID_MS + 1;
  }

  /** The session loses its next events, and counts them. */
  loseEvents(count: number): void {
    this.catchUp();
    this.losing = count;
  }

  private get localTime(): string {
    return writeTime(this.nowUtcMs + UTC_OFFSET_MS);
  }
}

function nameFile(number: number): string {
  return `CheckpointHealth_0_${number}.xel`;
}

function writeTime(utcMs: number): string {
  return new Date(utcMs).toISOString().slice(0, -1);
}
