/** Judges a site with the product's own functions. */
import { forecastTask } from '../../src/core/advice/forecast';
import type { Finding, Preflight } from '../../src/core/advice/finding';
import type { InstanceState } from '../../src/core/advice/instance';
import { describeInstance, joinWords } from '../../src/core/pages/instance-words';
import type { PolicyInForce } from '../../src/core/advice/policy';
import { describeProblems, readPolicy } from '../../src/core/advice/policy-text';
import { DEFAULT_TARGET_SECONDS } from '../../src/core/advice/plan';
import type { Verdict } from '../../src/core/advice/verdict';
import { finishSteps } from '../../src/core/steps';
import { ServerJudgement } from '../../src/monitor/facts/server-judgement';
import { captureOfSite } from './capture';
import { evidenceOfSite } from './evidence';
import { factsOfSite } from './facts';
import type { Site } from './site';

export interface Answer {
  readonly instance: InstanceState;
  readonly busyShare: number | null;
  /** Names of databases. */
  readonly cohort: readonly string[];
  /**
   * The forecast busy share after they have switched, 0 to 1. null if none should switch, or nothing can be forecast
   * yet.
   */
  readonly busyAfter: readonly [number, number] | null;
  /** By name of the database. */
  readonly databases: Readonly<Record<string, Pick<Verdict, 'verdict' | 'part'> & { readonly why: string }>>;
  /** What the review says to look at, the most severe first: of the server, then of each database. */
  readonly findings: readonly string[];
  readonly text: string;
}

export function judgeSite(site: Site): Answer {
  const facts = factsOfSite(site);
  const capture = captureOfSite(site, facts);
  const policy = policyOf(site);
  const judgement = new ServerJudgement(() => policy);
  judgement.summarize(capture, facts);
  finishSteps(judgement.judge({ facts, tracked: null, ...evidenceOfSite(site, facts, capture) }));
  const { instance, verdicts } = judgement;
  if (instance === null) throw new Error('nothing was judged');
  const { task, feeders, forecastInMs } = instance;
  const after =
    task === null || feeders.size === 0 || forecastInMs > 0
      ? null
      : forecastTask({ ...instance, task }, feeders);
  return {
    instance: instance.state,
    busyShare: instance.blind !== null && instance.partly === null ? null : (task?.busyShare ?? null),
    cohort: facts.databases.filter(({ databaseId }) => feeders.has(databaseId)).map(({ name }) => name),
    busyAfter: after && [after.low, after.high],
    databases: Object.fromEntries(
      facts.databases.flatMap(({ databaseId, name }) => {
        const one = verdicts.get(databaseId);
        return one === undefined ? [] : [[name, { verdict: one.verdict, part: one.part, why: one.reason }]];
      }),
    ),
    findings: listFindings(
      judgement.preflight,
      (id) => facts.databases.find(({ databaseId }) => databaseId === id)?.name ?? String(id),
    ),
    text: joinWords(describeInstance(instance, facts, verdicts)),
  };
}

function listFindings(
  { server, databases }: Preflight,
  nameOf: (databaseId: number) => string,
): readonly string[] {
  const write = ({ severity, sentence, remedy }: Finding): string =>
    `${severity}: ${[sentence, remedy ?? ''].join(' ').trim()}`;
  return [
    ...server.map(write),
    ...[...databases].flatMap(([id, own]) => own.map((one) => `${nameOf(id)}, ${write(one)}`)),
  ];
}

/** A bound alone counts for every database. */
function policyOf({ policy }: Site): PolicyInForce {
  const bound = policy !== null && 'mostMbToRedo' in policy ? policy.mostMbToRedo : undefined;
  const file =
    bound === undefined
      ? policy
      : { targets: [{ database: '*', targetSeconds: DEFAULT_TARGET_SECONDS, mostMbToRedo: bound }] };
  const reading = readPolicy(JSON.stringify(file ?? {}));
  return { policy: reading.policy, problems: describeProblems(reading.problems) };
}
