import { type Group, groups } from '../../core/advice/verdict';
import type { ReviewColumn, ReviewShow, ReviewView } from '../../core/review/review-groups';

export const INITIAL_REVIEW_VIEW: ReviewView = {
  filter: '',
  show: 'all',
  sort: { column: 'share', descending: true },
  open: {},
  whole: [],
};

/** What can be shown, in the words of the list. */
export const SHOWS: readonly (readonly [ReviewShow, string])[] = [
  ['all', 'All databases'],
  ['in', 'In the script'],
  ['left out', 'Ticked and left out'],
  ['Switch', 'Switch'],
  ['Watch', 'Watch'],
  ['Leave', 'Leave'],
  ['Cannot tell here', 'Cannot tell here'],
];
const COLUMNS: readonly ReviewColumn[] = ['database', 'share', 'perHour', 'medianMs', 'wave'];

/** Reads a kept state of unknown origin; every part that does not fit takes its initial value. */
export function parseReviewView(kept: unknown): ReviewView {
  const { filter, show, sort, open, whole } = isRecord(kept) ? kept : {};
  const column = isRecord(sort) ? COLUMNS.find((one) => one === sort['column']) : undefined;
  const opened = isRecord(open) ? groups.filter((group) => typeof open[group] === 'boolean') : [];
  return {
    filter: typeof filter === 'string' ? filter : '',
    show: SHOWS.find(([one]) => one === show)?.[0] ?? INITIAL_REVIEW_VIEW.show,
    sort: column === undefined ? INITIAL_REVIEW_VIEW.sort : { column, descending: isRecord(sort) && sort['descending'] === true },
    open: Object.fromEntries(opened.map((group) => [group, (open as Record<Group, boolean>)[group]])),
    whole: Array.isArray(whole) ? groups.filter((group) => whole.includes(group)) : [],
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
