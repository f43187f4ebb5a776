import type { Facts } from '../core/advice/facts';
import { type Capture, createCapture } from '../core/capture/capture';
import { type CaptureRecord, keepRecord } from '../core/capture/capture-record';
import { type EventSessionState, readPredicateIds } from '../core/capture/event-session';
import { isOwnSessionFile, sessionName } from '../core/script/session';
import type { OwnSessionText } from '../core/script/text';
import { toUtcMs } from '../core/time';
import { ConnectionError } from '../hosts/host';
import type { TrackingStatus } from '../core/capture/tracking-status';
import { describeError, mayRetry } from './failure';
import { listKnown } from './judgement';
import { RecoveredCapture } from './recovered-capture';
import type { ServerQuery } from './server-query';
import { readSessionState, runSessionText, type SessionTexts, writeSessionTexts } from './session-control';
import type { MonitorSurroundings } from './surroundings';
import { Tracking } from './tracking';
import { findMissingPermission, findPlatformObstacle } from './tracking-permission';

/** ALTER EVENT SESSION ... STATE = STOP on a session that is not running. */
const alreadyStopped = 25704;

const recoveredMessage = 'Recovered from the last time; nothing is being tracked now.';
const unreachedMessage = 'Recovered from the last time; the server could not be reached.';
const takenUp = 'The event session was running already; its files are read from their beginning.';

export interface TrackingListener {
  /** State or message changed. */
  readonly changed: () => void;
  /** Rows were read, or the capture ended; `capture` may be a new one. */
  readonly read: (isFinal: boolean) => void;
  /** Runs the work when nothing else is being done on this server. */
  readonly enqueue: (work: () => Promise<void>) => void;
}

/** Starts, follows and stops the one event session of a server, and owns its capture. Its callers see to it that no two methods run at once. */
export class TrackingControl {
  state: TrackingStatus['state'] = 'not tracking';
  message: string | null = null;
  private following: Capture | null = null;
  private readonly recovered: RecoveredCapture;
  /** The server that `following` is read from. */
  private serverName: string | null = null;
  /** null: all databases. */
  databaseIds: readonly number[] | null = null;
  private tracking: Tracking | null = null;
  private nextPoll: { dispose(): void } | null = null;
  /** The last read failed: what was read before it may be all there is. */
  private isBehind = false;
  private isDisposed = false;

  constructor(
    private readonly query: ServerQuery,
    private readonly surroundings: MonitorSurroundings,
    private readonly listener: TrackingListener,
  ) {
    this.recovered = new RecoveredCapture(surroundings.captures, (problem) => surroundings.log.warn(`${this.label}: ${problem}`));
  }

  /** The capture of the running session, else of the last one, else the one kept before. */
  get capture(): CaptureRecord | null {
    return this.following ?? this.recovered.record;
  }

  /**
   * The databases of which the capture says something, a lack of checkpoints too; null: all. Which databases were tracked is not kept with a capture, so that of
   * a recovered one nothing is known about those without a checkpoint.
   */
  listMeasured(facts: Facts): ReadonlySet<number> | null {
    if (this.following === null && this.recovered.record !== null) return listKnown(this.recovered.record, facts);
    return this.databaseIds === null ? null : new Set(this.databaseIds);
  }

  get sinceUtcMs(): number | null {
    return this.state === 'tracking' ? (this.tracking?.beginUtcMs ?? null) : null;
  }

  get lostEvents(): number | null {
    return this.tracking?.lostEvents ?? null;
  }

  /** @throws Error with one sentence, ConnectionError */
  async start(facts: Facts, databaseIds: readonly number[] | null): Promise<void> {
    if (this.state === 'tracking') throw new Error(`Checkpoints of ${this.label} are being tracked already. Stop tracking first.`);
    const missing = findPlatformObstacle(facts.server) ?? findMissingPermission(facts.server);
    if (missing !== null) throw new Error(missing);
    this.change('starting', null);
    try {
      await this.begin(facts, databaseIds);
    } catch (error) {
      this.change('failed', describeError(error));
      throw error;
    }
  }

