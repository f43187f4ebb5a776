import assert from 'node:assert/strict';
import { joinRingPieces, splitRingBuffer } from '../../../src/core/events/ring-buffer';
import { fillTemplate } from '../../../src/core/script/template';
import { ownSessionTemplates, readTemplates } from '../../../src/texts';
import { RingTarget } from '../../../simulator/engine/events/event-ring';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { openFreely } from '../../hosts/opening';
import { reach } from './watched-server';

describe('The ring buffer of a session', () => {
  const { makeTargetData } = RingTarget.prototype;
  let simulator: Simulator;
  afterEach(async () => {
    RingTarget.prototype.makeTargetData = makeTargetData;
    await simulator?.close();
  });

  it('is made into a text once for a reading, however many pieces that is cut into', async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required', scenario: 'managed-instance' });
    const connection = await openFreely(reach(simulator));
    const run = async (text: Parameters<typeof connection.query>[0]) => (await connection.query(text, { timeoutMs: 30_000 }))[0];
    try {
      await run(fillTemplate(ownSessionTemplates.createRing, {}));
      await run(fillTemplate(ownSessionTemplates.start, {}));
      simulator.server.advance(20 * 60_000);
      const made = new Map<RingTarget, number>();
      RingTarget.prototype.makeTargetData = function (this: RingTarget, context) {
        made.set(this, (made.get(this) ?? 0) + 1);
        return makeTargetData.call(this, context);
      };
      const set = await run(fillTemplate(readTemplates.ringBuffer, {}));
      const { ring } = joinRingPieces({ columns: set?.columns ?? [], rows: (set?.rows ?? []) as string[][] });
      assert.ok((set?.rows.length ?? 0) > 3, 'several pieces');
      assert.equal(splitRingBuffer(ring ?? '').events.length, splitRingBuffer(ring ?? '').head?.eventCount);
      assert.deepEqual(new Set(made.values()), new Set([1]));
    } finally {
      await connection.close();
    }
  });
});
