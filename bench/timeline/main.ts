/**
 * The timeline beside a canvas written by hand, with the same data, in Chromium: first picture, script and CPU for a
 * frame of panning, memory. They take turns, each in a browser of its own; quote only ratios. Run: npm run
 * bench:timeline [-- 10000,100000 3]
 */
import { loadavg } from 'node:os';
import { runMain } from '../../tools/fail';
import { CONTENDERS, type Outcomes, printOutcomes } from './report';
import { runTurn, type Turn } from './turn';

/** After a longer turn, a contender gets no further one at that size. */
const LONG_TURN_MS = 45_000;

async function main(): Promise<number> {
  const [sizes = '10000,100000,1000000,5000000', rounds = '3'] = process.argv.slice(2);
  const outcomes: Outcomes = new Map(
    sizes.split(',').map((size) => [Number(size), { ours: [], 'typed-canvas': [] }]),
  );
  const slow = new Set<readonly Turn[]>();
  for (let round = 1; round <= Number(rounds); round++)
    for (const [rows, turnsOf] of outcomes)
      for (const name of CONTENDERS) {
        const turns = turnsOf[name];
        if (slow.has(turns)) continue;
        const begin = performance.now();
        turns.push(await runTurn(name, rows));
        if (performance.now() - begin > LONG_TURN_MS) slow.add(turns);
        console.log(`${round}  ${name.padEnd(14)} ${String(rows).padStart(8)}`, turns.at(-1));
      }
  console.log(`\nLoad ${loadavg()[0]!.toFixed(1)}, ${rounds} rounds, medians.`);
  printOutcomes(outcomes);
  return 0;
}

void runMain(main);
