/**
 * Limits while databases are switched wave by wave: the value before the first wave, the value now, and the limit from
 * which on the next wave has to wait. Limits are ours, except that of the log under SIMPLE: at 70 % a checkpoint is due
 * (docs/facts.md, SQL Server 1). A log that was fuller before is up above 90 %, once it is fuller than then.
 */
import type { UtcMs } from '../schema';
import { formatCount, formatDuration, formatNumber } from '../format';
import { joinSentences, t } from '../language';
import { makeVisible } from '../visible';

/** What is read of the server at a look. null: not observable, or there is none. */
export interface LimitLook {
  readonly atUtcMs: UtcMs;
  /** How full the fullest log is, 0 to 1, and which database it belongs to. */
  readonly logUsedShare: number | null;
  readonly logUsedBy: string;
  /** The fullest logs, at most MOST_LOGS of them, the fullest first; absent: not kept. */
  readonly logs?: readonly LogUse[];
  /** The longest redo queue of a copy, and of which database. */
  readonly redoQueueKb: number | null;
  readonly redoQueueBy: string;
  /** Back-offs of the spinlock DP_LIST since the server started, or since they were cleared. */
  readonly backoffs: number | null;
  /**
   * Events recovery_target_miss that the capture has so far; 0 also if its session has no such event. null: not known
   * then; absent: an earlier version.
   */
  readonly targetMisses?: number | null;
}

export interface LogUse {
  readonly database: string;
  /** 0 to 1. */
  readonly usedShare: number;
}

/** Logs that are kept of a look. */
export const MOST_LOGS = 50;

export type LimitId = keyof typeof SIGNS;

/** What was observed of one sign. */
export interface LimitFigures {
  /** null: not observed. */
  readonly before: number | null;
  readonly now: number | null;
  /** The database that the figure belongs to; absent: the server. */
  readonly by?: string;
  readonly note: string;
  /** The server has nothing that this sign could measure. */
  readonly isNone?: true;
}

export interface Limit extends LimitFigures {
  readonly id: LimitId;
  readonly name: string;
  /** null: none is known. */
  readonly limit: number | null;
  readonly state: 'up' | 'near' | 'clear' | 'not observable';
}

interface SignKind {
  readonly name: string;
  /** Within a sentence. */
  readonly brief: string;
  /**
   * A fixed value, and `full`, a share, for one that was over it before; or this many times the value before but at
   * least `least`; null: no limit is known.
   */
  readonly limit:
    | { readonly at: number; readonly full?: number }
    | { readonly times: number; readonly least: number }
    | null;
  readonly write: (value: number) => string;
}

const milliseconds = (value: number): string => `${formatNumber(value, 1)} ms`;

const SIGNS = {
  'log used': {
    name: t('Log used, latest'),
    brief: t('log used'),
    limit: { at: 0.7, full: 0.91 },
    write: (share) => `${formatCount(share * 100)} %`,
  },
  'oldest page': {
    name: t('Log held by OLDEST_PAGE'),
    brief: t('log held by OLDEST_PAGE'),
    limit: { at: 30 * 60_000 },
    write: (ms) => (ms === 0 ? t('{0} min', 0) : formatDuration(ms)),
  },
  'redo queue': {
    name: t('Redo queue, latest'),
    brief: t('redo queue'),
    limit: { at: 200 * 1024 },
    write: (kb) => `${formatCount(kb / 1024)} MB`,
  },
  'data writes': {
    name: t('Data-file writes, p95'),
    brief: t('data-file writes'),
    limit: { times: 2, least: 5 },
    write: milliseconds,
  },
  'log waits': {
    name: t('Log writes, mean'),
    brief: t('WRITELOG wait'),
    limit: { times: 2, least: 2 },
    write: milliseconds,
  },
  pages: {
    name: t('Pages written per MB of log'),
    brief: t('pages written per MB of log'),
    limit: { times: 1.5, least: 1 },
    write: (pages) => formatCount(pages),
  },
  'flush cache': {
    name: t('FlushCache by DirtyPageMgr'),
    brief: t('FlushCache by DirtyPageMgr'),
    limit: { at: 1 },
    write: (aDay) => t('{0} a day', round(aDay)),
  },
  'target missed': {
    name: t('Recovery target missed'),
    brief: t('recovery target missed'),
    limit: null,
    write: (anHour) => t('{0} an hour', round(anHour)),
  },
  spinlock: {
    name: t('DP_LIST spinlock'),
    brief: t('DP_LIST spinlock'),
    limit: null,
    write: (aMinute) => t('{0} a minute', round(aMinute)),
  },
} as const satisfies Readonly<Record<string, SignKind>>;

