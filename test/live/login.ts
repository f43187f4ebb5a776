/**
 * Logins of the live tests, past the product, and names and texts in their T-SQL: past the product's own quoting, which
 * is under test.
 */
import {
  type Cells,
  type LoginAddress,
  openQueryWindow,
  type QueryWindow,
  type Shown,
} from '../e2e/query-window';

/** A query window that can also be asked for rows. */
export interface LiveLogin extends QueryWindow {
  /** The rows of all result sets. @throws Error with the batch and what was printed, where an error is among it */
  rows(sql: string): Promise<readonly Cells[]>;
  /** The first cell of the first row, as a number. */
  number(sql: string): Promise<number>;
}

/** The numbers of the errors that a window shows. */
export const errorsOf = ({ printed }: Shown): readonly number[] =>
  [...printed.matchAll(/^Msg (\d+): /gm)].map(([, number]) => Number(number));

/** @throws tedious' own error where the server cannot be reached or refuses the login */
export async function openLogin(address: LoginAddress): Promise<LiveLogin> {
  const window = await openQueryWindow(address);
  const rows = async (sql: string): Promise<readonly Cells[]> => {
    const shown = await window.run(sql);
    if (errorsOf(shown).length > 0) throw new Error(`${shown.printed} in: ${sql}`);
    return shown.tables.flat();
  };
  return { ...window, rows, number: async (sql) => Number(Object.values((await rows(sql))[0] ?? {})[0]) };
}

export const quoteName = (name: string): string => `[${name.replace(/]/g, ']]')}]`;
export const quoteText = (text: string): string => `N'${text.replace(/'/g, "''")}'`;
