import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../packages';
import { startLeashed } from '../processes/leashed';
import { addOutcomes, describeCheck, type Outcome } from './outcome';

export type Print = (text: string) => void;

/** Runs a Node program of an installed package as one check. It passes with exit code 0. */
export async function runProgram(
  name: string,
  program: string,
  args: readonly string[],
  print: Print,
): Promise<Outcome> {
  const exitCode = await runNode([join(root, 'node_modules', program), ...args], print);
  return describeCheck(name, exitCode === 0);
}

/** Test files, and how Mocha runs them. */
export interface Mocha {
  readonly files: readonly string[];
  readonly ignored?: readonly string[];
  /** Beside what the environment says, which wins: so a run by hand can take other seeds. */
  readonly env?: NodeJS.ProcessEnv;
  /** More options for Mocha. */
  readonly options?: readonly string[];
}

/**
 * Runs test files in Mocha and counts their tests. If Mocha ends without an outcome (no files, a file that does not
 * load, a crash), that is one failure.
 */
export async function runMocha(
  name: string,
  { files, ignored = [], env = {}, options = [] }: Mocha,
  print: Print,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'cph-tests-'));
  const outcomeFile = join(folder, 'outcome.json');
  const reporter = [
    '--reporter',
    join(__dirname, 'mocha-reporter.cjs'),
    '--reporter-option',
    `outcome=${outcomeFile}`,
  ];
  try {
    const ignore = ignored.flatMap((pattern) => ['--ignore', pattern]);
    const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
    const exitCode = await runNode(
      [mocha, '--exit', '--forbid-only', ...reporter, ...options, ...ignore, ...files],
      print,
      env,
    );
    if (!existsSync(outcomeFile)) return describeCheck(`${name}: Mocha ended without an outcome`, false);
    const outcome = JSON.parse(readFileSync(outcomeFile, 'utf8')) as Outcome;
    const crashed = exitCode !== 0 && outcome.failed.length === 0;
    return crashed
      ? addOutcomes([outcome, describeCheck(`${name}: Mocha ended with ${exitCode}`, false)])
      : outcome;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runNode(args: readonly string[], print: Print, env: NodeJS.ProcessEnv = {}): Promise<number> {
  const node = startLeashed(process.execPath, args, { cwd: root, env: { ...env, ...process.env } });
  node.onOutput(print);
  return node.ended;
}