  /** Reads to the end, stops, reads what stopping wrote out. Where the stop fails, tracking goes on. @throws Error with one sentence, ConnectionError */
  async stop(facts: Facts | null): Promise<void> {
    const tracking = this.tracking;
    if (tracking === null || this.state !== 'tracking') throw new Error(`Checkpoints of ${this.label} are not being tracked.`);
    this.change('stopping', null);
    this.cancelPoll();
    try {
      await this.end(tracking, facts);
    } catch (error) {
      this.change('tracking', `Tracking could not be stopped: ${describeError(error)}`);
      this.schedulePoll();
      throw error;
    }
  }

  /** Stops if need be and drops the session. @returns the event files that stay on the server. @throws Error with one sentence, ConnectionError */
  async remove(facts: Facts | null): Promise<readonly string[]> {
    if (this.state === 'tracking') await this.stop(facts);
    const session = await readSessionState(this.query);
    if (!session.isDefined) throw new Error(`There is no event session of Checkpoint Health on ${this.label}.`);
    await runSessionText(this.query, this.writeTexts(facts, null).drop, this.logSql('Remove tracking'));
    const files = this.tracking?.fileNames ?? (session.configuredFile === null ? [] : [session.configuredFile]);
    this.tracking = null;
    this.change('not tracking', null);
    return files;
  }

  /** The texts of our session as they would run now. */
  writeTexts(facts: Facts | null, databaseIds: readonly number[] | null, nowUtcMs = facts?.server.nowUtcMs ?? 0): SessionTexts {
    const state = facts?.state;
    return writeSessionTexts({
      databaseIds,
      hasBufferPoolScanComplete: state?.kind === 'observed' && state.value.hasBufferPoolScanComplete,
      majorVersion: Number(facts?.server.productVersion.split('.')[0] ?? 0),
      nowUtcMs,
    });
  }

  /**
   * On the first sight of a server: goes on following our session where it is running, started before the editor was closed; else shows the capture kept
   * last. Reads only. What this login may not see is left alone.
   */
  async takeUp(facts: Facts): Promise<void> {
    if (this.following !== null) return;
    const session = await readSessionState(this.query).catch((error: unknown) => {
      if (error instanceof ConnectionError && (error.reason === 'permissionDenied' || error.reason === 'queryFailed')) return null;
      throw error;
    });
    if (session?.isRunning === true && session.configuredFile !== null) this.follow(session, facts, findBegin(session, facts), takenUp);
    else if (this.recovered.isOf(facts)) this.change('stopped', recoveredMessage);
    else await this.recover(facts, recoveredMessage);
  }

  /** Shows the capture kept last where the server cannot be reached: whether it is being tracked now is not known then. */
  async showKept(): Promise<void> {
    if (this.capture === null) await this.recover(null, unreachedMessage);
  }

  private async recover(facts: Facts | null, message: string): Promise<void> {
    const before = this.capture;
    const isThere = await this.recovered.recover(facts);
    if (isThere) this.change('stopped', message);
    else if (before !== null) this.change('not tracking', null);
    if (isThere || before !== null) this.listener.read(true);
  }

  /** Names as the server's catalog gives them now. */
  nameDatabases(names: ReadonlyMap<number, string>): void {
    this.following?.nameDatabases(names);
  }

  /** After a failure that stopped the reading for good, and has been mended. */
  resume(): void {
    if (this.state === 'tracking' && this.nextPoll === null) this.schedulePoll(0);
  }

  /** What was read of a server that cannot be asked any more is kept: its files may roll over before somebody reads them again. */
  async dispose(): Promise<void> {
    this.isDisposed = true;
    this.cancelPoll();
    if (this.isBehind && this.state === 'tracking') await this.keep();
  }

  private get label(): string {
    return this.surroundings.access.label;
  }

  private async begin(facts: Facts, databaseIds: readonly number[] | null): Promise<void> {
    const before = await readSessionState(this.query);
    if (before.isRunning && before.configuredFile === null) throw new Error(withoutFile(this.label));
    if (before.isRunning) return this.follow(before, facts, findBegin(before, facts), takenUp);
    await this.createSession(facts, databaseIds, before);
    const session = await readSessionState(this.query);
    this.follow(session, facts, session.nowUtcMs, null);
  }

  private follow(session: EventSessionState, facts: Facts, beginUtcMs: number, message: string | null): void {
    const hasTimestampUtc = facts.state.kind === 'observed' && facts.state.value.hasTimestampUtc;
    this.following = createCapture({ id: this.surroundings.newCaptureId() });
    this.serverName = facts.server.serverName;
    this.tracking = new Tracking(this.query, this.following, session, hasTimestampUtc, beginUtcMs);
    this.databaseIds = readPredicateIds(session.predicate);
    this.change('tracking', message);
    this.listener.read(false);
    this.schedulePoll(0);
  }

