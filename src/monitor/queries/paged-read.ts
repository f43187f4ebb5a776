/**
 * Reads whose cost grows with the number of databases: some databases at a time. If one fails, the others are still
 * read.
 */
import { countOf } from '../../core/format';
import { notObservable, type Observed, observed } from '../../core/observed';
import { writeInteger } from '../../core/script/quote';
import { ConnectionError } from '../../hosts/host';
import { explainAnswer, isAnswer, isLate, isRefusal } from './observed-read';
import { fillText, joinSentences, t } from '../../core/language';

/** Why nothing more may be asked; null while there is time. */
type Allowance = () => string | null;

export function createAllowance(elapsedMs: () => number, mostMs: number): Allowance {
  const endMs = elapsedMs() + mostMs;
  const refusal = t('It was not read within the limit of {0} s.', Math.round(mostMs / 1000));
  return () => (elapsedMs() >= endMs ? refusal : null);
}

export interface PagedRead {
  readonly allowance: Allowance;
  /** Told what could not be read, one sentence each. */
  readonly unread: string[];
}

export type IdRange = { readonly first_database_id: string; readonly last_database_id: string };

type PagedFact = 'logs' | 'volumes';

const WORDS: Readonly<
  Record<
    PagedFact,
    { readonly none: string; readonly ofOne: string; readonly left: readonly [one: string, more: string] }
  >
> = {
  logs: {
    none: t('The transaction logs could not be read.'),
    ofOne: t('The transaction log of database_id {0} could not be read: {1}'),
    left: [
      t('The transaction log of {0} database was not read.'),
      t('The transaction logs of {0} databases were not read.'),
    ],
  },
  volumes: {
    none: t('The volumes could not be read.'),
    ofOne: t('The volumes of database_id {0} could not be read: {1}'),
    left: [t('The volumes of {0} database were not read.'), t('The volumes of {0} databases were not read.')],
  },
};

/** Databases in one question. */
const PAGE = 500;
/** After this many databases have failed, the rest is given up: the cause does not lie in single databases. */
const MOST_FAILURES = 20;

/**
 * Rows of the databases in `ids`, asked for in ranges of ids. A range that fails is halved until the failing database
 * is found. That one is named and left out. Not observable if nothing could be read at all.
 * @throws ConnectionError
 */
export async function readInPages<T>(
  { allowance, unread }: PagedRead,
  ids: readonly number[],
  what: PagedFact,
  read: (range: IdRange) => Promise<readonly T[]>,
): Promise<Observed<readonly T[]>> {
  const sorted = [...ids].sort((a, b) => a - b);
  const waiting: (readonly number[])[] = [];
  for (let from = 0; from < sorted.length; from += PAGE) waiting.push(sorted.slice(from, from + PAGE));
  const rows: T[] = [];
  const failed = new Map<number, string>();
  let answered = sorted.length === 0;
  let stopped: string | null = null;
  while (waiting.length > 0 && (stopped ??= allowance()) === null) {
    const page = waiting.shift() as readonly number[];
    try {
      rows.push(...(await read(rangeOf(page))));
      answered = true;
    } catch (error) {
      if (!(error instanceof ConnectionError) || !(isAnswer(error) || isLate(error))) throw error;
      if (isLate(error)) {
        waiting.unshift(page);
        stopped = error.message;
        break;
      }
      if (!answered && isRefusal(error)) return notObservable(explainAnswer(error));
      if (page.length > 1) waiting.unshift(page.slice(0, page.length >> 1), page.slice(page.length >> 1));
      else failed.set(page[0] as number, error.message);
      if (failed.size > MOST_FAILURES) stopped = error.message;
    }
  }
  const left = waiting.reduce((sum, page) => sum + page.length, 0);
  if (!answered) return notObservable(stopped ?? [...failed.values()][0] ?? WORDS[what].none);
  for (const [id, reason] of failed) unread.push(fillText(WORDS[what].ofOne, id, reason));
  if (left > 0) unread.push(joinSentences(countOf(left, ...WORDS[what].left), stopped ?? ''));
  return observed(rows);
}

function rangeOf(page: readonly number[]): IdRange {
  return {
    first_database_id: writeInteger(page[0] as number),
    last_database_id: writeInteger(page[page.length - 1] as number),
  };
}
