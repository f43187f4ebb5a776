import assert from 'node:assert/strict';
import { ConnectionError } from '../../../src/hosts/host';
import { Dismissed } from '../../../src/shell/kit/command-table';
import { waitUnless } from '../../../src/shell/kit/conversation';
import type * as EditorConversation from '../../../src/shell/kit/editor-conversation';
import { HeldAnswer } from '../../held-answer';
import { cancels, loadShell, reported, shown } from '../fake-vscode';

const { showLongWork } = loadShell<typeof EditorConversation>('kit/editor-conversation');

describe('work that takes time', () => {
  const { setTimeout: realTimeout, clearTimeout: realClear } = global;
  let timers: { readonly task: () => void; readonly delayMs: number }[];

  beforeEach(() => {
    timers = [];
    shown.length = cancels.length = reported.length = 0;
    const set = (task: () => void, delayMs: number): unknown => (
      timers.push({ task, delayMs }),
      timers.length - 1
    );
    global.setTimeout = set as unknown as typeof setTimeout;
    global.clearTimeout = ((at: number) => void timers.splice(at, 1)) as unknown as typeof clearTimeout;
  });
  afterEach(() => Object.assign(global, { setTimeout: realTimeout, clearTimeout: realClear }));

  /** Lets a second pass. */
  const pass = (): void =>
    timers.splice(0).forEach(({ task, delayMs }) => (assert.ok(delayMs <= 1_000), task()));

  it('is shown only once it has taken a second', async () => {
    assert.equal(await showLongWork('Reading', async () => 7), 7);
    assert.deepEqual([timers.length, shown], [0, []]);
  });

  it('can be cancelled from then on, which ends it without a word', async () => {
    const working = showLongWork('Reading', (signal) => {
      const cancelled = new ConnectionError('cancelled', 'It was cancelled.');
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(cancelled)));
    });
    pass();
    assert.deepEqual(shown, [{ location: 15, title: 'Reading', cancellable: true }]);
    cancels[0]?.();
    await assert.rejects(working, Dismissed);
  });

  it('says what else went wrong after it was cancelled, because something may have been changed already', async () => {
    const failure = new ConnectionError('queryFailed', 'The session was made and cannot be started.');
    const working = showLongWork(
      'Starting',
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(failure))),
    );
    pass();
    cancels[0]?.();
    await assert.rejects(working, failure);
  });

  it('shows how much of it is done, also what was done before it was shown, and never goes back', async () => {
    let tell = (share: number): void => void share;
    const work = new HeldAnswer();
    const working = showLongWork('Writing', (_, told) => ((tell = told), work.call()));
    tell(0.25);
    pass();
    tell(0.75);
    tell(0.5);
    assert.deepEqual(reported, [{ increment: 25 }, { increment: 50 }]);
    work.give();
    await working;
  });
});

describe('waiting for what others wait for too', () => {
  it('ends for one user, and goes on for the others', async () => {
    const answer = new HeldAnswer<number>();
    const leaving = new AbortController();
    const left = waitUnless(leaving.signal, answer.call());
    const stayed = waitUnless(new AbortController().signal, answer.call());
    leaving.abort();
    await assert.rejects(left, Dismissed);
    answer.give(7);
    assert.equal(await stayed, 7);
  });

  it('is not begun by a user who has left, and hears what fails', async () => {
    await assert.rejects(waitUnless(AbortSignal.abort(), Promise.resolve(7)), Dismissed);
    await assert.rejects(waitUnless(new AbortController().signal, Promise.reject(new Error('gone'))), /gone/);
  });
});
