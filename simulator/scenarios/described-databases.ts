import type { DatabaseDescription, WorkloadShape } from './database';
import type { Random } from './random';
import { makeLocalTime, shuffle } from './drawn';
import type { ServerDescription } from './scenario';
import { makeBatch, makeBusy, makeIdle, makeLight } from './workloads';

const FIRST_ID = 5;

type Work = 'batch' | 'busy' | 'light' | 'idle';

/** How many databases work in which way. */
type WorkCounts = Readonly<Record<Work, number>>;

/** How many databases have which target recovery time and which work: the main difference between scenarios. */
export interface DatabaseMix {
  readonly automatic: WorkCounts;
  /** At 60 seconds. */
  readonly indirect: WorkCounts;
  /** Targets that someone set on purpose, by place among the indirect databases: busy first, then light. */
  readonly ownTargets?: Readonly<Record<number, number>>;
  /** The workload of a kind; by default those of workloads.ts. */
  readonly workloads?: Partial<Readonly<Record<Work, (random: Random) => WorkloadShape>>>;
}

/** Where files are. */
export interface Placement {
  readonly data: string;
  readonly log: string;
  /** Share of the databases whose log is on the volume of their data. */
  readonly sharedShare: number;
  /** Years in which the databases were created. */
  readonly years: readonly [number, number];
  /** Share of the logs that grew in small steps to thousands of virtual log files; 0.05 by default. */
  readonly brokenUpShare?: number;
}

interface Place {
  readonly work: Work;
  readonly targetSeconds: number;
  readonly hostileName?: string;
}

const WORKLOADS = { batch: makeBatch, busy: makeBusy, light: makeLight, idle: makeIdle };

/**
 * User databases in random order from id 5 on. The first busy automatic ones have names that break things; if none is
 * automatic, the first indirect ones.
 */
export function describeDatabases(
  mix: DatabaseMix,
  placement: Placement,
  server: ServerDescription,
  random: Random,
): readonly DatabaseDescription[] {
  const places = shuffle(listPlaces(mix), random);
  const hostile = places.filter((place) => place.hostileName !== undefined).length;
  const names = shuffle(listOrdinaryNames(places.length - hostile), random);
  let nextName = 0;
  return places.map((place, i) =>
    describe(FIRST_ID + i, place.hostileName ?? names[nextName++] ?? `Database_${i}`, place, {
      mix,
      placement,
      server,
      random,
    }),
  );
}

/** The same proportions for another number of databases: no kind disappears, idle ones take the rest. */
export function scaleMix(mix: DatabaseMix, databases: number | undefined): DatabaseMix {
  const total = count(mix.automatic) + count(mix.indirect);
  if (databases === undefined || databases === total) return mix;
  const scale = (value: number): number => Math.round((value * databases) / total);
  const automatic = scaleCounts(mix.automatic, scale(count(mix.automatic)), scale);
  return { ...mix, automatic, indirect: scaleCounts(mix.indirect, databases - count(automatic), scale) };
}

function scaleCounts(counts: WorkCounts, total: number, scale: (value: number) => number): WorkCounts {
  let left = total;
  const take = (value: number): number => {
    const taken = Math.min(left, value === 0 ? 0 : Math.max(1, scale(value)));
    left -= taken;
    return taken;
  };
  return { batch: take(counts.batch), busy: take(counts.busy), light: take(counts.light), idle: left };
}

function count({ batch, busy, light, idle }: WorkCounts): number {
  return batch + busy + light + idle;
}

function listPlaces({ automatic, indirect, ownTargets = {} }: DatabaseMix): readonly Place[] {
  const works = ({ batch, busy, light, idle }: WorkCounts): readonly Work[] => [
    ...Array<Work>(batch).fill('batch'),
    ...Array<Work>(busy).fill('busy'),
    ...Array<Work>(light).fill('light'),
    ...Array<Work>(idle).fill('idle'),
  ];
  const withHostile = (places: readonly Place[], counts: WorkCounts): readonly Place[] =>
    places.map((place, i) => {
      const hostileName = place.work === 'busy' ? HOSTILE_NAMES[i - counts.batch] : undefined;
      return hostileName === undefined ? place : { ...place, hostileName };
    });
  const atZero = works(automatic).map((work) => ({ work, targetSeconds: 0 }));
  const aboveZero = works(indirect).map((work, i) => ({ work, targetSeconds: ownTargets[i] ?? 60 }));
  return automatic.busy > 0
    ? [...withHostile(atZero, automatic), ...aboveZero]
    : [...atZero, ...withHostile(aboveZero, indirect)];
}

