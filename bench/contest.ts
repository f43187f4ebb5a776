/**
 * Contenders in one process, one after the other in every round, so that what disturbs one disturbs all: only their ratios are to be quoted. Who is done soon runs
 * again until a turn is long enough to be measured, and then pays for its own garbage more than for that of the one before.
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

/** @param rounds those that count; one more comes before them */
export async function runContest(contenders: readonly Contender[], rounds: number): Promise<readonly Outcome[]> {
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
  return contenders.map(({ name }, i) => ({ name, cpuMs: findMedian(times[i]?.cpu ?? []), wallMs: findMedian(times[i]?.wall ?? []) }));
}

export function findMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/** The first one is ours: every other one is shown as a multiple of it. */
export function printContest(title: string, outcomes: readonly Outcome[]): void {
  console.log(`\n${title}`);
  const ours = outcomes[0]?.cpuMs ?? NaN;
  for (const { name, cpuMs, wallMs } of outcomes) {
    console.log(
      `  ${name.padEnd(56)} ${cpuMs.toFixed(1).padStart(8)} ms CPU ${wallMs.toFixed(1).padStart(8)} ms  x ${(cpuMs / ours).toFixed(2)}`,
    );
  }
}

/** One line of the table of goals (docs/facts.md, Performance). */
export function printGoal(what: string, seen: number, must: number, stretch: number, isLess: boolean): void {
  const reaches = (goal: number): boolean => (isLess ? seen <= goal : seen >= goal);
  const verdict = reaches(stretch) ? 'stretch' : reaches(must) ? 'must' : 'MISSED';
  console.log(`  ${what.padEnd(56)} ${seen.toFixed(2).padStart(8)}  must ${must}, stretch ${stretch}: ${verdict}`);
}
