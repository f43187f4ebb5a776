/** Outcomes as Markdown tables: what was measured, each as a multiple of ours, and the goals of bench/README.md. */
import { CONTENDERS, type ContenderName } from './contenders';
import type { Outcome } from './outcome';

type OutcomesOfSize = ReadonlyMap<ContenderName, Outcome>;
type Outcomes = ReadonlyMap<number, OutcomesOfSize>;

const HEADINGS = [
  'Contender',
  'First picture',
  '× ours',
  'Script a frame',
  '× ours',
  'CPU a frame',
  '× ours',
  'Renderer memory',
  'Turns',
];

/** One table for each size. */
export function writeTables(outcomes: Outcomes): string {
  const tables = [...outcomes].map(([rows, ofSize]) => {
    const ours = ofSize.get('ours');
    const lines = [...ofSize].map(([name, outcome]) => writeLine(name, outcome, ours));
    return [
      `### ${rows.toLocaleString('en')} checkpoints`,
      '',
      writeRow(HEADINGS),
      writeRow(HEADINGS.map(() => '---')),
      ...lines,
    ].join('\n');
  });
  return tables.join('\n\n');
}

const writeRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function writeLine(name: ContenderName, outcome: Outcome, ours: Outcome | undefined): string {
  const { firstMs, scriptMs, cpuMs, bytes, turns } = outcome;
  const times = (of: 'firstMs' | 'scriptMs' | 'cpuMs'): string => writeTimes(findRatio(outcome, ours, of));
  return writeRow([
    CONTENDERS[name],
    writeMs(firstMs),
    times('firstMs'),
    writeMs(scriptMs),
    times('scriptMs'),
    writeMs(cpuMs),
    times('cpuMs'),
    bytes === null ? '' : `${Math.round(bytes / 1e6)} MB`,
    String(turns),
  ]);
}

const writeMs = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en')} ms`;

const writeTimes = (ratio: number | null): string =>
  ratio === null ? '' : ratio < 10 ? ratio.toFixed(1) : Math.round(ratio).toLocaleString('en');

function findRatio(
  of: Outcome | undefined,
  over: Outcome | undefined,
  measure: 'firstMs' | 'scriptMs' | 'cpuMs',
): number | null {
  return of === undefined || over === undefined ? null : of[measure] / over[measure];
}

const MILLION = 1_000_000;
/** Goal 7: must and stretch. */
const TIMES_FASTER: readonly (readonly [ContenderName, number, number])[] = [
  ['typed-canvas', 30, 60],
  ['uplot', 200, 400],
  ['echarts', 500, 1000],
];

/**
 * Goals 7 and 8 and those for a million checkpoints, with what was seen. Says so if something was not measured in this
 * run.
 */
export function writeGoals(outcomes: Outcomes): string {
  const million = outcomes.get(MILLION);
  const ours = million?.get('ours');
  const rows = TIMES_FASTER.map(([name, must, stretch]) => {
    const ratio = findRatio(million?.get(name), ours, 'cpuMs');
    return writeGoal(
      `pan at 1 million, CPU a frame: ${CONTENDERS[name]} over ours`,
      ratio,
      must,
      stretch,
      '',
    );
  });
  const growth = findRatio(
    outcomes.get(5 * MILLION)?.get('ours'),
    outcomes.get(100_000)?.get('ours'),
    'scriptMs',
  );
  const megabytes = ours && ours.bytes !== null ? ours.bytes / 1e6 : null;
  return [
    writeRow(['Goal', 'Seen', 'Must', 'Stretch', '']),
    writeRow(['---', '---', '---', '---', '---']),
    ...rows,
    writeGoal('script a frame, 5 million over 100 thousand', growth, -2.5, -1.5, ''),
    writeGoal('first picture of 1 million', ours?.firstMs ?? null, -300, null, ' ms'),
    writeGoal('renderer memory above the empty page, 1 million', megabytes, -60, null, ' MB'),
  ].join('\n');
}

/** A goal below 0 is an upper limit. */
function writeGoal(
  what: string,
  seen: number | null,
  must: number,
  stretch: number | null,
  unit: string,
): string {
  const reaches = (goal: number): boolean => (goal < 0 ? seen! <= -goal : seen! >= goal);
  const verdict =
    seen === null
      ? 'not measured in this run'
      : stretch !== null && reaches(stretch)
        ? 'stretch'
        : reaches(must)
          ? 'must'
          : '**missed**';
  const goalText = (goal: number | null): string => (goal === null ? '' : `${Math.abs(goal)}${unit}`);
  return writeRow([
    what,
    seen === null ? '' : `${seen < 10 ? seen.toFixed(2) : Math.round(seen)}${unit}`,
    goalText(must),
    goalText(stretch),
    verdict,
  ]);
}
