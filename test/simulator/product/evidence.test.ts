import assert from 'node:assert/strict';
import { type Simulator, startSimulator } from '../../../simulator/index';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { listWaves } from '../../../src/core/advice/plan';
import { formatPercent } from '../../../src/core/format';
import type { EvidencePage, EvidencePages, EvidenceTable } from '../../../src/core/pages/evidence-page';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { FakeServer, FakeTimers, surroundingsOf } from '../../monitor/fake-server';
import { readAll } from '../../monitor/watched-fake';
import { choiceOf } from '../../core/script/scripts-of';
import { reach, runAsAdministrator } from './watched-server';

const MINUTE_MS = 60_000;

interface Task {
  readonly atMs: number;
  readonly task: () => void;
}

/** Our monitor with its sampling, whose timers go by the clock of the simulated server. */
class Watch {
  readonly monitor: ServerMonitor;
  private tasks: Task[] = [];

  constructor(
    private readonly simulator: Simulator,
    kept: KeptRecord[],
  ) {
    this.monitor = createServerMonitor({
      ...surroundingsOf(new FakeServer(), new FakeTimers(), kept),
      access: reach(simulator),
      sampling: { instanceMs: 15_000, databasesMs: MINUTE_MS },
      elapsedMs: () => this.nowMs,
      schedule: (delayMs, task) => this.schedule(delayMs, task),
    });
  }

  /** Lets virtual time pass, a minute at a time, and whatever is due then happen. */
  async pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      this.simulator.server.advance(MINUTE_MS);
      const due = this.tasks.filter(({ atMs }) => atMs <= this.nowMs);
      this.tasks = this.tasks.filter(({ atMs }) => atMs > this.nowMs);
      for (const { task } of due) task();
      // What is due at once asks before the next minute.
      await new Promise(setImmediate);
      await readAll(this.monitor);
    }
  }

  private get nowMs(): number {
    return this.simulator.server.clock.nowUtcMs();
  }

  private schedule(delayMs: number, task: () => void): { dispose(): void } {
    if (delayMs === 0) {
      const immediate = setImmediate(task);
      return { dispose: () => clearImmediate(immediate) };
    }
    const one = { atMs: this.nowMs + delayMs, task };
    this.tasks.push(one);
    return { dispose: () => (this.tasks = this.tasks.filter((other) => other !== one)) };
  }
}

function tableOf(pages: EvidencePages, page: keyof EvidencePages, id: string): EvidenceTable {
  return pages[page].tables.find((table) => table.id === id) ?? assert.fail(`no table ${id}`);
}

const texts = (table: EvidenceTable): readonly (readonly string[])[] => table.rows.map(({ cells }) => cells.map(({ text }) => text));

describe('the evidence about a server', function () {
  const kept: KeptRecord[] = [];
  let simulator: Simulator;
  let watch: Watch;
  let pages: EvidencePages;
  let changed = '';

  before(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required', scenario: 'io-storm', databases: 12 });
    watch = new Watch(simulator, kept);
    await watch.monitor.refresh();
    changed =
      watch.monitor.snapshot.facts?.databases.find(({ databaseId, targetSeconds }) => databaseId > 4 && targetSeconds === 0)?.name ?? '';
    await watch.monitor.startTracking(null);
    await watch.pass(12);
    await runAsAdministrator(simulator, `ALTER DATABASE [${changed}] SET TARGET_RECOVERY_TIME = 60 SECONDS;`);
    await watch.pass(15);
    pages = await watch.monitor.gatherEvidence();
  });

  after(async () => {
    await watch.monitor.dispose();
    await simulator.close();
  });

  it('dates a change by the error log, names it once, and says what is missing for a comparison', () => {
    assert.match(tableOf(pages, 'beforeAfter', 'chance').fold ?? '', /^Not known yet: that takes the same hours on 5 days/);
    assert.match(pages.beforeAfter.title ?? '', /^1 database changed/);
    const id = watch.monitor.snapshot.facts?.databases.find(({ name }) => name === changed)?.databaseId;
    const own = watch.monitor.snapshot.changes.filter(({ databaseId }) => databaseId === id);
    assert.deepEqual(
      own.map(({ source }) => source),
      ['error log'],
    );
  });

  it('lists the FlushCache messages of the error log with their figures, and accounts for every line', () => {
    const { rows } = tableOf(pages, 'errorLog', 'flush-cache');
    assert.ok(rows.length > 0);
    for (const { cells } of rows) assert.equal(cells[cells.length - 1]?.text, 'whole');
    assert.ok(pages.errorLog.notes.some((note) => note.startsWith('Lines read: ')));
    assert.ok(pages.errorLog.notes.some((note) => note.includes('xp_readerrorlog')));
  });

  it('marks the time of what the log tells, and gives the samples of the time that was watched', () => {
    const { marks, undated } = watch.monitor.timeline.marks;
    const flushes = marks.filter(({ kind }) => kind === 'FlushCache');
    assert.equal(flushes.length + undated, tableOf(pages, 'errorLog', 'flush-cache').rows.length);
    assert.ok(flushes.length > 0);
    for (const { beginUtcMs, endUtcMs, databaseId } of flushes) assert.ok(endUtcMs > beginUtcMs && databaseId !== null);
    const { samples } = watch.monitor.timeline.readSamples(null) ?? assert.fail();
    assert.ok(samples.samples > 20, `${samples.samples}`);
    assert.ok(samples.values.dataWriteMs.some((value) => value > 0));
    assert.ok(samples.values.checkpointPagesPerSecond.some((value) => value > 0));
    const { beginUtcMs = 0 } = watch.monitor.capture?.observation ?? {};
    assert.ok((samples.endUtcMs.at(-1) ?? 0) - beginUtcMs > 20 * MINUTE_MS);
  });

  it('compares around a change that was set by hand', async () => {
    const other = watch.monitor.snapshot.facts?.databases.find(({ databaseId, name }) => databaseId > 4 && name !== changed);
    assert.ok(other);
    assert.ok(await watch.monitor.setChanges([other.databaseId], simulator.server.clock.nowUtcMs() - 15 * MINUTE_MS));
    const again = await watch.monitor.gatherEvidence();
    const row = texts(tableOf(again, 'beforeAfter', 'result')).find(([name]) => name === other.name);
    assert.match(row?.[1] ?? '', /, set by hand$/);
  });

  it('goes on with what was sampled, and with the change set by hand, in another window', async () => {
    await watch.monitor.dispose();
    watch = new Watch(simulator, kept);
    await watch.monitor.refresh();
    const again = await watch.monitor.gatherEvidence();
    assert.ok(tableOf(again, 'writeWork', 'databases').rows.some(({ cells }) => (cells[1]?.value ?? 0) > 0));
    assert.ok(watch.monitor.snapshot.changes.some(({ source }) => source === 'user'));
  });
});

