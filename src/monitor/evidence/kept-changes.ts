/**
 * Changes of target recovery time, the forecast, and looks for limits, as bytes that are kept with a capture. They are
 * JSON, so that a person can read them.
 */
import type { KeptForecast } from '../../core/advice/forecast';
import { choosePlan } from '../../core/advice/forecast-seen';
import type { LimitLook } from '../../core/advice/limits';
import type { KeptSection } from '../../core/capture/capture-record';
import type { Steps } from '../../core/steps';
import { explainVersion, fits, isObject } from '../../core/schema';
import type { DatabaseChange } from '../../core/task/change-moment';
import { isUtcMs } from '../../core/time';
import schemas from './kept.schema.json';

/** The names of the sections; write work is encoded by `core/write-work`. */
export const CHANGES_SECTION = 'changes';
export const WATCH_SECTION = 'forecast';
export const WORK_SECTION = 'write-work';

interface DecodedChanges {
  readonly changes: readonly DatabaseChange[];
  /** Entries that are not read here: a later version knows them. null: it is no list at all. */
  readonly others: readonly unknown[] | null;
  /** One clause if some of them could not be read. */
  readonly problem: string | null;
}

/** Of both. A file of version 1 has no number; one of a later version is a record with its number as `version`. */
const VERSION = 1;

/** Looks for limits that are kept: three days of constant looking. */
const MOST_LOOKS = 500;

/**
 * Changes, forecast and looks to keep. What another window has kept of the server is joined to them, entry by entry.
 * @param known all changes, also those that are read again and not kept
 */
export function writeNoted(
  changes: readonly DatabaseChange[],
  watch: KeptWatch,
  known: readonly DatabaseChange[],
): readonly KeptSection[] {
  let [all, seen] = [changes, watch];
  let [otherChanges, others]: [readonly unknown[], KeptOthers] = [[], {}];
  function* joinNoted(earlier: Uint8Array): Steps<Uint8Array | null> {
    yield;
    const decoded = decodeChanges(earlier);
    if (decoded.others === null) return null;
    [all, otherChanges] = [joinChanges(decoded.changes, all), joinOthers(decoded.others, otherChanges)];
    return encodeChanges(all, otherChanges);
  }
  function* joinWatch(earlier: Uint8Array): Steps<Uint8Array | null> {
    yield;
    const { plans, looks, others: own } = decodeWatch(earlier);
    if (own === null) return null;
    seen = {
      plans: joinPlans([...plans, ...seen.plans], joinChanges(all, known)),
      looks: joinLooks(looks, seen.looks),
    };
    const plansOfOthers = joinOthers(own.plans ?? [], others.plans ?? []);
    others = {
      ...others,
      ...own,
      plans: plansOfOthers,
      looks: joinOthers(own.looks ?? [], others.looks ?? []),
    };
    return encodeWatch(seen, joinChanges(all, known), others);
  }
  return [
    { name: CHANGES_SECTION, bytes: encodeChanges(all), join: joinNoted },
    { name: WATCH_SECTION, bytes: encodeWatch(seen, known), join: joinWatch },
  ];
}

function joinOthers(earlier: readonly unknown[], later: readonly unknown[]): readonly unknown[] {
  return [...new Map([...earlier, ...later].map((value) => [JSON.stringify(value), value])).values()];
}

export function joinChanges(
  earlier: readonly DatabaseChange[],
  later: readonly DatabaseChange[],
): readonly DatabaseChange[] {
  const nameChange = ({ databaseId, atUtcMs, source }: DatabaseChange): string =>
    `${databaseId} ${atUtcMs} ${source}`;
  const known = new Set(later.map(nameChange));
  return [...earlier.filter((change) => !known.has(nameChange(change))), ...later];
}

/** Each look once, oldest first. */
export function joinLooks(earlier: readonly LimitLook[], later: readonly LimitLook[]): readonly LimitLook[] {
  const known = new Map([...earlier, ...later].map((look) => [look.atUtcMs, look]));
  return [...known.values()].sort((a, b) => a.atUtcMs - b.atUtcMs).slice(-MOST_LOOKS);
}

/** Plans that are kept. Of more than that the earlier ones are kept as the one that counts of them. */
const MOST_PLANS = 10;

/** Each plan once, as it was renewed last, oldest first, whichever window opened it. */
export function joinPlans(
  plans: readonly KeptForecast[],
  changes: readonly DatabaseChange[],
): readonly KeptForecast[] {
  const newest = [...plans]
    .sort((a, b) => (a.renewedUtcMs ?? 0) - (b.renewedUtcMs ?? 0))
    .map((plan) => [plan.madeUtcMs, plan] as const);
  const all = [...new Map(newest).values()].sort((a, b) => a.madeUtcMs - b.madeUtcMs);
  const earlier = all.length > MOST_PLANS ? choosePlan(all.slice(0, 1 - MOST_PLANS), changes) : null;
  return earlier === null ? all : [earlier, ...all.slice(1 - MOST_PLANS)];
}

