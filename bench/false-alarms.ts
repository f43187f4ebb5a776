/**
 * How often comparisons before and after report a rise or fall although nothing changed. Histories of 300 databases with one kind of disorder each, and a
 * change that changes nothing. Also how often a single interval, uncorrected, misses its nominal 5 %.
 * Run: npx tsx bench/false-alarms.ts [weeks on each side] [histories of each kind]
 */
import { compareChanges, type Comparison } from '../src/core/comparison/comparison';
import { finishSteps } from '../src/core/steps';
import {
  BEGIN_UTC_MS,
  DAY_MS,
  changeAt,
  createDraw,
  generateBlocks,
  makeInput,
  type Disorder,
} from '../test/core/statistics/generated-history';

const DATABASES = 300;
const NOMINAL = 0.05;

/** Correlation between neighbouring quarters of an hour: 0.99 is a memory of one day, 0.995 of two. */
const KINDS: Readonly<Record<string, Disorder>> = {
  'small noise': { noise: 0.05, correlation: 0.5 },
  'correlation 0.9': { noise: 0.3, correlation: 0.9 },
  'correlation 0.97': { noise: 0.3, correlation: 0.97 },
  'correlation 0.99': { noise: 0.3, correlation: 0.99 },
  'correlation 0.995': { noise: 0.3, correlation: 0.995 },
  'whole days differ': { noise: 0.2, correlation: 0.9, days: 0.3 },
  'heavy tails': { noise: 0.2, correlation: 0.5, tails: 0.5 },
  'bursts of log': { noise: 0.2, correlation: 0.5, bursts: 0.02 },
  'weekly job': { noise: 0.1, correlation: 0.5, weeklyJob: 50 },
};

const [weeks = 1, histories = 2] = process.argv.slice(2).map(Number);

function generate(kind: Disorder, history: number): Parameters<typeof makeInput>[0] {
  return Array.from({ length: DATABASES }, (_, i) => ({
    name: `Database ${i}`,
    changes: [changeAt(BEGIN_UTC_MS + weeks * 7 * DAY_MS)],
    blocks: generateBlocks(createDraw(history * 100_003 + weeks * 1_009 + i), kind, weeks * 14, weeks * 7),
  }));
}

/** Counts statements of a rise or fall, and main intervals that do not contain 1. */
function countWrong({ changes }: Comparison): { readonly alarms: number; readonly misses: number; readonly unchanged: number } {
  const measures = changes.flatMap((change) => change.measures);
  const mains = changes.filter(({ members }) => members.length === 0).map((change) => change.measures[0]?.effect);
  return {
    alarms: measures.filter(({ conclusion }) => conclusion.kind === 'rose' || conclusion.kind === 'fell').length,
    misses: mains.filter((effect) => effect != null && (effect.low > 1 || (effect.high !== null && effect.high < 1))).length,
    unchanged: changes.filter(({ conclusion }) => conclusion.kind === 'no difference').length,
  };
}

for (const [name, kind] of Object.entries(KINDS)) {
  let [withAlarm, alarms, misses, unchanged] = [0, 0, 0, 0];
  for (let history = 1; history <= histories; history++) {
    const input = makeInput(generate(kind, history));
    const corrected = countWrong(finishSteps(compareChanges(input)));
    if (corrected.alarms > 0) withAlarm++;
    alarms += corrected.alarms;
    unchanged += corrected.unchanged;
    // Makes the interval of each main measure one of 95 %, uncorrected: they share half of the error in equal parts.
    const error = NOMINAL * 2 * (DATABASES + 1);
    misses += countWrong(finishSteps(compareChanges(input, { blockMinutes: 60, error }))).misses;
  }
  const share = ((100 * misses) / (histories * DATABASES)).toFixed(1);
  const said = `${withAlarm} of ${histories} histories with an alarm (${alarms} in all)`;
  console.log(
    `${weeks} weeks each side, ${name}: ${said}; single 95 % intervals that miss: ${share} %; said to be unchanged: ${unchanged}`,
  );
}
