/**
 * Event text to paired checkpoints beside other ways (goals 1 and 2 of bench/README.md), memory held (5), and new
 * events on a long history (11). Every contender does the whole job in one process, in turns. Run: npx tsx
 * bench/events.ts [ways] [database] [memory] [history]
 */
import { execFileSync } from 'node:child_process';
import { printContest, printGoal, runContest } from './contest';
import { pairWithDuckDb } from './event-duckdb';
import { pairWithOurs, pairWithRegex, pairWithSaxes } from './event-contenders';
import { benchHistory } from './event-history';
import { createEventRows } from './event-rows';
import { runParts } from './parts';

const DATABASES = 500;
const ROUNDS = 5;

/** Reads every byte once, to show the best time that is possible. */
function readBytes(buffers: readonly Buffer[]): number {
  let found = 0;
  for (const buffer of buffers) if (buffer.indexOf(1) >= 0) found++;
  return found;
}

async function benchWays(): Promise<void> {
  const events = 100_000;
  const rows = createEventRows(events, DATABASES, 'published');
  const own = createEventRows(events, DATABASES, 'own');
  const typed = createEventRows(events, DATABASES, 'typed');
  const unlike = createEventRows(events, DATABASES, 'unlike');
  const buffers = rows.map(({ eventData }) => Buffer.from(eventData ?? '', 'latin1'));
  for (const [name, pair] of Object.entries({
    ours: pairWithOurs,
    saxes: pairWithSaxes,
    regex: pairWithRegex,
  })) {
    if (pair(rows) !== events / 2)
      throw new Error(`${name} finds ${pair(rows)} checkpoints of ${events / 2}.`);
  }
  const outcomes = await runContest(
    [
      { name: 'ours, published rows of 330 characters', run: () => pairWithOurs(rows) },
      { name: 'ours, rows of our own session', run: () => pairWithOurs(own) },
      { name: 'ours, rows of a ring buffer, with <type>', run: () => pairWithOurs(typed) },
      { name: 'ours, each row of a layout of its own: the walk', run: () => pairWithOurs(unlike) },
      { name: 'regular expression, Date.parse, objects, Map', run: () => pairWithRegex(rows) },
      { name: 'saxes', run: () => pairWithSaxes(rows) },
      { name: 'bound: every byte looked at once', run: () => readBytes(buffers) },
    ],
    ROUNDS,
  );
  printContest(`Goal 1: ${events} event texts to paired checkpoints`, outcomes);
  const ours = outcomes[0]?.cpuMs ?? NaN;
  const ratioOf = (name: string): number =>
    (outcomes.find((outcome) => outcome.name === name)?.cpuMs ?? NaN) / ours;
  printGoal('CPU of saxes over ours', ratioOf('saxes'), 12, 25, false);
  const bound = outcomes[outcomes.length - 1]?.cpuMs ?? NaN;
  console.log(
    `  ${((ours * 1e6) / events).toFixed(0)} ns an event; the bytes alone ${((bound * 1e6) / events).toFixed(0)} ns`,
  );
}

async function benchDatabase(): Promise<void> {
  const rows = createEventRows(200_000, DATABASES, 'published');
  const duckDb = await pairWithDuckDb(rows);
  const outcomes = await runContest(
    [
      { name: 'ours', run: () => pairWithOurs(rows) },
      ...duckDb.ways.map(({ name, run }) => ({ name: `DuckDB, one thread: ${name}`, run })),
    ],
    5,
  );
  duckDb.close();
  printContest('Goal 2: 200,000 event texts to paired checkpoints, in memory', outcomes);
  const best = Math.min(...outcomes.slice(1).map(({ cpuMs }) => cpuMs));
  printGoal('CPU of the best DuckDB form over ours', best / (outcomes[0]?.cpuMs ?? NaN), 2, 4, false);
}

/** In a process of its own, so that nothing else holds memory. */
function benchMemory(): void {
  console.log('\nGoal 5: a million checkpoints streamed in pages of a thousand rows');
  const text = execFileSync(
    process.execPath,
    ['--expose-gc', '--require', 'tsx/cjs', 'bench/event-memory.ts'],
    { encoding: 'utf8' },
  );
  const { heldBytes, peakBytes, checkpoints } = JSON.parse(text) as {
    heldBytes: number;
    peakBytes: number;
    checkpoints: number;
  };
  printGoal('bytes held a checkpoint', heldBytes / checkpoints, 16, 14, true);
  printGoal('bytes at the peak, an event', peakBytes / (2 * checkpoints), 25, 16, true);
}

const parts: Readonly<Record<string, () => void | Promise<void>>> = {
  ways: benchWays,
  database: benchDatabase,
  memory: benchMemory,
  history: benchHistory,
};

runParts(parts);
