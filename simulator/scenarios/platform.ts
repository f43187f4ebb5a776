import type { Release } from './releases';

/** What kind of installation it is: platforms differ in what they refuse, where files lie and which objects there are. */
export type Platform = 'windows' | 'linux' | 'managed-instance' | 'azure-sql-database' | 'rds';

/** SQL Server as a product, and everything but Azure SQL Database: what Microsoft's pages call "Applies to". */
export const BOX: readonly Platform[] = ['windows', 'linux', 'rds'];
export const INSTANCES: readonly Platform[] = [...BOX, 'managed-instance'];

/** Where a column or an object is to be found; everywhere, if it says nothing. */
export interface Presence {
  readonly since?: Release;
  /** The last release that has it. */
  readonly until?: Release;
  readonly on?: readonly Platform[];
}

export function isPresent(presence: Presence | undefined, server: { readonly release: Release; readonly platform: Platform }): boolean {
  const { since: first = server.release, until: last = server.release, on = [server.platform] } = presence ?? {};
  return first <= server.release && server.release <= last && on.includes(server.platform);
}
