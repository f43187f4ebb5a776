import { createChance } from '../../core/errorlog/disturbed-log';
import { drawDeeds, LakeSequence } from './lake-sequence';
import { makeFolder } from '../../temporary-folder';

/** Sequences: one, always the same, or as many as are asked for. */
const SEEDS = Array.from({ length: Number(process.env['LAKE_SEQUENCES'] ?? 1) }, (_, at) => at + 1);

describe('What servers behind a name show of themselves', function () {
  this.timeout(SEEDS.length * 120_000);

  it('is in a lake exactly once, whatever happens to names, states, files and disk', async () => {
    for (const seed of SEEDS) {
      const folder = makeFolder();
      const chance = createChance(seed);
      const sequence = await LakeSequence.open(folder, chance);
      try {
        for (const [turn, deed] of drawDeeds(chance, SEEDS.length > 1 ? 9 : 0).entries()) {
          sequence.pass();
          if (SEEDS.length > 1 || turn % 3 !== 2) await sequence.collect();
          await sequence.do(deed);
        }
        await sequence.collectBoth();
        await sequence.check();
      } finally {
        await sequence.close();
      }
    }
  });
});
