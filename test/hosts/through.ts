import type { ServerAccess } from '../../src/hosts/host';
import type { Simulator } from '../../simulator/index';

/** By the name of the way, with German numbers and with settings of the user's own. */
export type Through = Readonly<Record<string, (simulator: Simulator) => ServerAccess>>;

/** What a user may have run at the beginning of each of his sessions, each of it in the way. */
export const USER_SETTINGS =
  'SET LOCK_TIMEOUT -1; SET ROWCOUNT 3; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; SET IMPLICIT_TRANSACTIONS ON; SET NOEXEC OFF;\n';
