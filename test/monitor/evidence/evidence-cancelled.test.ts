import assert from 'node:assert/strict';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { FakeServer, FakeTimers, surroundingsOf } from '../fake-server';

const READING = 'Reading the error log and the backups…';
const MINUTE_MS = 60_000;
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** A monitor whose clock and longer timers are in the test's hands. */
class Watch {
  readonly server = new FakeServer();
  readonly timers = new FakeTimers();
  readonly changes: string[] = [];
  readonly surroundings = surroundingsOf(this.server, this.timers);
  readonly monitor: ServerMonitor;
  nowMs = 0;

  constructor() {
    this.monitor = createServerMonitor({
      ...this.surroundings,
      elapsedMs: () => this.nowMs,
      schedule: (delayMs, task) => (delayMs > 0 ? this.timers.schedule(delayMs, task) : runSoon(task)),
    });
    this.monitor.onDidChange((change) => this.changes.push(change));
  }

  get state(): ServerMonitor['timeline']['known']['state'] {
    return this.monitor.timeline.known.state;
  }

  /** Somebody looks. @returns the error logs asked for so far */
  async look(): Promise<number> {
    this.monitor.askForEvidence();
    this.timers.fire(0);
    await settle();
    this.timers.fire(10_000);
    await settle();
    return this.server.texts.filter((text) => text.includes('error-log')).length;
  }
}

function runSoon(task: () => void): { dispose(): void } {
  const timer = setImmediate(task);
  return { dispose: () => clearImmediate(timer) };
}

describe('Reading for the pages of evidence', () => {
  let watch: Watch;

  beforeEach(async () => {
    watch = new Watch();
    await watch.monitor.refresh();
    watch.server.isSilent = true;
  });
  afterEach(() => watch.monitor.dispose());

  it('is told once it takes longer than a second, and is not cancelled before it begins', async () => {
    watch.monitor.timeline.cancelReading();
    watch.monitor.askForEvidence();
    await settle();
    assert.deepEqual(watch.state, { reading: null, stopped: null });
    watch.changes.length = 0;
    watch.timers.fire(1_000);
    assert.deepEqual(
      [watch.state, watch.changes],
      [{ reading: { text: READING }, stopped: null }, ['evidence']],
    );
  });

  it('ends at once when cancelled; pages are made of what was read before, and nothing is read again for ten minutes', async () => {
    await watch.look();
    assert.ok(watch.state.reading !== null);
    watch.server.isSilent = false;
    watch.monitor.timeline.cancelReading();
    assert.deepEqual([watch.state.reading, watch.state.stopped?.startsWith('Cancelled.')], [null, true]);
    await settle();
    const asked = watch.server.asked.length;
    const pages = watch.monitor.askForEvidence();
    assert.equal(pages?.errorLog.summary, 'The error log was not read.');
    for (let minute = 0; minute < 9; minute++) {
      watch.nowMs += MINUTE_MS;
      await watch.look();
    }
    assert.equal(watch.server.asked.length, asked, 'nothing was asked of the server');
    assert.ok(watch.state.stopped !== null);
    watch.nowMs += 2 * MINUTE_MS;
    await watch.look();
    assert.ok(watch.server.asked.length > asked);
    assert.equal(watch.state.stopped, null);
  });

  it('goes on at once if the user refreshes', async () => {
    await watch.look();
    watch.server.isSilent = false;
    watch.monitor.timeline.cancelReading();
    await settle();
    await watch.monitor.refresh();
    assert.equal(watch.state.stopped, null);
    const asked = watch.server.asked.length;
    await watch.look();
    assert.ok(watch.server.asked.length > asked);
  });

  it('is done again at once if the user refreshes, and by itself every ten minutes', async () => {
    watch.server.isSilent = false;
    const first = await watch.look();
    assert.ok(first > 0);
    watch.nowMs += 9 * MINUTE_MS;
    watch.timers.fire(watch.surroundings.refreshIntervalMs);
    await settle();
    assert.equal(await watch.look(), first, 'nobody refreshed');
    await watch.monitor.refresh();
    const second = await watch.look();
    assert.ok(second > first, 'the reader refreshed');
    watch.nowMs += 2 * MINUTE_MS;
    assert.equal(await watch.look(), second, 'ten minutes from the last reading');
    watch.nowMs += 9 * MINUTE_MS;
    assert.ok((await watch.look()) > second);
  });

  it('begins again if another server answers: what was read and cancelled belonged to the one before', async () => {
    const countReadings = (): number =>
      watch.server.asked.filter((name) => name === 'message-templates').length;
    await watch.look();
    watch.monitor.timeline.cancelReading();
    await settle();
    assert.ok(watch.state.stopped !== null && watch.monitor.askForEvidence() !== null);
    watch.server.isSilent = false;
    watch.server.name = 'ANOTHER';
    watch.timers.fire(watch.surroundings.refreshIntervalMs);
    await settle();
    assert.equal(watch.state.stopped, null);
    assert.deepEqual([watch.monitor.askForEvidence(), countReadings()], [null, 0]);
    await watch.look();
    assert.equal(countReadings(), 1, 'its own error log is asked for at once');
  });
});
