/**
 * Compares what the editor holds of the pane with what there is to show now. If the editor is told to read a row again,
 * it forgets all rows under it until it has asked for them (extHostTreeViews.ts of VS Code). A command of their menus
 * has no row meanwhile. So we tell it only what changed.
 */
import type { Row } from './row';

/** The rows under each row that the editor asked about, by the id of that row. */
export type DrawnTree = ReadonlyMap<string, readonly Row[]>;

/** Stands for the parent of the rows at the top. */
export const TOP_ID = '';

export interface TreeChanges {
  /** What the editor holds once it was told. It lacks rows that are read again until the editor asks for them. */
  readonly drawn: DrawnTree;
  /**
   * Rows to read again with everything under them: rows under them differ, or they differ and can be opened. A single
   * null means the whole pane.
   */
  readonly reread: readonly (Row | null)[];
  /** Rows with nothing under them that differ. */
  readonly reworded: readonly Row[];
}

/**
 * @param list the rows under one row now; null: at the top. Called once for each row that the editor asked about
 * @param leavesFigures leave the figures of rows that can be opened for now, because a change makes the editor read all
 * rows under them again
 */
export function compareTree(
  before: DrawnTree,
  list: (parent: Row | null) => readonly Row[],
  leavesFigures = false,
): TreeChanges {
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