/** docs/facts.md, SQL Server 5. */
export const FLUSHES_DIFFER = t(
  'Indirect checkpoints log a different message from automatic ones (FlushCache), at a different threshold: do not compare counts before and after a switch.',
);

/** From this part of the limit on a sign is near. */
const NEAR = 0.85;

/** In the order in which they are looked at. */
export const limitIds = Object.keys(SIGNS) as readonly LimitId[];

export function judgeLimit(id: LimitId, figures: LimitFigures): Limit {
  const { name, limit }: SignKind = SIGNS[id];
  const most = limit && findLimit(limit, figures.before);
  const isBlind = figures.now === null || (limit !== null && most === null);
  return {
    id,
    name,
    ...figures,
    limit: most,
    state: figures.isNone ? 'clear' : isBlind ? 'not observable' : nameState(figures.now ?? 0, most),
  };
}

function findLimit(limit: NonNullable<SignKind['limit']>, before: number | null): number | null {
  if ('times' in limit) return before === null ? null : Math.max(limit.least, before * limit.times);
  const { at, full } = limit;
  return full === undefined || before === null || before < at
    ? at
    : Math.min(1, Math.max(full, Math.round(100 * before + 1) / 100));
}

function nameState(now: number, limit: number | null): Limit['state'] {
  if (limit === null) return 'clear';
  return now >= limit ? 'up' : now >= NEAR * limit ? 'near' : 'clear';
}

export function writeLimitValue(id: LimitId, value: number): string {
  return SIGNS[id].write(value);
}

/** The most important sign, for the pane and the status bar. */
export interface NearestLimit {
  readonly id: LimitId;
  /** "log used 71 %". */
  readonly brief: string;
  /** The same with the database and the limit. */
  readonly text: string;
  readonly isUp: boolean;
}

/** The limit that matters most: one that is exceeded, else the nearest; null: none is near. */
export function findNearestLimit(signs: readonly Limit[]): NearestLimit | null {
  const first = findNearest(signs);
  if (first === undefined || (first.state !== 'up' && first.state !== 'near')) return null;
  return {
    id: first.id,
    brief: `${SIGNS[first.id].brief} ${writeLimitValue(first.id, first.now ?? 0)}`,
    text: describeSign(first),
    isUp: first.state === 'up',
  };
}

function findNearest(signs: readonly Limit[]): Limit | undefined {
  const shareOf = ({ now, limit }: Limit): number => (now ?? 0) / (limit ?? Infinity);
  const [first] = signs.filter((sign) => shareOf(sign) > 0).sort((a, b) => shareOf(b) - shareOf(a));
  return first;
}

function describeSign({ id, now, limit, by }: Limit): string {
  const what = SIGNS[id].brief;
  const [value, most] = [writeLimitValue(id, now ?? 0), writeLimitValue(id, limit ?? 0)];
  return by === undefined
    ? t('{0} {1}, limit {2}', what, value, most)
    : t('{0} in {1} {2}, limit {3}', what, makeVisible(by), value, most);
}

/** One or two sentences. */
export function describeLimits(signs: readonly Limit[]): string {
  const nearest = findNearest(signs);
  const unseen = signs.filter(({ state }) => state === 'not observable').length;
  const blind = unseen === 0 ? '' : t('{0} of {1} cannot be seen.', unseen, signs.length);
  if (nearest === undefined) return joinSentences(t('None is exceeded.'), blind);
  const told =
    nearest.state === 'up'
      ? t('Exceeded: {0}.', describeSign(nearest))
      : t('None is exceeded. Nearest: {0}.', describeSign(nearest));
  return joinSentences(told, blind);
}

function round(value: number): string {
  return formatNumber(
    value,
    value > 0 && value < 10 && !Number.isInteger(Math.round(value * 10) / 10) ? 1 : 0,
  );
}
