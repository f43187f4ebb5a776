import assert from 'node:assert/strict';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { finishSteps } from '../../../src/core/steps';
import { decodeWriteWork, encodeWriteWork } from '../../../src/core/write-work/write-work-bytes';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import { decodeWatch } from '../../../src/monitor/evidence/kept-changes';
import { ServerEvidence } from '../../../src/monitor/evidence/server-evidence';
import { instanceAt } from '../../core/write-work/work-readings-of';
import { FakeTimers } from '../fake-server';
import { shortTimers } from '../opened-record';
import { checkpoints, running, watchUnread } from '../watched-fake';

const changedUtcMs = Date.UTC(2026, 2, 2, 7);

/** A monitor that has read the facts once, whose short pauses pass by themselves. */
async function watch() {
  const kept: KeptRecord[] = [];
  const longTimers = new FakeTimers().schedule;
  const watched = watchUnread(
    { schedule: (delayMs, task) => (delayMs > 50 ? longTimers : shortTimers)(delayMs, task) },
    undefined,
    kept,
  );
  await watched.monitor.refresh();
  return { ...watched, kept };
}

describe('Gathering the evidence about a server', () => {
  it('ends with a sentence if the monitor is closed while the server does not answer', async () => {
    const { server, monitor } = await watch();
    server.isSilent = true;
    const gathered = assert.rejects(monitor.gatherEvidence(), /is being closed/);
    const another = assert.rejects(monitor.gatherEvidence(), /is being closed/);
    await monitor.dispose();
    await Promise.all([gathered, another]);
  });

  it('stops within a slice when the window closes, wherever the computing is', async () => {
    /**
     * @param closesAfter slices, each of which lets others have the thread
     * @returns how many slices there were, and what was said
     */
    const gather = async (closesAfter: number): Promise<readonly [slices: number, said: string]> => {
      let [nowMs, slices] = [0, 0];
      let closing: Promise<void> | null = null;
      const { monitor } = watchUnread({
        elapsedMs: () => (nowMs += 20),
        schedule: (delayMs, task) => {
          if (delayMs > 50) return { dispose: () => undefined };
          if (delayMs === 0 && ++slices === closesAfter) closing = monitor.dispose();
          return shortTimers(delayMs, task);
        },
      });
      await monitor.refresh();
      slices = 0;
      const said = await monitor.gatherEvidence().then(
        () => 'gathered',
        (error: unknown) => String(error),
      );
      await (closing ?? monitor.dispose());
      return [slices, said];
    };
    const [all, whole] = await gather(Infinity);
    assert.ok(all > 2 && whole === 'gathered', `${all} ${whole}`);
    for (let closesAfter = 1; closesAfter < all; closesAfter++) {
      const [slices, said] = await gather(closesAfter);
      assert.equal(slices, closesAfter);
      assert.match(said, /is being closed/);
    }
  });

  it('ends at once when cancelled, whatever the server does', async () => {
    const { server, monitor } = await watch();
    server.isSilent = true;
    const cancel = new AbortController();
    const gathered = assert.rejects(monitor.gatherEvidence(cancel.signal), /was cancelled/);
    cancel.abort();
    await gathered;
    await monitor.dispose();
  });

  it('lets clicks go between two questions, and asks another server that they meet nothing more', async () => {
    for (const isAnother of [false, true]) {
      const { server, monitor } = await watch();
      let clicked: Promise<boolean> | null = null;
      server.after.set('server-clock', () => {
        if (isAnother) server.name = 'PROD-SQL08';
        clicked = monitor.refresh().then(() => server.asked.includes('backups'));
      });
      await monitor.gatherEvidence().catch(() => undefined);
      assert.deepEqual([await clicked, server.asked.includes('backups')], [false, !isAnother]);
      await monitor.dispose();
    }
  });

  it('shows nothing of a server if another one answers in its place by then', async () => {
    const { server, monitor } = await watch();
    await monitor.setChanges([5], changedUtcMs);
    server.name = 'PROD-SQL08';
    const refreshed = monitor.refresh();
    await assert.rejects(monitor.gatherEvidence(), /Another server answers now/);
    await refreshed;
    assert.deepEqual(monitor.snapshot.changes, []);
    const { beforeAfter } = await monitor.gatherEvidence();
    assert.match(beforeAfter.title ?? '', /^Nothing has changed yet/);
    await monitor.dispose();
  });

  it('keeps samples beside those of other windows, shows both together in the next, and leaves what it cannot read', async () => {
    const { monitor, kept } = await watch();
    await monitor.startTracking(null);
    await monitor.keepNow();
    const [{ bytes, join } = assert.fail()] = (kept.at(-1)?.sections ?? []).filter(
      ({ name }) => name === 'write-work',
    );
    const others = [0, 1].map((hour) => {
      const log = new WriteWorkLog();
      for (const minute of [0, 1])
        log.appendInstance(instanceAt((60 * hour + minute) * 60_000, minute), 120_000);
      return finishSteps(encodeWriteWork(log));
    });
    const all =
      finishSteps(join!(others[1]!, finishSteps(join!(others[0]!, bytes)) ?? assert.fail())) ?? assert.fail();
    assert.equal(finishSteps(decodeWriteWork(all)).log?.instanceSamples().rows, 2);
    assert.equal(finishSteps(join!(Uint8Array.of(1), bytes)), null);
    const evidence = new ServerEvidence({
      subject: () => ({}),
      elapsedMs: () => 0,
      schedule: shortTimers,
      pause: async () => undefined,
      warn: assert.fail,
    } as never);
    await evidence.takeUp(others.map((each) => ({ name: 'write-work', bytes: each })));
    assert.equal(evidence.readSamples(null)?.samples.samples, 2);
    await monitor.dispose();
  });

  it('counts missed recovery targets only while the session records them, and once all that is stored was read', async () => {
    const { server, monitor, kept } = await watch();
    const count = async (): Promise<unknown> => {
      await monitor.refresh();
      await monitor.gatherEvidence();
      await monitor.keepNow();
      const watched = kept.at(-1)?.sections.find(({ name }) => name === 'forecast');
      return decodeWatch(watched?.bytes ?? assert.fail()).looks.at(-1)?.targetMisses;
    };
    await monitor.startTracking(null);
    assert.equal(await count(), 0);
    await monitor.stopTracking();
    assert.equal(await count(), null);
    Object.assign(server, { ...running, events: checkpoints(1_000) });
    await monitor.startTracking(null);
    monitor.pauseReading();
    assert.equal(await count(), null);
    await monitor.dispose();
  });

  it('keeps what was known of a server with its capture, even if the facts are the first to show another server', async () => {
    const { server, monitor, kept } = await watch();
    await monitor.setChanges([5], changedUtcMs);
    await monitor.startTracking(null);
    server.name = 'PROD-SQL08';
    await monitor.refresh();
    const changes = kept[kept.length - 1]?.sections?.find(({ name }) => name === 'changes');
    assert.match(Buffer.from(changes?.bytes ?? []).toString(), /"source":"user"/);
    assert.equal(kept[kept.length - 1]?.serverName, 'PROD-SQL07');
    await monitor.dispose();
  });
});
