/**
 * Records the sample that the extension brings: three weeks of a simulated server, the mornings of the last two
 * tracked. After two weeks its databases are switched in waves. The same bytes each time. Run: npm run sample (a few
 * minutes)
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '../simulator/index';
import { encodeCapture } from '../src/captures/capture-format';
import { defaultWaves } from '../src/core/advice/plan';
import type { KeptRecord } from '../src/core/capture/capture-record';
import { addToList } from '../src/core/lists';
import { finishSteps } from '../src/core/steps';
import { BLOCK_MS, DATABASE_BLOCK_FIGURES } from '../src/core/write-work/block';
import { decodeWriteWork, encodeWriteWork } from '../src/core/write-work/write-work-bytes';
import type { WriteWorkLog } from '../src/core/write-work/write-work-log';
import { createServerMonitor } from '../src/monitor/monitored-server';
import { LoginBreaker } from '../src/monitor/queries/login-breaker';
import type { MonitorSurroundings } from '../src/monitor/queries/surroundings';
import { recordServer } from '../src/monitor/recorded-server';
import type { ReviewedSwitch, ServerMonitor } from '../src/monitor/server-monitor';
import { openQueryWindow, type QueryWindow } from '../test/e2e/query-window';
import { FakeTimers, surroundingsOf } from '../test/monitor/fake-surroundings';
import { VirtualTime } from '../test/monitor/virtual-time';
import { reach } from '../test/simulator/product/watched-server';
import { root } from './packages';

const SAMPLE_FILE = join(root, 'media', 'sample.checkpoints');

const WORK_SECTION = 'write-work';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Time between two reads of the events, and between two samples of the instance. */
const STEP_MS = 5 * MINUTE_MS;
/**
 * The model begins on a Monday at 9:00 of the server's clock. An Agent job starts the event session each morning a
 * minute before 8:00...
 */
const FIRST_MORNING_MS = 23 * HOUR_MS - MINUTE_MS;
/** ...and stops it after 12:00, right after a read: before / after pairs days that have four hours in common. */
const COMPARED_MS = 4 * HOUR_MS;
/** Days after the first one, which is a Tuesday. Of each wave seven days before it have their weekday after it. */
const [FIRST_TRACKED_DAY, LAST_TRACKED_DAY] = [7, 21];
/**
 * After the mornings of these, the next wave is run. After the first one tracking goes on for a while: the dashboard
 * opens there.
 */
const SEEN_MS = 15 * MINUTE_MS;
const SWITCH_DAYS: readonly number[] = [13, 14];
/** The last half hour is sampled closely enough to tell whether writes wait during checkpoints. */
const [CLOSE_MS, CLOSE_STEP_MS] = [30 * MINUTE_MS, 5_000];
const CLOSE = { instanceMs: CLOSE_STEP_MS, databasesMs: BLOCK_MS };
const WAVES = { ...defaultWaves, batch: 3 };

async function writeSample(): Promise<void> {
  const record = await recordSample();
  const sections = record.sections.map((section) =>
    section.name === WORK_SECTION ? { ...section, bytes: thin(section.bytes) } : section,
  );
  writeFileSync(
    SAMPLE_FILE,
    finishSteps(encodeCapture({ ...record, sections, serverLabel: 'Sample: SAMPLE-SQL07' })),
  );
  console.log(`Recorded ${SAMPLE_FILE}`);
}

/**
 * Of the samples only those of the last half hour stay, as on a server with many databases. Before / after takes the
 * blocks of all mornings.
 */
function thin(bytes: Uint8Array): Uint8Array {
  const { log, problem } = finishSteps(decodeWriteWork(bytes));
  if (log === null) throw new Error(problem);
  const { rows, endUtcMs } = log.instanceSamples();
  const fromUtcMs = (endUtcMs[rows - 1] ?? 0) - CLOSE_MS;
  for (const table of [log.instanceSampleTable, log.databaseSampleTable]) {
    const { beginUtcMs } = table.columns();
    table.withdraw((row) => (beginUtcMs[row] ?? 0) < fromUtcMs);
  }
  evenOut(log);
  return finishSteps(encodeWriteWork(log));
}

/**
 * Each quarter of an hour of a database gets a quarter of what its hour has: before / after compares hours, and equal
 * figures take hardly any space. What is counted over quarters, such as the p95 of a limit, is of hours then.
 */
function evenOut({ databaseBlockTables: { busy } }: WriteWorkLog): void {
  const columns = busy.columns();
  const hours = new Map<string, number[]>();
  for (let row = 0; row < columns.rows; row++)
    addToList(
      hours,
      `${columns.database[row]} ${Math.floor(((columns.block[row] ?? 0) * BLOCK_MS) / HOUR_MS)}`,
      row,
    );
  for (const quarters of hours.values()) {
    if (quarters.length < HOUR_MS / BLOCK_MS) continue;
    for (const name of DATABASE_BLOCK_FIGURES) {
      const figures = columns[name];
      const average = quarters.reduce((sum, row) => sum + (figures[row] ?? NaN), 0) / quarters.length;
      for (const row of quarters) figures[row] = average;
    }
  }
}