interface Surroundings {
  readonly mix: DatabaseMix;
  readonly placement: Placement;
  readonly server: ServerDescription;
  readonly random: Random;
}

function describe(
  id: number,
  name: string,
  place: Place,
  { mix, placement, server, random }: Surroundings,
): DatabaseDescription {
  const year = random.whole(...placement.years);
  const recoveryModel = random.unit() < 0.7 ? 'FULL' : random.unit() < 0.95 ? 'SIMPLE' : 'BULK_LOGGED';
  const workload = (mix.workloads?.[place.work] ?? WORKLOADS[place.work])(random);
  const dataMb =
    Math.round((workload.workingSetPages / 128) * random.between(3, 20)) + random.whole(200, 40_000);
  return {
    id,
    name,
    targetRecoverySeconds: place.targetSeconds,
    createdLocal: makeLocalTime(year, random),
    state: 'ONLINE',
    isReadOnly: false,
    isInStandby: false,
    recoveryModel,
    logReuseWait:
      recoveryModel === 'SIMPLE' || place.work === 'idle'
        ? { id: 0, name: 'NOTHING' }
        : { id: 2, name: 'LOG_BACKUP' },
    collation: server.collation,
    dataVolume: placement.data,
    logVolume: random.unit() < placement.sharedShare ? placement.data : placement.log,
    dataMb,
    logMb: Math.max(64, Math.round(dataMb * random.between(0.05, 0.3))),
    vlfCount:
      random.unit() < (placement.brokenUpShare ?? 0.05) ? random.whole(2_000, 9_000) : random.whole(4, 180),
    workload,
  };
}

/** Names that break quoting, markup or columns. Busy databases have them, so that all readers meet them. */
const HOSTILE_NAMES: readonly string[] = [
  'a]b',
  "x'; DROP DATABASE y;--",
  `${'Consolidated_Reporting_'.repeat(5)}Year_End_2014`.slice(0, 128).padEnd(128, 'x'),
  'Kasse 🧾 Süd',
  '   three leading blanks',
  'odd */ /* "name" <value>5</value></action> ]]> end',
];

// oxfmt-ignore
const TENANTS = [
  'Adatum', 'Alpine', 'Bellows', 'BestForYou', 'Blueyonder', 'Consolidated', 'Contoso', 'Datum', 'Fabrikam', 'Fincher', 'Fourth', 'GraphicDesign',
  'Humongous', 'Lamna', 'Liberty', 'Litware', 'Lucerne', 'Margie', 'Munson', 'Northwind', 'Nod', 'Olympia', 'Proseware', 'Relecloud',
  'Southridge', 'TailSpin', 'Trey', 'VanArsdel', 'Wide', 'Wingtip', 'WoodGrove', 'Woodward', 'Xenon', 'Zava',
];
const MODULES = ['ERP', 'CRM', 'Billing', 'Warehouse', 'Portal', 'Reporting', 'Audit'];
const COUNTRIES = 'AT BE BG CH CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV NL NO PL PT RO SE'.split(' ');

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** As many ordinary names as asked for: tenants by module, months, shops, content databases. */
function listOrdinaryNames(count: number): readonly string[] {
  const names = TENANTS.flatMap((tenant) => MODULES.map((module) => `${tenant}_${module}`));
  for (let year = 2018; year <= 2025; year++)
    for (let month = 1; month <= 12; month++) names.push(`Telemetry_${year}_${twoDigits(month)}`);
  names.push(...COUNTRIES.map((country) => `Shop_${country}`));
  for (let number = 1; names.length < count; number++) names.push(`WSS_Content_${twoDigits(number)}`);
  return names.slice(0, count);
}
