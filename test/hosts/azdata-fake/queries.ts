/** `runQueryAndReturn` as SQL Tools Service answers it: a login of its own for each text, and the first result set of its first batch. */
import type * as azdata from 'azdata';
import type { HostConnections } from './connections';
import { showCell, showColumn, type Display } from './cells';
import type { HostProfile } from './profile';

export interface ResultRows {
  readonly columns: readonly { readonly name: string; readonly type?: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

/** What the server gives for one text, run on a login of its own; result sets that came before an error are given with it. */
export type Execute = (profile: HostProfile, text: string) => Promise<{ readonly sets: readonly ResultRows[]; readonly error?: string }>;

export interface AskedQuery {
  readonly uri: string;
  readonly server: string;
  readonly text: string;
}

export class HostQueries {
  readonly asked: AskedQuery[] = [];
  /** What the user's settings run at the beginning of each login of his; it reaches our texts too. */
  userSettings = '';
  /** Answers no more: what is asked stays open for ever. */
  isStuck = false;
  /** Newer services say what SQL Server said where there is no result. */
  saysErrors = false;

  constructor(
    private readonly connections: HostConnections,
    private readonly execute: Execute,
    private readonly display: Display,
  ) {}

  readonly runQueryAndReturn = async (uri: string, text: string): Promise<azdata.SimpleExecuteResult> => {
    const profile = this.connections.find(uri);
    if (profile === undefined) throw new Error('SpecifiedUri does not have existing connection');
    this.asked.push({ uri, server: String(profile.options['server']), text });
    if (this.isStuck) return new Promise(() => undefined);
    const { sets, error } = await this.execute(profile, `${this.userSettings}${text}`);
    const [first] = sets;
    if (first === undefined) throw new Error(error !== undefined && this.saysErrors ? error : 'Query has no results to return');
    return {
      rowCount: first.rows.length,
      columnInfo: first.columns.map(({ name, type }) => showColumn(name, type)),
      rows: first.rows.map((row) => row.map((value) => showCell(value, this.display))),
    };
  };
}