async function recordSample(): Promise<KeptRecord> {
  const simulator = await startSimulator({
    rate: 0,
    tls: 'required',
    scenario: 'sample',
    history: { indirectWrites: 'same' },
  });
  const window = await openQueryWindow({
    host: simulator.host,
    port: simulator.port,
    ...simulator.administrator,
  });
  try {
    return await new SampleServer(simulator, window).live();
  } finally {
    window.close();
    await simulator.close();
  }
}

class SampleServer {
  private readonly time = new VirtualTime();
  private readonly surroundings: MonitorSurroundings;
  private script = '';

  constructor(
    private readonly simulator: Simulator,
    private readonly window: QueryWindow,
  ) {
    const access = this.time.watch(reach(simulator));
    this.surroundings = {
      ...surroundingsOf(access, new FakeTimers()),
      breaker: new LoginBreaker(this.time.world),
      schedule: this.time.schedule,
      elapsedMs: this.time.world.elapsedMs,
      newCaptureId: () => 'sample',
      pollIntervalMs: STEP_MS,
      refreshIntervalMs: 10 * MINUTE_MS,
      sampling: { instanceMs: STEP_MS, databasesMs: BLOCK_MS },
    };
  }

  async live(): Promise<KeptRecord> {
    await this.pass(FIRST_MORNING_MS + FIRST_TRACKED_DAY * DAY_MS);
    for (let day = FIRST_TRACKED_DAY; day <= LAST_TRACKED_DAY; day++) {
      const beganUtcMs = this.simulator.server.clock.nowUtcMs();
      await this.track(day);
      if (day < LAST_TRACKED_DAY)
        await this.pass(DAY_MS - (this.simulator.server.clock.nowUtcMs() - beganUtcMs));
    }
    const record = await this.time.during(recordServer(this.surroundings));
    if (record === null) throw new Error('The sample has no capture.');
    return record;
  }

  /** A window of the editor goes on with what the last one kept. */
  private async track(day: number): Promise<void> {
    const isFirst = day === FIRST_TRACKED_DAY;
    if (!isFirst) await this.window.run('ALTER EVENT SESSION [CheckpointHealth] ON SERVER STATE = START;');
    let monitor = await this.openWindow(this.surroundings);
    if (isFirst) await this.time.during(monitor.startTracking(null));
    await this.pass(MINUTE_MS);
    const closeMs = day === LAST_TRACKED_DAY ? CLOSE_MS : 0;
    for (let at = closeMs; at < COMPARED_MS; at += STEP_MS) await this.pass(STEP_MS);
    if (closeMs > 0) {
      await monitor.dispose();
      monitor = await this.openWindow({
        ...this.surroundings,
        pollIntervalMs: CLOSE_STEP_MS,
        sampling: CLOSE,
      });
      for (let at = 0; at < closeMs; at += CLOSE_STEP_MS) await this.pass(CLOSE_STEP_MS);
    }
    await this.pass(STEP_MS - MINUTE_MS);
    if (day === SWITCH_DAYS[0]) {
      this.script = await this.review(monitor);
      await this.runWave(1);
      await this.time.during(monitor.refresh());
      await this.pass(SEEN_MS);
    }
    await this.window.run('ALTER EVENT SESSION [CheckpointHealth] ON SERVER STATE = STOP;');
    await this.pass(MINUTE_MS);
    if (day === SWITCH_DAYS[1]) await this.runWave(2);
    if (SWITCH_DAYS.includes(day)) await this.time.during(monitor.refresh());
    await monitor.dispose();
  }

  private async openWindow(surroundings: MonitorSurroundings): Promise<ServerMonitor> {
    const monitor = createServerMonitor(surroundings);
    await this.time.during(monitor.refresh());
    return monitor;
  }

  /** Keeps the forecast, as opening the scripts does. */
  private async review(monitor: ServerMonitor): Promise<string> {
    const databaseIds = monitor.snapshot.instance?.advised ?? [];
    const choice = {
      databaseIds,
      byName: false,
      targetSeconds: 60,
      waves: WAVES,
      waveOf: new Map<number, number>(),
    };
    const reviewed: ReviewedSwitch = await this.time.during(monitor.reviewSwitch(choice));
    await this.time.during(monitor.keepForecast(reviewed));
    return reviewed.scripts?.scripts.find(({ kind }) => kind === 'change')?.text ?? '';
  }

  private async runWave(wave: number): Promise<void> {
    await this.window.run(this.script.replace('DECLARE @wave int = 1;', `DECLARE @wave int = ${wave};`));
  }

  private async pass(durationMs: number): Promise<void> {
    this.simulator.server.advance(durationMs);
    await this.time.pass(durationMs);
  }
}

void writeSample();
