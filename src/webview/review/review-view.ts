import type { ReviewColumn, ReviewShow, ReviewView } from '../../core/picture/review-rows';

export const INITIAL_REVIEW_VIEW: ReviewView = { filter: '', show: 'all', sort: { column: 'database', descending: false } };

const SHOWS: readonly ReviewShow[] = ['all', 'in', 'left out', 'has it already', 'not chosen'];
const COLUMNS: readonly ReviewColumn[] = ['database', 'now', 'wanted', 'wave', 'verdict', 'reason'];

/** Reads a kept state of unknown origin; every part that does not fit takes its initial value. */
export function parseReviewView(kept: unknown): ReviewView {
  const { filter, show, sort } = isRecord(kept) ? kept : {};
  const column = isRecord(sort) ? COLUMNS.find((one) => one === sort['column']) : undefined;
  return {
    filter: typeof filter === 'string' ? filter : '',
    show: SHOWS.find((one) => one === show) ?? INITIAL_REVIEW_VIEW.show,
    sort: column === undefined ? INITIAL_REVIEW_VIEW.sort : { column, descending: isRecord(sort) && sort['descending'] === true },
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
