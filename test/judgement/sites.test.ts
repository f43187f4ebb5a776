/**
 * What the product says of each site in sites/, against what an expert wrote there before. A site that an expert
 * disputes is changed in its file.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { judgeSite, type Answer } from '../../tools/judge/judge';
import { readSite } from '../../tools/judge/site';
import { measureBusy, simulateQueue } from '../../tools/judge/queue';
import {
  completeSite,
  createFit,
  describeQueue,
  type DescribedSite,
  listDatabases,
} from '../../tools/judge/workload';

type Range = readonly [number, number];

/** What matters of the answer; what is not named may be anything. */
interface Expected {
  readonly instance?: string;
  readonly busyShare?: Range;
  /** Names, how many, or all that use automatic checkpoints. */
  readonly cohort?: readonly string[] | { readonly count: number | Range } | 'all automatic';
  /** null: no forecast, since nobody is to go or too little was seen. */
  readonly busyAfter?: Range | null;
  /** By name, or by a pattern with `*`. */
  readonly databases?: Readonly<Record<string, { readonly verdict: string; readonly part?: string }>>;
  /** How many databases have that verdict. */
  readonly counts?: Readonly<Record<string, Range>>;
  /** Words that stand in what is said of the instance, or in the reason of a database. */
  readonly text?: readonly string[];
  /** Words that do not: what was not seen is not claimed. */
  readonly notText?: readonly string[];
}

interface NamedSite extends DescribedSite {
  readonly story: string;
  readonly why: string;
  /** Why the product does not say so yet. The test fails once it does, so that this line goes. */
  readonly open?: string;
  readonly recordsCaller?: boolean;
  readonly expected: Expected;
  /** What has to be said where the session does not record who asked; absent: the site does not ask. */
  readonly withoutCaller?: Expected;
}

const folder = path.join(__dirname, 'sites');
const sites = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as NamedSite);

describe('The judgement of named sites', () => {
  it('has a site for each thing that an expert has an opinion of', () => {
    assert.ok(sites.length >= 32, `${sites.length} sites`);
    assert.equal(new Set(sites.map(({ name }) => name)).size, sites.length);
  });

  for (const site of sites) {
    it(`${site.name}: ${site.why}${site.open === undefined ? '' : ` (open: ${site.open})`}`, () => {
      compare(site);
    });
    if (site.withoutCaller !== undefined)
      it(`${site.name}, without is_system`, () =>
        compare({ ...site, recordsCaller: false, expected: site.withoutCaller ?? {} }));
  }
});

function compare(site: NamedSite): void {
  const answer = judgeSite(readSite(completeSite(site)));
  const problems = [
    ...compareInstance(site, answer),
    ...compareDatabases(site, answer),
    ...compareForecast(site, answer),
  ];
  if (site.open === undefined) assert.deepEqual(problems, [], `${site.story}\n${answer.text}`);
  else assert.notDeepEqual(problems, [], `it is not open any more: ${site.open}`);
}

function* compareInstance({ databases, expected }: NamedSite, answer: Answer): Iterable<string> {
  const { instance, busyShare, cohort, text = [], notText = [] } = expected;
  if (instance !== undefined && answer.instance !== instance)
    yield `instance: ${answer.instance}, not ${instance}`;
  if (busyShare !== undefined && !isWithin(answer.busyShare ?? NaN, busyShare))
    yield `busy: ${answer.busyShare}, not ${busyShare.join(' to ')}`;
  const said = [answer.text, ...Object.values(answer.databases).map(({ why }) => why)].join(' ');
  for (const word of text)
    if (!said.toLowerCase().includes(word.toLowerCase())) yield `it does not say ${word}`;
  for (const word of notText)
    if (said.toLowerCase().includes(word.toLowerCase())) yield `it says ${word}, of which nothing was seen`;
  if (cohort === undefined) return;
  const own = answer.cohort;
  if (typeof cohort === 'object' && 'count' in cohort) {
    const range: Range = typeof cohort.count === 'number' ? [cohort.count, cohort.count] : cohort.count;
    if (!isWithin(own.length, range)) yield `cohort: ${own.length}, not ${range.join(' to ')}`;
    return;
  }
  const automatic = listDatabases(databases).filter(({ targetSeconds }) => targetSeconds === 0);
  const wanted = cohort === 'all automatic' ? automatic.map(({ name }) => name) : cohort;
  const [missing, more] = [
    wanted.filter((name) => !own.includes(name)),
    own.filter((name) => !wanted.includes(name)),
  ];
  if (missing.length + more.length > 0)
    yield `cohort: lacks ${shorten(missing)}, has ${shorten(more)} beside`;
}

function* compareDatabases({ databases, expected }: NamedSite, answer: Answer): Iterable<string> {
  const names = new Set(listDatabases(databases).map(({ name }) => name));
  for (const [pattern, { verdict, part }] of Object.entries(expected.databases ?? {})) {
    const fit = createFit(pattern, names);
    const own = Object.entries(answer.databases).filter(([name]) => fit(name));
    if (own.length === 0) yield `${pattern}: no database`;
    const others = own.filter(
      ([, one]) => one.verdict !== verdict || (part !== undefined && one.part !== part),
    );
    const [first] = others;
    if (first !== undefined) {
      const [name, one] = first;
      yield `${pattern}: ${others.length} of ${own.length} not ${verdict}, ${part ?? 'any part'}: ${name} ${one.verdict}, ${one.part}: ${one.why}`;
    }
  }
  for (const [verdict, range] of Object.entries(expected.counts ?? {})) {
    const count = Object.values(answer.databases).filter((one) => one.verdict === verdict).length;
    if (!isWithin(count, range)) yield `${verdict}: ${count} databases, not ${range.join(' to ')}`;
  }
}

/** Within the bounds that an expert gives, and true when the queue is simulated again without the cohort. */
function* compareForecast(site: NamedSite, { cohort, busyAfter }: Answer): Iterable<string> {
  const { busyAfter: bounds } = site.expected;
  if (bounds === null && busyAfter !== null)
    yield `forecast: ${busyAfter.join(' to ')}, though none can be made`;
  if (busyAfter === null) {
    if (bounds != null) yield 'forecast: none';
    return;
  }
  const [low, high] = busyAfter;
  if (bounds != null && !(low >= bounds[0] && high <= bounds[1]))
    yield `forecast: ${low} to ${high}, not within ${bounds.join(' to ')}`;
  const queue = describeQueue(site, new Set(cohort));
  if (queue === null) return;
  const seen = measureBusy(simulateQueue({ ...queue, seed: queue.seed + 1 }), queue);
  if (!isWithin(seen, [low, high]))
    yield `forecast: ${low} to ${high}, but without the cohort the queue is busy ${seen}`;
}

function isWithin(value: number, [least, most]: Range): boolean {
  return value >= least && value <= most;
}

function shorten(names: readonly string[]): string {
  return names.length > 5
    ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`
    : names.join(', ') || 'none';
}
