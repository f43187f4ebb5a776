/**
 * The timeline beside other ways to draw the same data, in Chromium: first picture, script and CPU for a frame of
 * panning, memory. Contenders take turns, each in a browser of its own; quote only ratios. Run: npm run bench:timeline
 * [-- --sizes 10000,100000 --only ours,uplot --rounds 3]
 */
import { loadavg } from 'node:os';
import { Refusal, runMain } from '../../tools/fail';
import { CONTENDERS, type ContenderName } from './contenders';
import { joinTurns, type Turn } from './outcome';
import { writeGoals, writeTables } from './report';
import { runTurn } from './turn';

/** After a longer turn, an entry gets no further turn. */
const LONG_TURN_MS = 45_000;

/** Each option, with its value where none is given. */
const OPTIONS = {
  '--sizes': '10000,100000,1000000,5000000',
  '--only': Object.keys(CONTENDERS).join(),
  '--rounds': '3',
};

interface Entry {
  readonly rows: number;
  readonly name: ContenderName;
  readonly turns: Turn[];
  isOver: boolean;
}

async function main(): Promise<number> {
  const given = readOptions(process.argv.slice(2));
  const sizes = given['--sizes'].split(',').map(readCount);
  const names = given['--only'].split(',').map(readName);
  const rounds = readCount(given['--rounds']);
  const entries = sizes.flatMap((rows) =>
    names.map((name): Entry => ({ rows, name, turns: [], isOver: false })),
  );
  for (let round = 1; round <= rounds; round++) {
    for (const entry of entries) if (!entry.isOver) await takeTurn(entry, round);
  }
  const outcomesOf = (size: number) =>
    new Map(
      entries.filter(({ rows }) => rows === size).map(({ name, turns }) => [name, joinTurns(turns)] as const),
    );
  const outcomes = new Map(sizes.map((size) => [size, outcomesOf(size)] as const));
  console.log(
    `\nLoad ${loadavg()[0]!.toFixed(1)}, ${rounds} rounds, medians.\n\n${writeTables(outcomes)}\n\n${writeGoals(outcomes)}`,
  );
  return 0;
}

async function takeTurn(entry: Entry, round: number): Promise<void> {
  const begin = performance.now();
  const turn = await runTurn(entry.name, entry.rows);
  entry.turns.push(turn);
  entry.isOver = performance.now() - begin > LONG_TURN_MS;
  console.log(
    `${round}  ${entry.name.padEnd(14)} ${String(entry.rows).padStart(8)}  ${JSON.stringify(turn)}`,
  );
}

/** @throws Refusal with the word that it does not understand */
function readOptions(words: readonly string[]): typeof OPTIONS {
  const unknown = words.find((word, place) => place % 2 === 0 && !(word in OPTIONS));
  if (unknown !== undefined)
    throw new Refusal(`${unknown} is not an option: there are ${Object.keys(OPTIONS).join(', ')}.`);
  const given = words.flatMap((word, place) => (place % 2 === 0 ? [[word, words[place + 1] ?? '']] : []));
  return { ...OPTIONS, ...Object.fromEntries(given) };
}

/** @throws Refusal */
function readCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Refusal(`"${text}" is not a number above 0.`);
  return Number(text);
}

/** @throws Refusal */
function readName(name: string): ContenderName {
  if (!(name in CONTENDERS))
    throw new Refusal(`"${name}" does not take part: these do: ${Object.keys(CONTENDERS).join(', ')}.`);
  return name as ContenderName;
}

void runMain(main);
