import assert from 'node:assert/strict';
import { createRandom } from '../../../simulator/scenarios/random';
import { decodeCapture, encodeCapture } from '../../../src/captures/capture-format';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import type { Gap, GapKind } from '../../../src/core/session/gap';
import { finishSteps } from '../../../src/core/steps';
import { LoginBreaker } from '../../../src/monitor/queries/login-breaker';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import type { StartedElsewhere } from '../../../src/monitor/tracking/session-owner';
import { assertTrueCapture } from '../../core/capture/held-to-truth';
import { BusyServer, type Load } from '../busy-server';
import { FakeTimers, installationOf, surroundingsOf } from '../fake-server';
import { VirtualTime } from '../virtual-time';

const MINUTE_MS = 60_000;
/** Each fault has this long: it begins in the first forty minutes, and has been seen by the end. */
const TURN_MS = 180 * MINUTE_MS;
const POLL_MS = 2 * MINUTE_MS;
/** Seldom, because judging all that was measured so far would take most of the time. */
const REFRESH_MS = 360 * MINUTE_MS;
/** What the log may say while the server is away. Anything else it says is a bug. */
const EXPECTED_LOG = /connection was lost|permission was denied/;

interface Fault {
  /** The gaps that it leaves. */
  readonly gaps: readonly GapKind[];
  readonly begin?: (server: BusyServer, lastsMs: number) => void;
  /** Absent: it is over at once. */
  readonly end?: (server: BusyServer) => void;
}

const away: Fault = { gaps: [], begin: (server) => (server.isAway = true), end: (server) => (server.isAway = false) };

/** What goes wrong. Files hold about 50 minutes: a longer absence loses events, a shorter one nothing. */
const FAULTS = {
  away,
  'away too long': { ...away, gaps: ['files rolled over'] },
  denied: { gaps: [], begin: (server) => (server.isDenied = true), end: (server) => (server.isDenied = false) },
  stopped: { gaps: ['session stopped'], begin: (server) => server.stopSession(), end: (server) => server.startSession() },
  restarted: { gaps: ['server restarted'], begin: (server) => server.restart(), end: (server) => server.startSession() },
  'clock set back': { gaps: ['clock moved back'], begin: (server, byMs) => server.setClockBack(byMs) },
  'events lost': { gaps: ['events lost'], begin: (server) => server.loseEvents(3) },
  'window closed': { gaps: [] },
} as const satisfies Readonly<Record<string, Fault>>;
type FaultName = keyof typeof FAULTS;
const NAMES = Object.keys(FAULTS) as FaultName[];

/** A monitor that follows a busy server through days in which all that can go wrong does, in virtual time. */
export class DaysOfFaults {
  readonly time = new VirtualTime();
  readonly server: BusyServer;
  monitor: ServerMonitor;
  private readonly random;
  private readonly installation = installationOf();
  private readonly logged: string[] = [];
  /** Between two windows only, so that it is not measured with the memory of a window. */
  private kept: KeptRecord | null = null;
  private isClosing = false;
  private turns: FaultName[] = [];

  constructor(load: Load) {
    this.random = createRandom(load.seed, 1);
    this.server = new BusyServer(this.time.world.nowMs, load);
    this.monitor = this.openWindow();
  }

  async begin(): Promise<void> {
    await this.time.during(this.monitor.refresh());
    await this.time.during(this.monitor.startTracking(null));
    this.server.startSession();
    await this.time.pass(TURN_MS);
    assert.equal(this.monitor.snapshot.tracking.state, 'tracking');
  }

  /** As many faults as there are kinds: a day. */
  async passDay(): Promise<void> {
    for (let turn = 0; turn < NAMES.length; turn++) {
      if (this.turns.length === 0) this.turns = this.shuffle();
      await this.passTurn(this.turns.pop()!);
    }
  }

