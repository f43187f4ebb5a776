/** The result of one stage of npm test. Every check is counted once: passed, failed or skipped. */
export interface Outcome {
  readonly passed: number;
  readonly failed: readonly string[];
  /** The names of the checks that could not run, or had nothing to observe, with the reason if it is known. */
  readonly skipped: readonly string[];
}

/**
 * Whether a check was skipped because the server that was asked has nothing to observe: that is as good there as it
 * gets.
 */
const isUnobservable = (name: string): boolean => / \(not observable: [^]*\)$/.test(name);

/** What could not run, though it should. */
export const listNotRun = ({ skipped }: Outcome): readonly string[] =>
  skipped.filter((name) => !isUnobservable(name));

/** The outcome of one check that has no smaller ones. */
export function describeCheck(name: string, succeeded: boolean): Outcome {
  return { passed: succeeded ? 1 : 0, failed: succeeded ? [] : [name], skipped: [] };
}

/** The outcome of a stage that could not run. It counts as one check. */
export function describeSkip(name: string, reason: string): Outcome {
  return { passed: 0, failed: [], skipped: [`${name} (could not run: ${reason})`] };
}

/** Adds up outcomes. */
export function addOutcomes(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, outcome) => sum + outcome.passed, 0),
    failed: outcomes.flatMap((outcome) => outcome.failed),
    skipped: outcomes.flatMap((outcome) => outcome.skipped),
  };
}

/** The summary that npm test ends with; its last line is exactly `N passed, N failed, N skipped`. */
export function writeSummary(stages: readonly (readonly [string, Outcome])[], failsOnSkips: boolean): string {
  const total = addOutcomes(stages.map(([, outcome]) => outcome));
  const list = (title: string, names: readonly string[]): string[] =>
    names.length > 0 ? ['', title, ...names.map((name) => `  - ${name}`)] : [];
  return [
    '',
    'Summary',
    ...stages.map(([name, outcome]) => `  ${name.padEnd(24)} ${writeCounts(outcome)}`),
    ...list('Failed:', total.failed),
    ...list('Not observable:', total.skipped.filter(isUnobservable)),
    ...list(
      failsOnSkips ? 'Could not run, which is a failure where CI=true:' : 'Could not run:',
      listNotRun(total),
    ),
    '',
    writeCounts(total),
  ].join('\n');
}

function writeCounts(outcome: Outcome): string {
  return `${outcome.passed} passed, ${outcome.failed.length} failed, ${outcome.skipped.length} skipped`;
}
