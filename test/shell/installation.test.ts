import assert from 'node:assert/strict';
import { openInstallation } from '../../src/shell/installation';
import { FakeState } from './fake-editor';

describe('This installation of the extension', () => {
  it('has one id of eight hexadecimal digits, in every window, and another has another', () => {
    const state = new FakeState();
    const { id } = openInstallation(state);
    assert.match(id, /^[0-9a-f]{8}$/);
    assert.equal(openInstallation(state).id, id);
    assert.notEqual(openInstallation(new FakeState()).id, id);
  });

  it('has a new id where what is kept is none', async () => {
    const state = new FakeState();
    for (const kept of ['', '3F9A1C2E', "x'; DROP", 7, null]) {
      await state.update('checkpointHealth.installationId', kept);
      assert.match(openInstallation(state).id, /^[0-9a-f]{8}$/);
    }
  });

  it('remembers the last session in memory that it started on each server, in the next window too', async () => {
    const state = new FakeState();
    const installation = openInstallation(state);
    await installation.keepStarted('MI-1', { definitionId: 65_537, startedLocalMs: 1 });
    await installation.keepStarted('MI-2', { definitionId: 65_538, startedLocalMs: 2 });
    await installation.keepStarted('MI-1', { definitionId: 65_539, startedLocalMs: 3 });
    const next = openInstallation(state);
    assert.deepEqual(next.findStarted('MI-1'), { definitionId: 65_539, startedLocalMs: 3 });
    assert.deepEqual(next.findStarted('MI-2'), { definitionId: 65_538, startedLocalMs: 2 });
    assert.equal(next.findStarted('MI-3'), null);
    await state.update('checkpointHealth.startedSessions', { 'MI-1': { definitionId: 'x' } });
    assert.deepEqual([next.findStarted('MI-1'), next.findStarted('toString')], [null, null]);
  });
});