  /** The tests that hold at every moment: every event is accounted for, each checkpoint is true, and what is missing is in a gap. */
  assertTrue(): void {
    const { capture } = this.monitor;
    // No two are the same: no database has two at once, and no time is told twice.
    assertTrueCapture(capture, this.server.listCheckpoints());
    const ledger = capture?.ledger();
    assert.deepEqual([ledger?.rowsRead, ledger?.malformed, ledger?.duplicates], [this.server.served, this.server.damaged, 0]);
    assert.deepEqual(
      this.logged.filter((line) => !EXPECTED_LOG.test(line)),
      [],
    );
  }

  /** Reads what is left, until nothing is open. */
  async end(): Promise<void> {
    // The session was started again by somebody else, and the user agrees to stop it.
    const stop = this.monitor.stopTracking().catch((error: StartedElsewhere) => this.monitor.stopTracking(undefined, error.session));
    await this.time.during(stop);
    await this.time.pass(TURN_MS);
    await this.monitor.dispose();
  }

  private openWindow(): ServerMonitor {
    const { world, schedule } = this.time;
    return createServerMonitor({
      ...surroundingsOf(this.time.watch(this.server), new FakeTimers(), [], this.installation),
      breaker: new LoginBreaker(world),
      schedule,
      elapsedMs: world.elapsedMs,
      log: { sql: () => undefined, warn: (line) => this.logged.push(line) },
      captures: {
        keep: (record) => Promise.resolve(void (this.kept = this.isClosing ? record : null)),
        recover: () => Promise.resolve(this.kept),
      },
      pollIntervalMs: POLL_MS,
      refreshIntervalMs: REFRESH_MS,
      sampling: null,
    });
  }

  /** As the editor does: what is kept goes through the bytes of a file. */
  private async reopenWindow(): Promise<void> {
    this.isClosing = true;
    await this.time.during(this.monitor.dispose());
    this.isClosing = false;
    assert.ok(this.kept !== null);
    const { capture } = finishSteps(decodeCapture(finishSteps(encodeCapture({ ...this.kept, serverLabel: this.server.label }))));
    this.kept = capture;
    this.monitor = this.openWindow();
    await this.time.during(this.monitor.refresh());
    this.kept = null;
  }

  private async passTurn(name: FaultName): Promise<void> {
    const { time, random, server } = this;
    const fault: Fault = FAULTS[name];
    const before = new Set(this.listGaps().map(nameGap));
    const firstMs = random.between(0, 40) * MINUTE_MS;
    await time.pass(firstMs);
    if (name === 'restarted') await this.waitForRead();
    if (name === 'window closed') await this.reopenWindow();
    const lastsMs = (name === 'away too long' ? random.between(80, 110) : random.between(10, 25)) * MINUTE_MS;
    fault.begin?.(server, lastsMs);
    if (fault.end !== undefined) await time.pass(lastsMs);
    if (name === 'denied') assert.ok(this.listGaps().some(({ kind }) => kind === 'permission lost'));
    fault.end?.(server);
    await time.pass(TURN_MS - firstMs - (fault.end === undefined ? 0 : lastsMs));
    const added = this.listGaps().filter((gap) => !before.has(nameGap(gap)));
    assert.deepEqual([name, ...new Set(added.map(({ kind }) => kind))], [name, ...fault.gaps]);
    for (const { reason } of added) assert.match(reason, /^[A-Z].+\.$/);
    assert.deepEqual([this.monitor.snapshot.tracking.state, this.monitor.snapshot.tracking.trouble], ['tracking', null], name);
  }

  /** Right after a read, buffers hold events of the time that counts as read. */
  private async waitForRead(): Promise<void> {
    const { queries } = this.server;
    while (this.server.queries === queries) await this.time.pass(1_000);
  }

  private listGaps(): readonly Gap[] {
    return this.monitor.snapshot.tracking.observation?.gaps ?? [];
  }

  private shuffle(): FaultName[] {
    const places = new Map(NAMES.map((name) => [name, this.random.unit()]));
    return [...NAMES].sort((a, b) => places.get(a)! - places.get(b)!);
  }
}

const nameGap = ({ kind, beginUtcMs }: Gap): string => `${kind} ${beginUtcMs}`;
