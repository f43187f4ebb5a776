import assert from 'node:assert/strict';
import { revealSteadily } from '../../../src/shell/tree/reveal';

describe('showing a row of the pane', () => {
  const pauses: number[] = [];
  const pause = async (durationMs: number): Promise<void> => void pauses.push(durationMs);
  beforeEach(() => (pauses.length = 0));

  it('waits for nothing where the row can be shown at once', async () => {
    assert.equal(await revealSteadily(async () => undefined, pause), null);
    assert.deepEqual(pauses, []);
  });

  it('tries again when the tree was drawn again meanwhile', async () => {
    let attempts = 0;
    const reveal = async (): Promise<void> => {
      if (++attempts < 3) throw new Error('Cannot resolve tree item');
    };
    assert.equal(await revealSteadily(reveal, pause), null);
    assert.deepEqual([attempts, pauses.length], [3, 2]);
  });

  it('gives up in the end and hands back why', async () => {
    let attempts = 0;
    const left = await revealSteadily(() => Promise.reject(new Error(`attempt ${++attempts}`)), pause);
    assert.equal(String(left?.failure), 'Error: attempt 4');
  });
});
