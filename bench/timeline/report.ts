/** What was measured as tables, and the goals of bench/README.md. */
import { findMedian, printGoal } from '../contest';
import type { Turn } from './turn';

/** Each a module of ./contenders. */
export const CONTENDERS = ['ours', 'typed-canvas'] as const;
export type ContenderName = (typeof CONTENDERS)[number];

/** The turns of each contender, by the number of checkpoints. */
export type Outcomes = ReadonlyMap<number, Readonly<Record<ContenderName, Turn[]>>>;

const MILLION = 1_000_000;

export function printOutcomes(outcomes: Outcomes): void {
  const of = (rows: number, name: ContenderName, measure: keyof Turn): number =>
    findMedian((outcomes.get(rows)?.[name] ?? []).map((turn) => turn[measure] ?? NaN));
  for (const rows of outcomes.keys()) {
    console.log(`\n${rows.toLocaleString('en')} checkpoints`);
    console.table(
      Object.fromEntries(
        CONTENDERS.map((name) => [
          name,
          {
            'first picture, ms': round(of(rows, name, 'firstMs')),
            'script a frame, ms': round(of(rows, name, 'scriptMs')),
            'CPU a frame, ms': round(of(rows, name, 'cpuMs')),
            'renderer memory, MB': round(of(rows, name, 'bytes') / 1e6),
          },
        ]),
      ),
    );
  }
  const ratio = of(MILLION, 'typed-canvas', 'cpuMs') / of(MILLION, 'ours', 'cpuMs');
  const growth = of(5 * MILLION, 'ours', 'scriptMs') / of(100_000, 'ours', 'scriptMs');
  printGoal('pan at 1 million, CPU a frame: typed canvas over ours', ratio, 30, 60, false);
  printGoal('script a frame, 5 million over 100 thousand', growth, 2.5, 1.5, true);
  printGoal('first picture of 1 million, ms', of(MILLION, 'ours', 'firstMs'), 300, null, true);
  printGoal('renderer memory of 1 million, MB', of(MILLION, 'ours', 'bytes') / 1e6, 60, null, true);
}

const round = (figure: number): number => Number(figure.toFixed(1));
