import assert from 'node:assert/strict';
import { StartedElsewhere } from '../../../src/monitor/tracking/session-owner';
import { watch } from '../watched-fake';

const isAsked = (error: unknown): boolean => error instanceof StartedElsewhere;

describe('A server that refuses the mark', () => {
  it('is tracked without it, and each later change asks first', async () => {
    const { server, monitor } = await watch();
    server.refusesMark = true;
    await monitor.startTracking(null);
    assert.deepEqual([server.isRunning, server.mark], [true, null]);
    await assert.rejects(monitor.stopTracking(), isAsked);
    assert.equal(server.isRunning, true);
  });
});