export function encodeChanges(
  changes: readonly DatabaseChange[],
  others: readonly unknown[] = [],
): Uint8Array {
  return Buffer.from(JSON.stringify([...others, ...changes]), 'utf8');
}

export function decodeChanges(bytes: Uint8Array): DecodedChanges {
  try {
    const [kept, later] = parseKept(bytes);
    if (!Array.isArray(kept)) return { changes: [], others: null, problem: later ?? 'they are not a list' };
    const others = (kept as unknown[]).filter((each) => !isChange(each));
    const problem =
      others.length === 0 ? null : `${others.length} of ${kept.length} are damaged, or of a later version`;
    return { changes: kept.filter(isChange), others, problem };
  } catch {
    return { changes: [], others: null, problem: 'they are no JSON' };
  }
}

function isChange(value: unknown): value is DatabaseChange {
  if (!isObject(value)) return false;
  const { databaseId, atUtcMs, notBeforeUtcMs, source, fromSeconds, toSeconds } = value;
  const areSeconds = [fromSeconds, toSeconds].every(
    (seconds) => seconds === null || Number.isSafeInteger(seconds),
  );
  const isKnown = source === 'error log' || source === 'observed' || source === 'user';
  return (
    areSeconds && isKnown && Number.isSafeInteger(databaseId) && isUtcMs(atUtcMs) && isUtcMs(notBeforeUtcMs)
  );
}

/** The plans whose scripts were opened, each with its forecast, and the looks for limits, oldest first. */
export interface KeptWatch {
  readonly plans: readonly KeptForecast[];
  readonly looks: readonly LimitLook[];
}

/** What of a kept watch is not read here: a later version knows it. */
interface KeptOthers {
  readonly [name: string]: unknown;
  readonly plans?: readonly unknown[];
  readonly looks?: readonly unknown[];
}

/** @param changes all of them: windows of earlier versions take the plan that counts alone */
export function encodeWatch(
  { plans, looks }: KeptWatch,
  changes: readonly DatabaseChange[],
  others: KeptOthers = {},
): Uint8Array {
  const forecast = choosePlan(plans, changes) ?? others['forecast'] ?? null;
  const lists = { plans: [...(others.plans ?? []), ...plans], looks: [...(others.looks ?? []), ...looks] };
  return Buffer.from(JSON.stringify({ ...others, forecast, ...lists }), 'utf8');
}

/** @returns others: null if it is no watch at all; problem: one clause if some of it could not be read */
export function decodeWatch(
  bytes: Uint8Array,
): KeptWatch & { readonly others: KeptOthers | null; readonly problem: string | null } {
  const nothing = { plans: [], looks: [], others: null };
  try {
    const [kept, later] = parseKept(bytes);
    if (later !== null || !isObject(kept) || !Array.isArray(kept['looks']))
      return { ...nothing, problem: later ?? 'it is not what was kept' };
    const { forecast: found = null, plans: listed = [], ...rest } = kept;
    const plans: readonly unknown[] = Array.isArray(listed) ? listed : [listed];
    const unread = found === null || isForecast(found) ? {} : { forecast: found };
    const lost = plans.filter((each) => !isForecast(each));
    const lostLooks = kept['looks'].filter((each) => !isLook(each));
    const isWhole = !('forecast' in unread) && lost.length + lostLooks.length === 0;
    return {
      // A window of an earlier version has one plan; of this one it is the list's already.
      plans: joinPlans([...plans, found].filter(isForecast), []),
      looks: kept['looks'].filter(isLook),
      others: { ...rest, ...unread, plans: lost, looks: lostLooks },
      problem: isWhole ? null : 'a part of it is damaged, or of a later version',
    };
  } catch {
    return { ...nothing, problem: 'it is no JSON' };
  }
}

/** @returns what it is, and one clause if a later version wrote it @throws SyntaxError */
function parseKept(bytes: Uint8Array): readonly [kept: unknown, later: string | null] {
  const kept: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
  return [kept, isObject(kept) && 'version' in kept ? explainVersion(kept['version'], VERSION) : null];
}

const isForecast = (value: unknown): value is KeptForecast => fits(schemas.KeptForecast, value);
const isLook = (value: unknown): value is LimitLook => fits(schemas.LimitLook, value);
