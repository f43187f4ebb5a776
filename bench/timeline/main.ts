/**
 * The timeline beside other ways to draw the same data, in Chromium: first picture, script and CPU for a frame of panning, memory. Contenders take turns, each
 * in a browser of its own; quote only ratios. Run: npm run bench:timeline [-- --sizes 10000,100000 --only ours,uplot --rounds 3]
 */
import { loadavg } from 'node:os';
import { runMain } from '../../tools/fail';
import { readArguments, type Asked } from './arguments';
import type { ContenderName } from './contenders';
import { NOTHING, joinTurns, type Turn } from './outcome';
import { bundlePage, usePage } from './browser-page';
import type { compareMarks as compare } from './marks';
import { writeGoals, writeMarks, writeTables, type Outcomes } from './report';
import { runTurn } from './turn';

/** After a longer turn, an entry gets no further turn. */
const LONG_TURN_MS = 45_000;

declare global {
  /** Set in the page that reads marks. */
  var compareMarks: typeof compare;
}

interface Entry {
  readonly rows: number;
  readonly name: ContenderName;
  readonly turns: Turn[];
  isOver: boolean;
}

async function main(): Promise<number> {
  const asked = readArguments(process.argv.slice(2));
  const entries = asked.sizes.flatMap((rows) => asked.contenders.map((name): Entry => ({ rows, name, turns: [], isOver: false })));
  for (let round = 1; round <= asked.rounds; round++) {
    for (const entry of entries) if (!entry.isOver) await takeTurn(entry, entries, round);
  }
  if (asked.contenders.includes('ours')) console.log(await readMarks(asked));
  const outcomes = gatherOutcomes(asked, entries);
  console.log(
    `\nLoad ${loadavg()[0]!.toFixed(1)}, ${asked.rounds} rounds, medians.\n\n${writeTables(outcomes)}\n\n${writeGoals(outcomes)}`,
  );
  return 0;
}

/** Compares at a million, or at the largest size below that was asked for. */
async function readMarks({ sizes }: Asked): Promise<string> {
  const rows = Math.max(sizes[0]!, ...sizes.filter((size) => size <= 1_000_000));
  const bundle = await bundlePage(`import { compareMarks } from './marks'; globalThis.compareMarks = compareMarks;`);
  const found = await usePage(async ({ page, load }) => {
    await load(bundle);
    return page.evaluate((count) => compareMarks(count), rows);
  });
  return `\nMarks of our picture beside an exact painter's, ${rows.toLocaleString('en')} checkpoints:\n\n${writeMarks(found)}`;
}

/** A contender that was stopped at a smaller size gets no turn at a larger one. */
async function takeTurn(entry: Entry, entries: readonly Entry[], round: number): Promise<void> {
  const failed = entries.find(
    ({ name, rows, turns }) => name === entry.name && rows < entry.rows && turns.some(({ stopped }) => stopped !== null),
  );
  if (failed) {
    entry.isOver = true;
    const stopped = failed.turns.find((turn) => turn.stopped !== null)!.stopped!;
    entry.turns.push({
      ...NOTHING,
      stopped: stopped.startsWith('left out') ? stopped : `left out: ${stopped} at ${failed.rows.toLocaleString('en')}`,
    });
    return;
  }
  const begin = performance.now();
  const turn = await runTurn(entry.name, entry.rows);
  entry.turns.push(turn);
  entry.isOver = turn.stopped !== null || performance.now() - begin > LONG_TURN_MS;
  console.log(`${round}  ${entry.name.padEnd(14)} ${String(entry.rows).padStart(8)}  ${JSON.stringify(turn)}`);
}

function gatherOutcomes({ sizes }: Asked, entries: readonly Entry[]): Outcomes {
  return new Map(
    sizes.map(
      (size) =>
        [size, new Map(entries.filter(({ rows }) => rows === size).map(({ name, turns }) => [name, joinTurns(turns)] as const))] as const,
    ),
  );
}

void runMain(main);
