import { Refusal } from '../fail';
import type { Print } from './commands';
import { addOutcomes, describeSkip, writeSummary, type Outcome } from './outcome';
import { plan, stages, type Stage } from './stages';

type Results = Map<string, Outcome>;

/** Runs all stages, or those named by `--only` and the stages they need. Prints the summary and gives the exit code. */
export async function runChecks(args: readonly string[]): Promise<number> {
  const wanted = chooseStages(args);
  const failsOnSkips = process.env['CI'] === 'true';
  const results: Results = new Map();
  const lanes = [...plan.beside, plan.after].map((lane) => lane.filter((stage) => wanted.has(stage.name)));
  const [first = [], second = [], last = []] = lanes;
  const isBuffered = first.length > 0 && second.length > 0;
  const fetchForLast = (): Promise<unknown> => Promise.allSettled(last.map((stage) => stage.prepare?.()));
  await Promise.all([runLane(first, results, isBuffered).then(fetchForLast), runLane(second, results, isBuffered)]);
  await runLane(last, results, false);
  const inPlanOrder = stages.flatMap(({ name }) => (results.has(name) ? [[name, results.get(name) as Outcome] as const] : []));
  console.log(writeSummary(inPlanOrder, failsOnSkips));
  const total = addOutcomes([...results.values()]);
  return total.failed.length > 0 || (failsOnSkips && total.skipped.length > 0) ? 1 : 0;
}

function chooseStages(args: readonly string[]): ReadonlySet<string> {
  const names = stages.map(({ name }) => name);
  if (args.length === 0) return new Set(stages.filter(({ isExtra }) => isExtra !== true).map(({ name }) => name));
  const [option, ...chosen] = args;
  const unknown = chosen.filter((name) => !names.includes(name));
  if (option !== '--only' || chosen.length === 0 || unknown.length > 0)
    throw new Refusal(`Usage: npm test [-- --only <stage>...], where a stage is one of: ${names.join(', ')}.`);
  return new Set(stages.flatMap(({ name, needs }) => (chosen.includes(name) ? [name, ...(needs ? [needs] : [])] : [])));
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
  if (stage.needs && results.get(stage.needs)?.failed.length !== 0) return describeSkip(stage.name, `${stage.needs} failed`);
  try {
    await stage.prepare?.();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    print(`${error.message}\n`);
    return describeSkip(stage.name, error.message);
  }
  return await stage.run(print);
}
