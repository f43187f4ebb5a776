/**
 * Which database goes when. The canary has to show harm before many databases can suffer it. It comes from the middle
 * and was seen working: an idle one shows nothing, and the heaviest is the greatest loss. A database with a finding or
 * in an availability group is a canary only if there is no other. The others follow, the one that can ask for most of
 * the checkpoint task first, because the queue is gone only when the heavy ones are.
 */
import { countDatabases } from '../format';
import { joinSentences, t } from '../language';
import { mapInSteps, type Steps } from '../steps';
import type { Choice, PlanGrounds, PlanStep } from './plan';

/** A step of a plan before it has its wave. */
export type UnplacedStep = Omit<PlanStep, 'wave'>;

/** Fewer checkpoints than this say little about a database. */
const LEAST_CHECKPOINTS = 5;

interface Candidate {
  readonly step: UnplacedStep;
  /** Share of the task that it can ask for, and milliseconds of checkpoints seen; 0 if nothing was measured. */
  readonly mostShare: number;
  readonly totalMs: number;
  readonly isBusy: boolean;
  /** It has a finding that a person has to decide about, or an exception that ran out. */
  readonly isDoubtful: boolean;
}

/** The steps in order of waves, and why in this order. */
export function* arrangeWaves(
  chosen: readonly UnplacedStep[],
  choice: Choice,
  grounds: PlanGrounds,
): Steps<{ readonly steps: readonly PlanStep[]; readonly order: string }> {
  const first = grounds.firstWave ?? 1;
  const candidates = yield* mapInSteps(chosen, (step) => describeCandidate(step, grounds));
  const isOrdered = candidates.some(({ totalMs, isDoubtful }) => totalMs > 0 || isDoubtful);
  const canaries = chooseCanaries(candidates, choice, isOrdered, first);
  const chosenFirst = new Set(canaries);
  const rest = candidates.filter((one) => !chosenFirst.has(one));
  if (isOrdered) rest.sort(compareLoads);
  const ordered = [...canaries, ...rest].map(({ step }) => step);
  yield;
  const moved = ordered.filter((step) => findMove(step, choice) !== null).length;
  const byHand =
    moved === 0 ? '' : t('Moved to another wave by hand: {0} of {1}.', moved, countDatabases(ordered.length));
  const order = joinSentences(byHand, describeOrder(canaries, isOrdered));
  return { steps: numberWaves(assignWaves(ordered, choice, first), first), order };
}

const countCanaries = ({ waves }: Choice): number => Math.max(0, Math.floor(waves.canary));

/**
 * If the user moved all canaries to later waves, others take their place: without a canary the first wave would be a
 * batch.
 */
function chooseCanaries(
  candidates: readonly Candidate[],
  choice: Choice,
  isOrdered: boolean,
  first: number,
): readonly Candidate[] {
  const ranked = isOrdered ? rankCanaries(candidates) : candidates;
  const count = countCanaries(choice);
  const canaries = ranked.slice(0, count);
  const isKept =
    canaries.some(({ step }) => (findMove(step, choice) ?? first) <= first) ||
    ranked.some(({ step }) => (findMove(step, choice) ?? first + 1) <= first);
  return isKept ? canaries : ranked.filter(({ step }) => findMove(step, choice) === null).slice(0, count);
}

/** The wave to which the user moved it; null: none. */
function findMove({ database }: UnplacedStep, { waveOf }: Choice): number | null {
  const wave = waveOf.get(database.databaseId);
  return wave !== undefined && Number.isFinite(wave) ? wave : null;
}

function describeOrder(canaries: readonly Candidate[], isOrdered: boolean): string {
  if (!isOrdered) return t('In the order they were chosen: nothing was measured to sort them by.');
  const rest = t(
    'Sorted by the load they can put on the checkpoint task, highest first. Those with a “look first” finding come last.',
  );
  if (canaries.length === 0) return rest;
  const first = canaries.every(({ isBusy }) => isBusy)
    ? t(
        'The first wave takes databases of medium load, with at least {0} checkpoints each.',
        LEAST_CHECKPOINTS,
      )
    : t(
        'The first wave was not chosen by load: too few of these databases had {0} checkpoints.',
        LEAST_CHECKPOINTS,
      );
  return joinSentences(first, rest);
}

function describeCandidate(step: UnplacedStep, { weigh, preflight, expect }: PlanGrounds): Candidate {
  const { database } = step;
  const weight = weigh?.(database) ?? null;
  const findings = preflight?.databases.get(database.databaseId) ?? [];
  return {
    step,
    mostShare: weight?.mostShare ?? 0,
    totalMs: weight?.totalMs ?? 0,
    isBusy: (weight?.checkpoints ?? 0) >= LEAST_CHECKPOINTS,
    isDoubtful:
      findings.some(({ severity }) => severity === 'look first') ||
      expect?.(database.name).kind === 'expired',
  };
}

/** The best canaries first; among equals, from the middle outward. */
function rankCanaries(candidates: readonly Candidate[]): readonly Candidate[] {
  const classOf = ({ isBusy, isDoubtful, step }: Candidate): number =>
    (isBusy ? 0 : 4) + (isDoubtful ? 2 : 0) + (step.database.inAvailabilityGroup ? 1 : 0);
  const classes = [0, 1, 2, 3, 4, 5, 6, 7].map((rank) =>
    candidates.filter((one) => classOf(one) === rank).sort(compareLoads),
  );
  return classes.flatMap((alike) => {
    const middle = (alike.length - 1) / 2;
    const places = new Map(alike.map((one, place) => [one, Math.abs(place - middle)]));
    return [...alike].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  });
}

function compareLoads(a: Candidate, b: Candidate): number {
  return Number(a.isDoubtful) - Number(b.isDoubtful) || b.mostShare - a.mostShare || b.totalMs - a.totalMs;
}

/** In order of waves; databases keep their order within one. */
function assignWaves(ordered: readonly UnplacedStep[], choice: Choice, first: number): readonly PlanStep[] {
  const batch = Math.max(0, Math.floor(choice.waves.batch));
  const canary = countCanaries(choice);
  const firstBatch = canary > 0 ? first + 1 : first;
  const steps = ordered.map((step, at) => {
    const behind = at - canary;
    const planned = behind < 0 ? first : batch > 0 ? firstBatch + Math.floor(behind / batch) : firstBatch;
    return { ...step, wave: findMove(step, choice) ?? planned };
  });
  return steps.sort((a, b) => a.wave - b.wave);
}

/** Numbers waves without a gap, wherever the user moved databases. */
function numberWaves(steps: readonly PlanStep[], first: number): readonly PlanStep[] {
  const numbers = new Map([...new Set(steps.map(({ wave }) => wave))].map((wave, at) => [wave, first + at]));
  return steps.map((step) => ({ ...step, wave: numbers.get(step.wave) ?? first }));
}