  private async createSession(facts: Facts, databaseIds: readonly number[] | null, before: EventSessionState): Promise<void> {
    const texts = this.writeTexts(facts, databaseIds, before.nowUtcMs);
    if (before.isDefined && !isOwnSessionFile(before.configuredFile ?? '')) throw new Error(describeForeignSession(this.label));
    if (before.isDefined)
      await runSessionText(this.query, texts.drop, this.logSql('Start tracking: drop the stopped session; its files stay'));
    await runSessionText(this.query, texts.create, this.logSql('Start tracking: create'));
    await runSessionText(this.query, texts.start, this.logSql('Start tracking: start'));
  }

  private async end(tracking: Tracking, facts: Facts | null): Promise<void> {
    await tracking.readOn();
    await runSessionText(this.query, this.writeTexts(facts, null).stop, this.logSql('Stop tracking')).catch((error: unknown) => {
      if (!(error instanceof ConnectionError) || error.number !== alreadyStopped) throw error;
    });
    const session = await readSessionState(this.query);
    await tracking.readToEnd(session.nowUtcMs);
    this.change('stopped', null);
    this.listener.read(true);
    await this.keep();
  }

  /** A capture that can not be kept is still on screen: the failure is reported, and nothing else stops. */
  private async keep(): Promise<void> {
    try {
      if (this.following !== null) await this.surroundings.captures.keep(keepRecord(this.following, this.serverName));
    } catch (error) {
      this.message = describeError(error);
      this.surroundings.log.warn(`${this.label}: ${describeError(error)}`);
      this.listener.changed();
    }
  }

  /** One read while tracking. An error is shown, and the next read goes on from the same place: the events wait in their files. */
  private async poll(): Promise<void> {
    const tracking = this.tracking;
    if (tracking === null || this.state !== 'tracking' || this.isDisposed) return;
    try {
      await tracking.readOn();
      this.isBehind = false;
      if (tracking.isRunning) this.change('tracking', null);
      else
        this.change(
          'stopped',
          'The event session was stopped outside Checkpoint Health or by its own time limit, or the server restarted. What was captured until then is kept.',
        );
      this.listener.read(!tracking.isRunning);
      if (tracking.isRunning) this.schedulePoll();
      else await this.keep();
    } catch (error) {
      if (this.isDisposed) return;
      this.isBehind = true;
      this.change('tracking', `New events could not be read: ${describeError(error)} The session goes on at the server.`);
      if (mayRetry(error)) this.schedulePoll();
    }
  }

  private schedulePoll(delayMs = this.surroundings.pollIntervalMs): void {
    this.cancelPoll();
    if (this.isDisposed) return;
    this.nextPoll = this.surroundings.schedule(delayMs, () => {
      this.nextPoll = null;
      this.listener.enqueue(() => this.poll());
    });
  }

  private cancelPoll(): void {
    this.nextPoll?.dispose();
    this.nextPoll = null;
  }

  private change(state: TrackingStatus['state'], message: string | null): void {
    this.state = state;
    this.message = message;
    this.listener.changed();
  }

  private logSql(title: string): (text: OwnSessionText) => void {
    return (text) => this.surroundings.log.sql(`${this.label}: ${title}`, text);
  }
}

/** Silence of such a session would look like a server without checkpoints. */
function withoutFile(label: string): string {
  return `An event session [${sessionName}] is running on ${label} that writes no event file, so it was not made by Checkpoint Health. Stop and drop it there, then start tracking.`;
}

function describeForeignSession(label: string): string {
  return `An event session named ${sessionName} is defined on ${label} and was not made by Checkpoint Health: it is left alone. Rename or drop it, then start tracking.`;
}

/** The start of a session that was running before us: create_time is taken for local time, which is not verified, so never after now. */
function findBegin(session: { readonly startedLocalMs: number | null; readonly nowUtcMs: number }, facts: Facts): number {
  if (session.startedLocalMs === null) return session.nowUtcMs;
  return Math.min(toUtcMs(session.startedLocalMs, facts.server.utcOffsetMinutes), session.nowUtcMs);
}
