/** What a reader asks for on the review page of a switch, as it was typed, and the choice that it makes. */
import { type Bounds, explainWhole, readNumber } from '../bounds';
import { t } from '../language';
import {
  checkTargetSeconds,
  type Choice,
  DEFAULT_TARGET_SECONDS,
  defaultWaves,
  UNUSUALLY_SHORT_TARGET_SECONDS,
  type WaveChoice,
} from '../advice/plan';
import type { Count, WholeNumber } from '../schema';

/** A field of the form by its name. */
export type ReviewField =
  | 'targetSeconds'
  | 'reason'
  | 'canary'
  | 'batch'
  | 'pauseMinutes'
  | 'stopAboveWriteMs';

export interface ReviewDraft {
  /** Rises with each change, so that an answer says which draft it is for. */
  readonly revision: Count;
  readonly databaseIds: readonly WholeNumber[];
  /** Databases that the reader ticked one by one: only for these a value above 0 is overwritten. */
  readonly namedIds: readonly WholeNumber[];
  /** Databases that the reader moved to another wave: database_id and wave. */
  readonly waveOf: readonly (readonly [WholeNumber, Count])[];
  readonly texts: Readonly<Record<ReviewField, string>>;
  /** Between waves: the user runs the script again for each, or it pauses and goes on by itself. */
  readonly between: 'by hand' | 'pause';
}

interface ReadDraft {
  /** null if a field is wrong. */
  readonly choice: Choice | null;
  /** One sentence for each field that is wrong. */
  readonly errors: Readonly<Partial<Record<ReviewField, string>>>;
}

/**
 * A draft for these databases, in waves, with the default target since SQL Server 2016, and with a canary. Once one was
 * run, the next wave is one as it was planned.
 */
export function createReviewDraft(
  databaseIds: readonly number[],
  namedIds: readonly number[],
  isCanaryRun = false,
): ReviewDraft {
  return {
    revision: 1,
    databaseIds,
    namedIds,
    waveOf: [],
    texts: {
      targetSeconds: String(DEFAULT_TARGET_SECONDS),
      reason: '',
      canary: isCanaryRun ? '' : String(defaultWaves.canary),
      batch: isCanaryRun ? '' : String(defaultWaves.batch),
      pauseMinutes: '10',
      stopAboveWriteMs: '',
    },
    between: 'by hand',
  };
}

/** The draft that takes its databases back to automatic checkpoints, at once. */
export function rollBack(draft: ReviewDraft): ReviewDraft {
  const texts = {
    ...draft.texts,
    targetSeconds: '0',
    reason: t('The last wave is rolled back.'),
    canary: '',
    batch: '',
  };
  return { ...draft, texts };
}

/**
 * The draft with other databases. What was typed stays, and the wave of each database that is still in. A canary that
 * was run is not proposed again.
 */
export function replaceDatabases(
  draft: ReviewDraft,
  databaseIds: readonly number[],
  namedIds: readonly number[],
  isCanaryRun = false,
): ReviewDraft {
  const chosen = new Set(databaseIds);
  const isProposed =
    isCanaryRun &&
    draft.texts.canary === String(defaultWaves.canary) &&
    draft.texts.batch === String(defaultWaves.batch);
  return {
    ...draft,
    revision: draft.revision + 1,
    databaseIds,
    namedIds,
    texts: isProposed ? { ...draft.texts, canary: '', batch: '' } : draft.texts,
    waveOf: draft.waveOf.filter(([databaseId]) => chosen.has(databaseId)),
  };
}

/**
 * The choice that a draft makes, or what is wrong with it. Fields that do not apply are not checked, such as the pause
 * if waves are run by hand.
 */
