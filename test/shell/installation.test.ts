import assert from 'node:assert/strict';
import { openInstallation } from '../../src/shell/installation';
import { FakeState } from './fake-editor';

const [one, two] = ['1f'.repeat(16), '2e'.repeat(16)] as const;

describe('This installation of the extension', () => {
  it('gives each session another mark, which cannot be guessed', () => {
    const installation = openInstallation(new FakeState());
    const marks = new Set(Array.from({ length: 100 }, () => installation.newMark()));
    assert.equal(marks.size, 100);
    for (const mark of marks) assert.match(mark, /^[0-9a-f]{32}$/);
  });

  it('remembers the sessions that it started by their marks, in the next window too', async () => {
    const state = new FakeState();
    const installation = openInstallation(state);
    await installation.keepStarted({ mark: one, startedLocalMs: null });
    await installation.keepStarted({ mark: two, startedLocalMs: 2 });
    await installation.keepStarted({ mark: one, startedLocalMs: 3 });
    const next = openInstallation(state);
    assert.deepEqual(next.findStarted(one), { mark: one, startedLocalMs: 3 });
    assert.deepEqual(next.findStarted(two), { mark: two, startedLocalMs: 2 });
    assert.equal(next.findStarted('3d'.repeat(16)), null);
  });

  it('forgets the oldest ones rather than growing without end', async () => {
    const state = new FakeState();
    const marks = Array.from({ length: 5_001 }, (_, at) => at.toString(16).padStart(32, '0'));
    await state.update(
      'checkpointHealth.markedSessions',
      marks.slice(0, -1).map((mark) => ({ mark, startedLocalMs: 1 })),
    );
    const installation = openInstallation(state);
    await installation.keepStarted({ mark: marks[5_000] ?? '', startedLocalMs: 1 });
    const known = [marks[0], marks[1], marks[5_000]].map(
      (mark) => installation.findStarted(mark ?? '') !== null,
    );
    assert.deepEqual(known, [false, true, true]);
  });

  it('takes nothing else that is kept there for a session of ours', async () => {
    const state = new FakeState();
    for (const kept of [
      '',
      7,
      null,
      { [one]: 1 },
      [{ mark: one, startedLocalMs: 'x' }],
      [{ mark: 'x', startedLocalMs: 1 }],
    ]) {
      await state.update('checkpointHealth.markedSessions', kept);
      assert.equal(openInstallation(state).findStarted(one), null);
    }
    const later = { mark: two, started: { local: 'x' } };
    await state.update('checkpointHealth.markedSessions', [later]);
    await openInstallation(state).keepStarted({ mark: one, startedLocalMs: 1 });
    assert.deepEqual(
      state.get('checkpointHealth.markedSessions'),
      [later, { mark: one, startedLocalMs: 1 }],
      'what a later version keeps stays',
    );
  });
});
