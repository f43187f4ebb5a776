import { Refusal } from '../fail';
import type { Print } from './commands';
import { addOutcomes, describeSkip, listNotRun, writeSummary, type Outcome } from './outcome';
import { parts } from './parts';
import { lanes, type Stage } from './stages';

type Results = Map<string, Outcome>;

/**
 * Runs npm test: all stages, or those named by `--only` and the stages they need. Prints the summary and gives the exit
 * code.
 */
export async function runChecks(args: readonly string[]): Promise<number> {
  const stages = lanes.flat();
  const wanted = chooseStages(stages, args);
  const results: Results = new Map();
  const chosen = lanes.map((lane) => lane.filter((stage) => wanted.has(stage)));
  const isBuffered = chosen.every((lane) => lane.length > 0);
  await Promise.all(chosen.map((lane) => runLane(lane, results, isBuffered)));
  return report(
    stages.flatMap(({ name }) => (results.has(name) ? [[name, results.get(name) as Outcome] as const] : [])),
  );
}

/**
 * Runs npm run test:long: every part, or those named, one after another; `--short` the form of them that every change
 * waits for. Gives the exit code.
 */
export async function runParts(args: readonly string[]): Promise<number> {
  const isShort = args[0] === '--short';
  const chosen = isShort ? args.slice(1) : args;
  const unknown = chosen.filter((name) => !(name in parts));
  if (unknown.length > 0)
    throw new Refusal(
      `Usage: npm run test:long [-- [--short] <part>...], where a part is one of: ${Object.keys(parts).join(', ')}.`,
    );
  const wanted = Object.keys(parts).filter((name) => chosen.length === 0 || chosen.includes(name));
  return runStages(wanted.flatMap((name) => (isShort ? parts[name]!.short : parts[name]!.long)));
}

/** Runs stages, and those that they need, one after another. Prints the summary and gives the exit code. */
export async function runStages(stages: readonly Stage[]): Promise<number> {
  const results: Results = new Map();
  await runLane([...new Set(stages.flatMap(withNeeded))], results, false);
  return report([...results]);
}

function withNeeded(stage: Stage): readonly Stage[] {
  return stage.needs ? [stage.needs, stage] : [stage];
}

function report(outcomes: readonly (readonly [string, Outcome])[]): number {
  const failsOnSkips = process.env['CI'] === 'true';
  console.log(writeSummary(outcomes, failsOnSkips));
  const total = addOutcomes(outcomes.map(([, outcome]) => outcome));
  return total.failed.length > 0 || (failsOnSkips && listNotRun(total).length > 0) ? 1 : 0;
}

function chooseStages(stages: readonly Stage[], args: readonly string[]): ReadonlySet<Stage> {
  if (args.length === 0) return new Set(stages);
  const names = stages.map(({ name }) => name);
  const [option, ...chosen] = args;
  const unknown = chosen.filter((name) => !names.includes(name));
  if (option !== '--only' || chosen.length === 0 || unknown.length > 0)
    throw new Refusal(
      `Usage: npm test [-- --only <stage>...], where a stage is one of: ${names.join(', ')}.`,
    );
  return new Set(stages.filter(({ name }) => chosen.includes(name)).flatMap(withNeeded));
}

async function runLane(lane: readonly Stage[], results: Results, isBuffered: boolean): Promise<void> {
  for (const stage of lane) {
    let buffer = '';
    const print: Print = isBuffered ? (text) => (buffer += text) : (text) => process.stdout.write(text);
    if (!isBuffered) console.log(`\n=== ${stage.name}`);
    const beganMs = Date.now();
    const outcome = await runStage(stage, results, print);
    results.set(stage.name, outcome);
    if (isBuffered) process.stdout.write(`\n=== ${stage.name}\n${buffer}`);
    console.log(
      `--- ${stage.name}: ${outcome.passed} passed, ${outcome.failed.length} failed, ${outcome.skipped.length} skipped (${((Date.now() - beganMs) / 1000).toFixed(1)} s)`,
    );
  }
}

async function runStage(stage: Stage, results: Results, print: Print): Promise<Outcome> {
  if (stage.needs && results.get(stage.needs.name)?.failed.length !== 0)
    return describeSkip(stage.name, `${stage.needs.name} failed`);
  try {
    await stage.prepare?.();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    print(`${error.message}\n`);
    return describeSkip(stage.name, error.message);
  }
  return await stage.run(print);
}