export function readReviewDraft(draft: ReviewDraft): ReadDraft {
  const { texts, between } = draft;
  const isPausing = between === 'pause';
  const found: Record<ReviewField, string | null> = {
    targetSeconds: checkTargetSeconds(readNumber(texts.targetSeconds), texts.reason),
    reason:
      texts.reason.length > MOST_REASON_LENGTH
        ? t('The reason can have at most {0} characters.', MOST_REASON_LENGTH)
        : null,
    canary: checkOptional(texts.canary, DATABASES, FIRST_WAVE),
    batch: checkOptional(texts.batch, DATABASES, NEXT_WAVES),
    pauseMinutes: isPausing ? explainWhole(readNumber(texts.pauseMinutes), PAUSE_MINUTES, PAUSE) : null,
    stopAboveWriteMs: isPausing ? checkOptional(texts.stopAboveWriteMs, WRITE_MS, WRITE_LIMIT) : null,
  };
  const errors = Object.fromEntries(
    Object.entries(found).filter(([, sentence]) => sentence !== null),
  ) as ReadDraft['errors'];
  return { choice: Object.keys(errors).length === 0 ? createChoice(draft) : null, errors };
}

function createChoice(draft: ReviewDraft): Choice {
  const { databaseIds, texts } = draft;
  const namedIds = new Set(draft.namedIds);
  return {
    databaseIds,
    byName: databaseIds.length > 0 && databaseIds.every((databaseId) => namedIds.has(databaseId)),
    namedIds,
    targetSeconds: readNumber(texts.targetSeconds),
    reason: texts.reason.trim() === '' ? null : texts.reason.trim(),
    waves: readWaves(draft),
    waveOf: new Map(draft.waveOf),
  };
}

function readWaves({ texts, between }: ReviewDraft): WaveChoice {
  const sizes = { canary: readOptional(texts.canary, 0), batch: readOptional(texts.batch, 0) };
  if (between === 'by hand') return { ...sizes, pauseMinutes: null, stopAboveWriteMs: null };
  return {
    ...sizes,
    pauseMinutes: readNumber(texts.pauseMinutes),
    stopAboveWriteMs: readOptional(texts.stopAboveWriteMs, null),
  };
}

/** No instance has more. */
const DATABASES = { least: 0, most: 32_767 };
/** Less than a day. */
const PAUSE_MINUTES = { least: 1, most: 1_439 };
const WRITE_MS = { least: 1, most: 60_000 };
const WAVES = { least: 1, most: 999 };
const MOST_REASON_LENGTH = 500;

/** Why this is no wave number, as one sentence; null if it is one. */
export function checkWave(text: string): string | null {
  return explainWhole(readNumber(text), WAVES) === null
    ? null
    : t('A wave must be a whole number from 1 to {0}.', WAVES.most);
}

const FIRST_WAVE = t(
  'Databases in the first wave: a whole number from {0} to {1}. Empty: as large as the others.',
);
const NEXT_WAVES = t('Databases in each later wave: a whole number from {0} to {1}. Empty: all the rest.');
const PAUSE = t('The pause must be a whole number of minutes from {0} to {1}.');
const WRITE_LIMIT = t(
  'The limit must be a whole number of milliseconds from {0} to {1}. Leave it empty for twice the average of the first pause.',
);

/** An empty field asks for nothing. */
function checkOptional(text: string, bounds: Bounds, sentence: string): string | null {
  return text.trim() === '' ? null : explainWhole(readNumber(text), bounds, sentence);
}

function readOptional<T>(text: string, nothing: T): T | number {
  return text.trim() === '' ? nothing : readNumber(text);
}

/** What a target this short costs and gains, or what 0 means; null if it is usual. @param targetSeconds seconds */
export function describeShortTarget(targetSeconds: number): string | null {
  if (targetSeconds >= UNUSUALLY_SHORT_TARGET_SECONDS) return null;
  if (targetSeconds === 0)
    return t(
      '0 turns indirect checkpoints off. These databases go back to automatic checkpoints, which scan all memory each time and queue on one task.',
    );
  return t(
    'Below {0} seconds the background writer writes pages that soon change again, so it writes them several times: total writes rise. You gain a shorter recovery after a crash.',
    UNUSUALLY_SHORT_TARGET_SECONDS,
  );
}
