/**
 * Changes of target recovery time, the forecast, and looks for limits, as bytes that are kept with a capture. They are JSON, so that a person can
 * read them.
 */
import { type ForecastWave, type KeptForecast, renewForecast } from '../../core/advice/forecast';
import { findRun } from '../../core/advice/forecast-seen';
import { type LimitLook, lookFigures } from '../../core/advice/limits';
import type { KeptSection } from '../../core/capture/capture-record';
import type { Steps } from '../../core/steps';
import { explainVersion } from '../../core/schema';
import { type DatabaseChange, findSwitches } from '../../core/task/change-moment';
import { isUtcMs } from '../../core/time';

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
export function writeNoted(changes: readonly DatabaseChange[], watch: KeptWatch, known: readonly DatabaseChange[]): readonly KeptSection[] {
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
    const { forecast, looks, others: own } = decodeWatch(earlier);
    if (own === null) return null;
    seen = { forecast: joinForecasts(forecast, seen.forecast, joinChanges(all, known)), looks: joinLooks(looks, seen.looks) };
    others = { ...others, ...own, looks: joinOthers(own.looks ?? [], others.looks ?? []) };
    return encodeWatch(seen, others);
  }
  return [
    { name: CHANGES_SECTION, bytes: encodeChanges(all), join: joinNoted },
    { name: WATCH_SECTION, bytes: encodeWatch(seen), join: joinWatch },
  ];
}

/** Each value once. */
function joinOthers(earlier: readonly unknown[], later: readonly unknown[]): readonly unknown[] {
  return [...new Map([...earlier, ...later].map((value) => [JSON.stringify(value), value])).values()];
}

/** Each change once. */
export function joinChanges(earlier: readonly DatabaseChange[], later: readonly DatabaseChange[]): readonly DatabaseChange[] {
  const nameChange = ({ databaseId, atUtcMs, source }: DatabaseChange): string => `${databaseId} ${atUtcMs} ${source}`;
  const known = new Set(later.map(nameChange));
  return [...earlier.filter((change) => !known.has(nameChange(change))), ...later];
}

/** Each look once, oldest first. */
export function joinLooks(earlier: readonly LimitLook[], later: readonly LimitLook[]): readonly LimitLook[] {
  const known = new Map([...earlier, ...later].map((look) => [look.atUtcMs, look]));
  return [...known.values()].sort((a, b) => a.atUtcMs - b.atUtcMs).slice(-MOST_LOOKS);
}

/** Which of two forecasts counts, as if one had been made after the other in one window. @param changes tell which waves were run */
export function joinForecasts(
  one: KeptForecast | null,
  other: KeptForecast | null,
  changes: readonly DatabaseChange[],
): KeptForecast | null {
  if (one === null || other === null) return one ?? other;
  const [kept, fresh] = isBefore(other, one) ? [other, one] : [one, other];
  if (kept.madeUtcMs === fresh.madeUtcMs) return fresh;
  const switchedUtcMs = findSwitches(changes, kept.madeUtcMs);
  return renewForecast(kept, fresh, (wave) => findRun(kept.waves[wave]?.databaseIds ?? [], switchedUtcMs) !== null);
}

function isBefore(one: KeptForecast, other: KeptForecast): boolean {
  return one.madeUtcMs < other.madeUtcMs || (one.madeUtcMs === other.madeUtcMs && (one.renewedUtcMs ?? 0) < (other.renewedUtcMs ?? 0));
}

export function encodeChanges(changes: readonly DatabaseChange[], others: readonly unknown[] = []): Uint8Array {
  return Buffer.from(JSON.stringify([...others, ...changes]), 'utf8');
}

export function decodeChanges(bytes: Uint8Array): DecodedChanges {
  try {
    const [kept, later] = parseKept(bytes);
    if (!Array.isArray(kept)) return { changes: [], others: null, problem: later ?? 'they are not a list' };
    const others = (kept as unknown[]).filter((each) => !isChange(each));
    const problem = others.length === 0 ? null : `${others.length} of ${kept.length} are damaged, or of a later version`;
    return { changes: kept.filter(isChange), others, problem };
  } catch {
    return { changes: [], others: null, problem: 'they are no JSON' };
  }
}

