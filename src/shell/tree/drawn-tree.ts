/**
 * What the editor holds of the pane, compared with what there is to show now. The editor forgets every row under one that it is told to read again until it
 * has asked for them again (extHostTreeViews.ts of VS Code), and a command of their menus has no row then: so it is told of no more than what is different.
 */
import type { Row } from './row';

/** The rows under each row that the editor asked about, by that row's id. */
export type DrawnTree = ReadonlyMap<string, readonly Row[]>;

/** Stands for the row above those that have none above them. */
export const TOP_ID = '';

export interface TreeChanges {
  /** What the editor holds once it was told; what is read again is not in it before it is asked for. */
  readonly drawn: DrawnTree;
  /** To be read again with everything under them: other rows are under them or in another order, or they say something else and can be opened. null, alone: the whole pane. */
  readonly reread: readonly (Row | null)[];
  /** Rows with nothing under them that say something else. */
  readonly reworded: readonly Row[];
}

/**
 * @param list the rows there are now under one row; null: at the top. Asked once for each row that the editor asked about.
 * @param leavesFigures rows that can be opened keep the figures beside their names for now, because all under them would be read again
 */
export function compareTree(before: DrawnTree, list: (parent: Row | null) => readonly Row[], leavesFigures = false): TreeChanges {
  const drawn = new Map<string, readonly Row[]>();
  const reread: (Row | null)[] = [];
  const reworded: Row[] = [];
  const compareUnder = (parent: Row | null): void => {
    const id = parent?.id ?? TOP_ID;
    const were = before.get(id);
    if (were === undefined) return;
    const are = list(parent);
    if (!areSameRows(were, are)) return void reread.push(parent);
    const shown = are.map((row, at) => {
      const was = were[at] as Row;
      return leavesFigures && row.expand !== 'never' && differsInFigures(was, row) ? was : row;
    });
    drawn.set(id, shown);
    shown.forEach((row, at) => {
      if (looksAlike(were[at] as Row, row)) compareUnder(row);
      else (row.expand === 'never' ? reworded : reread).push(row);
    });
  };
  compareUnder(null);
  return { drawn, reread, reworded };
}

function areSameRows(were: readonly Row[], are: readonly Row[]): boolean {
  return were.length === are.length && were.every(({ id }, at) => id === are[at]?.id);
}

function differsInFigures(was: Row, is: Row): boolean {
  return looksAlike({ ...was, description: is.description, tooltip: is.tooltip, spoken: is.spoken }, is);
}

function looksAlike(was: Row, is: Row): boolean {
  return (
    was.label === is.label &&
    was.description === is.description &&
    was.tooltip === is.tooltip &&
    was.context === is.context &&
    was.expand === is.expand &&
    was.spoken === is.spoken &&
    was.command === is.command &&
    was.icon?.name === is.icon?.name &&
    was.icon?.colour === is.icon?.colour
  );
}
