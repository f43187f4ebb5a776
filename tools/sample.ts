/**
 * Records the sample that the extension brings: three weeks of a simulated server, of which a quarter of an hour was tracked on some days. After two weeks its
 * databases are switched in waves. The same bytes each time. Run: npm run sample
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '../simulator/index';
import { encodeCapture } from '../src/captures/capture-format';
import { defaultWaves } from '../src/core/advice/plan';
import type { KeptRecord } from '../src/core/capture/capture-record';
import { finishSteps } from '../src/core/steps';
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

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Time between two reads of the events; the counters are sampled every minute. */
const STEP_MS = 30_000;
/** From a minute before a quarter of an hour until two minutes after it: before / after compares whole quarters. */
const TRACKED_MS = 18 * MINUTE_MS;
/** Days after the first one, which is a Monday. An Agent job starts the event session in the morning and stops it. */
const TRACKED_DAYS: readonly number[] = [1, 2, 3, 9, 10, 14, 15, 16, 17, 23];
/** On these, somebody runs the next wave after that. */
const SWITCH_DAYS: readonly number[] = [14, 15];
const WAVES = { ...defaultWaves, batch: 9 };

async function writeSample(): Promise<void> {
  const record = await recordSample();
  writeFileSync(SAMPLE_FILE, finishSteps(encodeCapture({ ...record, serverLabel: 'Sample: SAMPLE-SQL07' })));
  console.log(`Recorded ${SAMPLE_FILE}`);
}

async function recordSample(): Promise<KeptRecord> {
  const simulator = await startSimulator({ rate: 0, tls: 'required', scenario: 'sample', history: { indirectWrites: 'same' } });
  const window = await openQueryWindow({ host: simulator.host, port: simulator.port, ...simulator.administrator });
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
      sampling: { instanceMs: MINUTE_MS, databasesMs: 15 * MINUTE_MS },
    };
  }

  async live(): Promise<KeptRecord> {
    const lastDay = TRACKED_DAYS[TRACKED_DAYS.length - 1] ?? 0;
    await this.pass(59 * MINUTE_MS);
    for (let day = 0; day <= lastDay; day++) {
      const beganUtcMs = this.simulator.server.clock.nowUtcMs();
      if (TRACKED_DAYS.includes(day)) await this.track(day);
      if (day < lastDay) await this.pass(DAY_MS - (this.simulator.server.clock.nowUtcMs() - beganUtcMs));
    }
    const record = await this.time.during(recordServer(this.surroundings));
    if (record === null) throw new Error('The sample has no capture.');
    return record;
  }

  /** A window of the editor goes on with what the last one kept. */
  private async track(day: number): Promise<void> {
    const isFirst = day === TRACKED_DAYS[0];
    if (!isFirst) await this.window.run('ALTER EVENT SESSION [CheckpointHealth] ON SERVER STATE = START;');
    const monitor = createServerMonitor(this.surroundings);
    await this.time.during(monitor.refresh());
    if (isFirst) await this.time.during(monitor.startTracking(null));
    for (let at = 0; at < TRACKED_MS; at += STEP_MS) await this.pass(STEP_MS);
    await this.window.run('ALTER EVENT SESSION [CheckpointHealth] ON SERVER STATE = STOP;');
    await this.pass(STEP_MS);
    if (day === SWITCH_DAYS[0]) this.script = await this.review(monitor);
    if (SWITCH_DAYS.includes(day)) {
      await this.runWave(SWITCH_DAYS.indexOf(day) + 1);
      await this.time.during(monitor.refresh());
    }
    await monitor.dispose();
  }

  /** Keeps the forecast, as opening the scripts does. */
  private async review(monitor: ServerMonitor): Promise<string> {
    const databaseIds = monitor.snapshot.instance?.advised ?? [];
    const choice = { databaseIds, byName: false, targetSeconds: 60, waves: WAVES, waveOf: new Map<number, number>() };
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
