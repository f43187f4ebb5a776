/** A column heading that sorts by its column. */
import { createButton, createElement } from '../kit/elements';

interface SortHeading {
  readonly column: string;
  readonly heading: string;
  /** What the figures are; shown on hover. */
  readonly title: string;
  readonly onSort: () => void;
}

export function createSortHeading({ column, heading, title, onSort }: SortHeading): HTMLTableCellElement {
  const button = createButton(heading, onSort, { class: 'sort', title });
  return createElement('th', { scope: 'col', 'data-column': column, children: [button] });
}

/** Shows and tells a screen reader how the table is sorted by this column; null: it is not. */
export function showSort(heading: HTMLElement, sort: { readonly descending: boolean } | null): void {
  heading.setAttribute('aria-sort', sort === null ? 'none' : sort.descending ? 'descending' : 'ascending');
}