function isChange(value: unknown): value is DatabaseChange {
  if (!isRecord(value)) return false;
  const { databaseId, atUtcMs, notBeforeUtcMs, source, fromSeconds, toSeconds } = value;
  const isSeconds = (seconds: unknown): boolean => seconds === null || Number.isSafeInteger(seconds);
  return (
    Number.isSafeInteger(databaseId) &&
    isUtcMs(atUtcMs) &&
    isUtcMs(notBeforeUtcMs) &&
    (source === 'error log' || source === 'observed' || source === 'user') &&
    isSeconds(fromSeconds) &&
    isSeconds(toSeconds)
  );
}

/** The forecast to compare with, and the looks for limits, oldest first. */
interface KeptWatch {
  readonly forecast: KeptForecast | null;
  readonly looks: readonly LimitLook[];
}

/** What of a kept watch is not read here: a later version knows it. */
interface KeptOthers {
  readonly [name: string]: unknown;
  readonly looks?: readonly unknown[];
}

export function encodeWatch({ forecast, looks }: KeptWatch, others: KeptOthers = {}): Uint8Array {
  const kept = { ...others, forecast: forecast ?? others['forecast'] ?? null, looks: [...(others.looks ?? []), ...looks] };
  return Buffer.from(JSON.stringify(kept), 'utf8');
}

/** @returns others: null if it is no watch at all; problem: one clause if some of it could not be read */
export function decodeWatch(bytes: Uint8Array): KeptWatch & { readonly others: KeptOthers | null; readonly problem: string | null } {
  const nothing = { forecast: null, looks: [], others: null };
  try {
    const [kept, later] = parseKept(bytes);
    if (later !== null || !isRecord(kept) || !Array.isArray(kept['looks']))
      return { ...nothing, problem: later ?? 'it is not what was kept' };
    const { forecast: found, ...rest } = kept;
    const forecast = isForecast(found) ? found : null;
    const unread = forecast === null && found !== null ? { forecast: found } : {};
    const others = { ...rest, ...unread, looks: kept['looks'].filter((each) => !isLook(each)) };
    const isWhole = !('forecast' in unread) && others.looks.length === 0;
    return {
      forecast,
      looks: kept['looks'].filter(isLook),
      others,
      problem: isWhole ? null : 'a part of it is damaged, or of a later version',
    };
  } catch {
    return { ...nothing, problem: 'it is no JSON' };
  }
}

/** @returns what it is, and one clause if a later version wrote it @throws SyntaxError */
function parseKept(bytes: Uint8Array): readonly [kept: unknown, later: string | null] {
  const kept: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
  return [kept, isRecord(kept) && 'version' in kept ? explainVersion(kept['version'], VERSION) : null];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isForecast(value: unknown): value is KeptForecast {
  if (!isRecord(value)) return false;
  const { madeUtcMs, renewedUtcMs = madeUtcMs, fromUtcMs, toUtcMs, now, bound, waves } = value;
  const areNumbers = [madeUtcMs, renewedUtcMs, fromUtcMs, toUtcMs].every(isUtcMs) && Number.isFinite(now) && Number.isFinite(bound);
  return areNumbers && Array.isArray(waves) && waves.length > 0 && waves.every(isWave);
}

function isWave(value: unknown): value is ForecastWave {
  if (!isRecord(value)) return false;
  const { databaseIds, low, high, likely = low } = value;
  return [low, high, likely].every(Number.isFinite) && Array.isArray(databaseIds) && databaseIds.every(Number.isSafeInteger);
}

function isLook(value: unknown): value is LimitLook {
  if (!isRecord(value)) return false;
  const areFigures = lookFigures.every((name) => value[name] === null || Number.isFinite(value[name]));
  const { logs = [] } = value;
  if (
    !Array.isArray(logs) ||
    !logs.every((log) => isRecord(log) && typeof log['database'] === 'string' && Number.isFinite(log['usedShare']))
  )
    return false;
  return areFigures && isUtcMs(value['atUtcMs']) && typeof value['logUsedBy'] === 'string' && typeof value['redoQueueBy'] === 'string';
}
