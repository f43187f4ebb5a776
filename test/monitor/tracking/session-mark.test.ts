import assert from 'node:assert/strict';
import fc from 'fast-check';
import { StartedElsewhere } from '../../../src/monitor/tracking/session-owner';
import { FakeServer, installationOf } from '../fake-server';
import { listChanges, watch } from '../watched-fake';

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

/** What happens on two servers that look alike, to which we and a colleague come; the second is a clone of the first at some time. */
const STEPS = [
  'start',
  'stop',
  'remove',
  'colleague makes',
  'colleague starts',
  'colleague stops',
  'colleague drops',
  'clone',
  'change',
] as const;

describe('Any sequence of starts, stops, removals, clones and colleagues', () => {
  it("changes and drops without a question only what this installation made, and never while a colleague's start of it runs", async () => {
    const step = fc.record({ what: fc.constantFrom(...STEPS), on: fc.constantFrom(0, 0, 1), between: fc.constantFrom(true, false, false) });
    let kept = 0;
    let dropped = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (some) => {
        const steps = [{ what: 'start', on: 0, between: false }, ...some];
        const installation = installationOf();
        const servers = [new FakeServer(), new FakeServer()] as const;
        let clock = 0;
        /** As the truth has it: who made what is there, and who started it. */
        const truth = servers.map(() => ({ maker: 'us', starter: 'us' }));
        const other = (on: number, what: string): void => {
          const [server, known] = [servers[on], truth[on]];
          if (server === undefined || known === undefined) return;
          if (what === 'colleague drops') Object.assign(server, { isDefined: false, isRunning: false, mark: null });
          if (what === 'colleague stops') server.isRunning = false;
          if (what === 'colleague makes' && !server.isDefined) {
            Object.assign(server, { isDefined: true, file: 'CheckpointHealth.xel', mark: null });
            known.maker = 'colleague';
          }
          if (what === 'colleague starts' && server.isDefined && !server.isRunning) {
            Object.assign(server, {
              isRunning: true,
              startedLocal: new Date(Date.UTC(2026, 2, 3, 9, 0, ++clock)).toISOString().slice(0, 19),
            });
            known.starter = 'colleague';
          }
        };
        for (const { what, on, between } of steps) {
          const [server, known] = [servers[on], truth[on]] as [FakeServer, { maker: string; starter: string }];
          if (what.startsWith('colleague')) other(on, what);
          else if (what === 'clone') {
            const { isDefined, isRunning, file, mark, startedLocal, definitionId } = servers[0];
            Object.assign(servers[1], { isDefined, isRunning, file, mark, startedLocal, definitionId });
            Object.assign(truth[1] as object, truth[0]);
          } else {
            const { monitor } = await watch([], server, installation);
            if (what !== 'start' && server.isRunning) await monitor.startTracking(null).catch(() => undefined);
            if (between) {
              // The colleague comes at the worst moment: behind our last look.
              server.hasEarlierFiles = true;
              server.after.set(what === 'remove' ? 'checkpoint-events' : 'event-session', () => {
                for (const each of ['colleague stops', 'colleague drops', 'colleague makes', 'colleague starts']) other(on, each);
              });
            }
            const before = { ...known, isThere: server.isDefined, isRunning: server.isRunning };
            const wasOurs = (): boolean => known.maker === 'us' && (!server.isRunning || known.starter === 'us');
            const isOurs = wasOurs();
            const made = listChanges(server).length;
            if (what === 'start') await monitor.startTracking(null).catch(() => undefined);
            if (what === 'stop') await monitor.stopTracking().catch(() => undefined);
            if (what === 'remove') await monitor.removeTracking().catch(() => undefined);
            if (what === 'change') await monitor.changeTrackedDatabases([5]).catch(() => undefined);
            server.after.clear();
            const changes = listChanges(server).slice(made);
            if (before.isThere && !isOurs) assert.deepEqual(changes, [], `${what} of a colleague's`);
            if (known.maker === 'colleague' && before.maker === 'us') assert.ok(server.isDefined, `${what}: the colleague's is dropped`);
            if (known.starter === 'colleague' && before.starter === 'us')
              assert.ok(server.isRunning, `${what}: the colleague's is stopped`);
            if (changes.includes('session-create') && server.mark !== null) Object.assign(known, { maker: 'us', starter: 'us' });
            if (changes.includes('session-drop') && !server.isDefined) dropped++;
            if (before.isThere && !isOurs) kept++;
            await monitor.dispose();
          }
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(kept > 50 && dropped > 20, `${kept} left alone, ${dropped} dropped`);
  });
});
