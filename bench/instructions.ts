/**
 * Goals 1b and 3 by instruction count, which a busy machine does not disturb: callgrind counts two runs of different length, and the difference is what an event
 * takes. Says so where valgrind is not installed. Run: npm run bench -- instructions
 */
import { spawnSync } from 'node:child_process';
import { buildSync } from 'esbuild';
import { printGoal } from './contest';

const WORK = 'dist/bench/event-work.js';
const EVENTS = 20_000;
/** So late that everything is compiled before the difference begins: between 6 and 12 passes compiling still takes some 400 instructions an event. */
const STEADY = [20, 40] as const;
const STEADY_LIBRARY = [8, 16] as const;

interface Counted {
  readonly name: string;
  readonly shape: string;
  readonly passes: readonly [number, number];
  readonly events: number;
}

function countInstructions({ name, shape, passes, events }: Counted): number {
  const [few, many] = passes.map((count) => {
    const node = [process.execPath, '--single-threaded', WORK, name, shape, String(count), String(events)];
    const options = ['--tool=callgrind', '--smc-check=all-non-file', '--callgrind-out-file=/dev/null'];
    const { stderr } = spawnSync('valgrind', [...options, ...node], { encoding: 'utf8' });
    return Number(/Collected : (\d+)/.exec(stderr)?.[1] ?? NaN);
  });
  return ((many ?? NaN) - (few ?? NaN)) / ((passes[1] - passes[0]) * events);
}

function main(): void {
  if (spawnSync('valgrind', ['--version']).status !== 0) {
    console.log('valgrind is not installed: instructions are not counted, goals 1b and 3 are not observed.');
    return;
  }
  buildSync({
    entryPoints: ['bench/event-work.ts'],
    bundle: true,
    platform: 'node',
    target: 'node16',
    packages: 'external',
    outfile: WORK,
  });
  const ours = countInstructions({ name: 'ours', shape: 'published', passes: STEADY, events: EVENTS });
  const own = countInstructions({ name: 'ours', shape: 'own', passes: STEADY, events: EVENTS });
  const typed = countInstructions({ name: 'ours', shape: 'typed', passes: STEADY, events: EVENTS });
  const walk = countInstructions({ name: 'ours', shape: 'unlike', passes: STEADY, events: EVENTS });
  console.log(
    `Instructions an event, text to paired checkpoint: published rows ${ours.toFixed(0)}, our own ${own.toFixed(0)}, of a ring buffer ${typed.toFixed(0)}, each of a layout of its own ${walk.toFixed(0)}`,
  );
  printGoal('fast tier', own, 2500, 1500, true);
  printGoal('sound tier', walk, 7000, 4000, true);
  const goals = { saxes: [28, 40], 'fast-xml-parser': [80, 120], xml2js: [140, 200] } as const;
  for (const [name, [must, stretch]] of Object.entries(goals)) {
    const theirs = countInstructions({ name, shape: 'published', passes: STEADY_LIBRARY, events: 2000 });
    console.log(`  ${name}: ${theirs.toFixed(0)} an event`);
    printGoal(`instructions of ${name} over ours`, theirs / ours, must, stretch, false);
  }
}

main();
