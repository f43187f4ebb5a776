/** The rows of a review as a reader wants to see them. */
import { hasText } from '../visible';
import type { ReviewRow } from './review-page';

export type ReviewColumn = 'database' | 'now' | 'wanted' | 'wave' | 'verdict' | 'reason';
/** Which rows are shown by what becomes of them. */
export type ReviewShow = 'all' | ReviewRow['state'];

export interface ReviewSort {
  readonly column: ReviewColumn;
  readonly descending: boolean;
}

export interface ReviewView {
  /** Part of a name, case aside. */
  readonly filter: string;
  readonly show: ReviewShow;
  readonly sort: ReviewSort;
}

/** The rows that fit, sorted. What has no value in the column comes last either way; equal rows are ordered by name, then by id. */
export function selectReviewRows(rows: readonly ReviewRow[], { filter, show, sort }: ReviewView): readonly ReviewRow[] {
  const wanted = filter.toLowerCase();
  return rows
    .filter((row) => (show === 'all' || row.state === show) && hasText(row.name, wanted))
    .sort((a, b) => compareColumn(a, b, sort) || compareTexts(a.name, b.name) || a.databaseId - b.databaseId);
}

const collator = new Intl.Collator('en', { numeric: true });
const compareTexts = (a: string, b: string): number => collator.compare(a, b);
/** The worst first. */
const verdicts: readonly ReviewRow['verdict'][] = ['Switch', 'Watch', 'Cannot tell here', 'Leave'];

function compareColumn(a: ReviewRow, b: ReviewRow, { column, descending }: ReviewSort): number {
  const direction = descending ? -1 : 1;
  switch (column) {
    case 'database':
      return direction * compareTexts(a.name, b.name);
    case 'reason':
      return direction * compareTexts(a.reason, b.reason);
    case 'verdict':
      return direction * (verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict));
    case 'now':
      return compareNumbers(a.nowSeconds, b.nowSeconds, direction);
    case 'wanted':
      return compareNumbers(a.wantedSeconds, b.wantedSeconds, direction);
    case 'wave':
      return compareNumbers(a.wave, b.wave, direction);
    default:
      return column satisfies never;
  }
}

function compareNumbers(a: number | null, b: number | null, direction: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return direction * (a - b);
}
