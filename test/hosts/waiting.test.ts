import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { waitFor } from '../../src/hosts/waiting';

const onAbort = (): Error => new Error('aborted');
const onTimeout = (): Error => new Error('too late');
const never = new Promise<never>(() => undefined);

function countTimers(): number {
  const { getActiveResourcesInfo } = process as unknown as { getActiveResourcesInfo(): string[] };
  return getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

describe('Waiting', () => {
  it('ends at once where its signal was aborted before', async () => {
    await assert.rejects(waitFor(never, { signal: AbortSignal.abort(), onAbort }), /aborted/);
  });

  it('keeps no process for work that nobody ends', () => {
    const before = countTimers();
    void waitFor(never, { timeoutMs: 60_000, onTimeout, onAbort }).catch(() => undefined);
    assert.equal(countTimers(), before);
  });

  it('leaves nothing on the signal, and drops what comes afterwards', async () => {
    const { signal } = new AbortController();
    await waitFor(Promise.resolve(), { signal, onAbort });
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 5));
    await assert.rejects(waitFor(late, { timeoutMs: 1, onTimeout, onAbort }), /too late/);
    await late.catch(() => undefined);
  });

  it('takes its time from whoever keeps it, and lets go of it', async () => {
    let [run, disposed] = [(): void => undefined, 0];
    const schedule = (_: number, task: () => void): { dispose(): void } => (
      (run = task),
      { dispose: () => void disposed++ }
    );
    const waiting = waitFor(never, { timeoutMs: 5, schedule, onTimeout, onAbort });
    run();
    await assert.rejects(waiting, /too late/);
    assert.equal(disposed, 1);
  });

  it('goes on where a look does not say so, or fails', async () => {
    for (const look of [async () => false, () => Promise.reject(new Error('blind'))]) {
      let looked = 0;
      let answer: (text: string) => void = () => undefined;
      const work = new Promise<string>((resolve) => (answer = resolve));
      const isOver = (): Promise<boolean> => {
        if (looked++ === 0) setTimeout(() => answer('answer'), 0);
        return look();
      };
      assert.equal(
        await waitFor(work, { onAbort, look: { afterMs: 1, isOver, onOver: () => new Error('over') } }),
        'answer',
      );
      assert.ok(looked > 0);
    }
  });
});
