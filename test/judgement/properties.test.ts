/** What holds of every judgement, whatever its rules, over generated sites. */
import assert from 'node:assert/strict';
import { createRandom, type Random } from '../../simulator/scenarios/random';
import { type Answer, judgeSite } from '../../tools/judge/judge';
import { readSite, type Site, type SiteCheckpoint, type SiteDatabase } from '../../tools/judge/site';
import { type Asker, type Queue, simulateQueue } from '../../tools/judge/queue';

/** A site in its plain form, as far as these properties need it. */
interface PlainSite extends Pick<Site, 'name' | 'observedFromMs' | 'observedToMs' | 'checkpoints'> {
  readonly databases: readonly (Pick<SiteDatabase, 'id' | 'name' | 'targetSeconds'> & {
    readonly role?: string;
  })[];
  readonly server?: { readonly canReadBackups: boolean };
}

const FROM_MS = Date.UTC(2026, 2, 2, 8);
const MINUTE_MS = 60_000;
const LEAST_MS = 10 * MINUTE_MS;
const SITES = 60;

const ranks: Readonly<Record<string, number>> = { Leave: 0, Watch: 1, Switch: 2 };
const states = ['mostly free', 'queue at times', 'saturated'];

const judge = (site: PlainSite): Answer => judgeSite(readSite(site));

describe('A judgement of any site', () => {
  const busier: readonly (readonly [
    what: string,
    stream: number,
    make: (site: PlainSite, random: Random) => PlainSite,
    on?: Partial<PlainSite>,
  ])[] = [
    ['checkpoint time is added where the task was idle', 1, addTime],
    ['idle time is taken away', 3, takeIdleTime],
    [
      'jobs and backups that are not read ask for checkpoints beside the task',
      7,
      addJob,
      { server: { canReadBackups: false } },
    ],
  ];
  for (const [what, stream, make, on] of busier)
    it(`is not milder for any automatic database when ${what}`, () => {
      const problems = eachSite(SITES, stream).flatMap((site, seed) => {
        const calm = { ...site, ...on };
        return compare(calm, make(calm, createRandom(seed, stream + 1)), `site ${seed}`);
      });
      assert.deepEqual(problems.slice(0, 5), [], `${problems.length} inversions`);
    });

  it('is the same while somebody goes through all databases in a loop for a part of the time', () => {
    const problems = eachSite(SITES, 9).flatMap((site, seed) => {
      const [without, beside] = [judge(site), judge(addLoop(site, createRandom(seed, 10)))];
      const isSame = without.instance === beside.instance && without.busyShare === beside.busyShare;
      return isSame
        ? []
        : [
            `site ${seed}: ${without.instance} ${without.busyShare}, then ${beside.instance} ${beside.busyShare}`,
          ];
    });
    assert.deepEqual(problems, []);
  });

  it('is not calmer when the checkpoints of one database are those of ten', () => {
    const problems = eachSite(SITES, 4).flatMap((site, seed) => {
      const [whole, split] = [judge(site), judge(splitHeaviest(site))];
      const isCalmer = states.indexOf(split.instance) < states.indexOf(whole.instance);
      const lostSwitch = hasSwitch(whole) && !hasSwitch(split);
      return [
        ...(isCalmer ? [`site ${seed}: ${whole.instance}, split ${split.instance}`] : []),
        ...(lostSwitch ? [`site ${seed}: nobody is to be switched any more`] : []),
      ];
    });
    assert.deepEqual(problems.slice(0, 5), []);
  });
});

function eachSite(count: number, stream: number): readonly PlainSite[] {
  return Array.from({ length: count }, (_, seed) => generateSite(createRandom(seed, stream), seed));
}

/** Of all kinds: few and many databases, alike and not, idle to saturated, some that cannot be changed here. */
function generateSite(random: Random, seed: number): PlainSite {
  const count = random.pick([1, 2, 3, 8, 20, 60, 150, 300]);
  const hours = random.pick([0.5, 1, 2, 4]);
  // Each minute, all of them less often, or each in its own time.
  const mostMinutes = random.pick([1, 1, 10]);
  const sharedMs = MINUTE_MS * random.between(1, mostMinutes);
  const isAlike = random.unit() < 0.5;
  // The task would be busy for this much of the time if it could.
  const load = random.pick([0.1, 0.25, 0.35, 0.6, 0.9, 1.3, 3]);
  const spread = random.pick([0, 0.3, 1, 2]);
  const weights = Array.from({ length: count }, () => random.factor(spread));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const fixedShare = random.pick([0, 0, 0, 0.2]);
  const askers: readonly Asker[] = weights.map((weight, at) => {
    const everyMs = Math.round(isAlike ? sharedMs : MINUTE_MS * random.between(1, mostMinutes));
    const takesMs = Math.max(2, Math.round((load * everyMs * weight) / sum));
    return { databaseId: at + 5, askings: [{ takesMs, everyMs }] };
  });
  const pauses =
    random.unit() < 0.3 ? { everyMs: 60 * MINUTE_MS, forMs: random.between(1, 8) * MINUTE_MS } : null;
  const queue: Queue = {
    fromMs: FROM_MS,
    toMs: FROM_MS + hours * 60 * MINUTE_MS,
    utcOffsetMin: 0,
    seed,
    askers,
    pauses,
  };
  return {
    name: `site ${seed}`,
    databases: askers.map(({ databaseId }) => ({
      id: databaseId,
      name: `db${databaseId}`,
      targetSeconds: 0,
      ...(random.unit() < fixedShare ? { role: 'RESOLVING' } : {}),
    })),
    observedFromMs: queue.fromMs,
    observedToMs: queue.toMs,
    checkpoints: simulateQueue(queue).map(({ databaseId, beginMs, endMs }) => [
      databaseId,
      beginMs,
      endMs,
      'automatic',
    ]),
  };
}

