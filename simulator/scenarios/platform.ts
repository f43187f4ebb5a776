import type { Release } from './releases';

/** The kind of installation. Platforms differ in what they refuse, where files are and which objects they have. */
export type Platform = 'windows' | 'linux' | 'managed-instance' | 'azure-sql-database' | 'rds';

/** SQL Server as a product, and everything except Azure SQL Database: groups of "Applies to" on Microsoft's pages. */
const BOX: readonly Platform[] = ['windows', 'linux', 'rds'];
export const INSTANCES: readonly Platform[] = [...BOX, 'managed-instance'];

/** Which releases and platforms have a column or an object; all if it is empty. */
export interface Presence {
  readonly since?: Release;
  /** The last release that has it. */
  readonly until?: Release;
  readonly on?: readonly Platform[];
}

export function isPresent(
  presence: Presence | undefined,
  server: { readonly release: Release; readonly platform: Platform },
): boolean {
  const {
    since: first = server.release,
    until: last = server.release,
    on = [server.platform],
  } = presence ?? {};
  return first <= server.release && server.release <= last && on.includes(server.platform);
}