describe('the forecast of a review, once its scripts are run', function () {
  const kept: KeptRecord[] = [];
  let simulator: Simulator;
  let watch: Watch;
  let waves: readonly (readonly number[])[] = [];

  const nameOf = (id: number): string => watch.monitor.snapshot.facts?.databases.find(({ databaseId }) => databaseId === id)?.name ?? '';
  const runWave = async (ids: readonly number[]): Promise<void> => {
    for (const id of ids) await runAsAdministrator(simulator, `ALTER DATABASE [${nameOf(id)}] SET TARGET_RECOVERY_TIME = 60 SECONDS;`);
  };
  let inputOutput = '';
  const look = async (): Promise<EvidencePage> => {
    const { beforeAfter, writeWork } = await watch.monitor.gatherEvidence();
    inputOutput = writeWork.summary;
    return beforeAfter;
  };

  before(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required', scenario: 'legacy-upgrade', databases: 30 });
    watch = new Watch(simulator, kept);
    await watch.monitor.refresh();
    await watch.monitor.startTracking(null);
    await watch.pass(25);
    await watch.monitor.refresh();
  });

  after(async () => {
    await watch.monitor.dispose();
    await simulator.close();
  });

  it('is kept, and held to what was seen after each wave', async () => {
    const automatic =
      watch.monitor.snapshot.facts?.databases.filter(({ databaseId, targetSeconds }) => databaseId > 4 && targetSeconds === 0) ?? [];
    const choice = {
      databaseIds: automatic.map(({ databaseId }) => databaseId),
      byName: false,
      targetSeconds: 60,
      waveOf: new Map<number, number>(),
    };
    const review = await watch.monitor.reviewSwitch({
      ...choice,
      waves: { canary: 2, batch: 6, pauseMinutes: null, stopAboveWriteMs: null },
    });
    await watch.monitor.keepForecast(review);
    waves = listWaves(review.plan.steps).map(({ databaseIds }) => databaseIds);
    assert.match((await look()).title ?? '', /^Nothing has changed yet\./, 'opening a script changes nothing');
    await runWave(waves[0] ?? []);
    await watch.pass(25);
    await runWave(waves[1] ?? []);
    await watch.pass(25);
    const page = await look();
    const table = page.tables.find(({ id }) => id === 'waves') ?? assert.fail('no table of waves');
    assert.match(page.title ?? '', /^\d databases changed: [\d,.]+ → [\d,.]+ seconds an hour in checkpoints\.$/);
    const share = page.tables
      .find(({ id }) => id === 'result')
      ?.rows.at(-1)
      ?.cells.at(-1)?.value;
    assert.ok(share !== null && share === watch.monitor.snapshot.instance?.task?.busyShare, 'the head says the same');
    assert.ok(inputOutput.startsWith(`The one checkpoint task was busy ${formatPercent(share ?? NaN)} of `), inputOutput);
    const shown = texts(table);
    assert.deepEqual(
      shown.map(([wave, , databases]) => [wave, databases]),
      waves.map((ids, at) => [`Wave ${at + 1}`, String(ids.length)]),
    );
    assert.ok(shown.slice(0, 2).every(([, run, , forecast, seen, verdict]) => [run, forecast, seen, verdict].every((text) => text !== '')));
    assert.equal(table.rows[1]?.cells[4]?.value, share);
    const redo = page.tables.find(({ id }) => id === 'limits')?.rows.find(({ cells }) => cells[0]?.text === 'Redo queue, last look');
    assert.equal(redo?.cells[2]?.text, 'none', 'there is no group here');
    const next = table.rows[2]?.cells ?? [];
    assert.deepEqual([next[1]?.text, next[5]?.link], ['not run', { text: 'Review wave 3…', does: 'reviewScript', databaseIds: waves[2] }]);
  });

  it('is held to in another window too', async () => {
    await watch.monitor.dispose();
    watch = new Watch(simulator, kept);
    await watch.monitor.refresh();
    const { preflight, instance } = await watch.monitor.reviewSwitch(choiceOf(waves[2] ?? []));
    assert.notEqual(instance?.logWrites, 'not read', 'limits and log writes are read for the review of the next wave');
    const isUp = watch.monitor.snapshot.nearestLimit?.isUp ?? false;
    assert.deepEqual([instance?.objection?.kind === 'stop', preflight.server.some(({ rule }) => rule === 'limit-exceeded')], [isUp, isUp]);
    const table = (await look()).tables.find(({ id }) => id === 'waves') ?? assert.fail('no table of waves');
    assert.equal(table.rows.length, waves.length);
    assert.notEqual(table.rows[1]?.cells[4]?.text, '');
  });
});
