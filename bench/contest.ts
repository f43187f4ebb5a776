/**
 * Contenders run in one process, in turns, so that a disturbance affects all of them; quote only their ratios. A quick
 * contender repeats its work until its turn is long enough to measure. Then it pays mostly for its own garbage, not for
 * that of the contender before.
 */
const SHORTEST_TURN_MS = 500;

export interface Contender {
  readonly name: string;
  readonly run: () => unknown;
}

export interface Outcome {
  readonly name: string;
  /** Medians over the rounds: processor time of all threads, and time on the clock. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** @param rounds those that count; one more comes first */
export async function runContest(
  contenders: readonly Contender[],
  rounds: number,
): Promise<readonly Outcome[]> {
  const times = contenders.map(() => ({ cpu: [] as number[], wall: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const [i, { run }] of contenders.entries()) {
      const [cpu, wall] = [process.cpuUsage(), performance.now()];
      let runs = 0;
      while (runs === 0 || performance.now() - wall < SHORTEST_TURN_MS) {
        await run();
        runs++;
      }
      const { user, system } = process.cpuUsage(cpu);
      if (round === 0) continue;
      times[i]?.wall.push((performance.now() - wall) / runs);
      times[i]?.cpu.push((user + system) / 1000 / runs);
    }
  }
  return contenders.map(({ name }, i) => ({
    name,
    cpuMs: findMedian(times[i]?.cpu ?? []),
    wallMs: findMedian(times[i]?.wall ?? []),
  }));
}

export function findMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/** The first one is ours; the others are shown as multiples of it. */
export function printContest(title: string, outcomes: readonly Outcome[]): void {
  console.log(`\n${title}`);
  const ours = outcomes[0]?.cpuMs ?? NaN;
  for (const { name, cpuMs, wallMs } of outcomes) {
    console.log(
      `  ${name.padEnd(56)} ${cpuMs.toFixed(1).padStart(8)} ms CPU ${wallMs.toFixed(1).padStart(8)} ms  x ${(cpuMs / ours).toFixed(2)}`,
    );
  }
}

/** One line of the table of goals (bench/README.md). */
export function printGoal(what: string, seen: number, must: number, stretch: number, isLess: boolean): void {
  const reaches = (goal: number): boolean => (isLess ? seen <= goal : seen >= goal);
  const verdict = reaches(stretch) ? 'stretch' : reaches(must) ? 'must' : 'MISSED';
  console.log(
    `  ${what.padEnd(56)} ${seen.toFixed(2).padStart(8)}  must ${must}, stretch ${stretch}: ${verdict}`,
  );
}