/** Some of the stretches between two turns are filled, each by one database. */
function addTime(site: PlainSite, random: Random): PlainSite {
  const ends = [site.observedFromMs, ...site.checkpoints.map(([, , end]) => end)];
  const begins = [...site.checkpoints.map(([, begin]) => begin), site.observedToMs];
  const likely = random.pick([0.01, 0.2, 1]);
  const heir = random.whole(0, site.databases.length - 1);
  const added = ends.flatMap((end, at): SiteCheckpoint[] => {
    const [from, to] = [end + 2, (begins[at] ?? 0) - 2];
    if (to - from < 10 || random.unit() > likely) return [];
    const { id = 0 } =
      site.databases[random.unit() < 0.5 ? heir : random.whole(0, site.databases.length - 1)] ?? {};
    return [[id, from, Math.min(to, from + random.whole(5, 60_000)), 'automatic']];
  });
  return { ...site, checkpoints: [...site.checkpoints, ...added].sort((a, b) => a[1] - b[1]) };
}

/**
 * Somebody else's checkpoints of any database at any time, for half a minute each, by hand or for a backup, on tasks of
 * their own.
 */
function addJob(site: PlainSite, random: Random): PlainSite {
  const { databases, observedFromMs, observedToMs } = site;
  const added = Array.from(
    { length: Math.round((observedToMs - observedFromMs) / MINUTE_MS) },
    (): SiteCheckpoint => {
      const beginMs = random.whole(observedFromMs, observedToMs - MINUTE_MS);
      const cause = random.unit() < 0.5 ? 'manual' : 'backup';
      return [
        databases[random.whole(0, databases.length - 1)]?.id ?? 0,
        beginMs,
        beginMs + random.whole(1000, 60_000),
        cause,
      ];
    },
  );
  return { ...site, checkpoints: [...site.checkpoints, ...added].sort((a, b) => a[1] - b[1]) };
}

/** One session that goes round, straight from one database to the next, for up to two thirds of the time. */
function addLoop(site: PlainSite, random: Random): PlainSite {
  const { databases, observedFromMs, observedToMs } = site;
  const lengthMs = observedToMs - observedFromMs;
  const fromMs = observedFromMs + Math.floor(lengthMs * random.between(0, 0.3));
  const toMs = fromMs + lengthMs * random.between(0.1, 0.65);
  const takesMs = random.whole(200, 3000);
  const added: SiteCheckpoint[] = [];
  for (let at = 0, atMs = fromMs; atMs + takesMs < toMs; at++, atMs += takesMs + 5)
    added.push([databases[at % databases.length]?.id ?? 0, atMs, atMs + takesMs, 'manual']);
  return { ...site, checkpoints: [...site.checkpoints, ...added].sort((a, b) => a[1] - b[1]) };
}

/** Half of each stretch between two turns that is longer than a second, as long as ten minutes are left. */
function takeIdleTime(site: PlainSite): PlainSite {
  let [takenMs, lastEndMs] = [0, site.observedFromMs];
  const most = Math.max(0, site.observedToMs - site.observedFromMs - LEAST_MS - MINUTE_MS);
  const checkpoints = site.checkpoints.map(([id, begin, end, cause]): SiteCheckpoint => {
    const idleMs = begin - lastEndMs;
    if (idleMs > 1000) takenMs = Math.min(most, takenMs + Math.floor(idleMs / 2));
    lastEndMs = end;
    return [id, begin - takenMs, end - takenMs, cause];
  });
  return { ...site, checkpoints, observedToMs: site.observedToMs - takenMs };
}

/** The heaviest that can be changed, its turns dealt to ten in turn. */
function splitHeaviest(site: PlainSite): PlainSite {
  const totals = new Map<number, number>();
  for (const [id, begin, end] of site.checkpoints) totals.set(id, (totals.get(id) ?? 0) + end - begin);
  const [heaviest] = site.databases
    .filter(({ role }) => role === undefined)
    .sort((a, b) => (totals.get(b.id) ?? 0) - (totals.get(a.id) ?? 0));
  if (heaviest === undefined) return site;
  const ids = [heaviest.id, ...Array.from({ length: 9 }, (_, at) => 10_000 + at)];
  let dealt = 0;
  return {
    ...site,
    databases: [
      ...site.databases,
      ...ids.slice(1).map((id) => ({ id, name: `part${id}`, targetSeconds: 0 })),
    ],
    checkpoints: site.checkpoints.map(([id, begin, end, cause]) => [
      id === heaviest.id ? (ids[dealt++ % ids.length] ?? id) : id,
      begin,
      end,
      cause,
    ]),
  };
}

/** Databases whose verdict is milder at the busier site. */
function compare(calm: PlainSite, busy: PlainSite, what: string): readonly string[] {
  const [before, after] = [judge(calm), judge(busy)];
  if (states.indexOf(after.instance) < states.indexOf(before.instance))
    return [`${what}: ${before.instance}, then ${after.instance}`];
  return calm.databases.flatMap(({ name }) => {
    const [was, is] = [before.databases[name], after.databases[name]];
    const isMilder = (ranks[is?.verdict ?? ''] ?? 3) < (ranks[was?.verdict ?? ''] ?? 0);
    return isMilder
      ? [
          `${what}: ${name} ${was?.verdict} (${was?.part}), then ${is?.verdict} (${is?.part}): ${is?.why}; ${before.instance}, ${after.instance}`,
        ]
      : [];
  });
}

function hasSwitch({ databases }: Answer): boolean {
  return Object.values(databases).some(({ verdict }) => verdict === 'Switch');
}
