import type { ServerAccess } from '../../../src/hosts/host';
import type { Simulator } from '../../../simulator/index';
import { executeOverTds, logInOverTds, recordedId } from '../azdata-fake/azdata-fake';
import { seeded, seededServer, startAzdata } from './host';
import { type Through, USER_SETTINGS } from '../through';
import type { Login } from '../../simulator/product/watched-server';

/**
 * A simulated server by way of a fake of Azure Data Studio: one result set a query, all cells as German text, and
 * hidden errors.
 */
export function reachThroughAzdata(
  { port, administrator }: Pick<Simulator, 'port' | 'administrator'>,
  login?: Login,
  userSettings = '',
): ServerAccess {
  const { user, password } = { ...administrator, ...login };
  const there = (): { host: string; port: number } => ({ host: 'localhost', port });
  const { fake, host } = startAzdata({
    saved: [{ ...seeded, user, options: { trustServerCertificate: 'True' } }],
    passwords: { [recordedId]: password },
    logIn: logInOverTds(there),
    execute: executeOverTds(there),
    display: { decimalMark: ',', bits: 'True' },
  });
  fake.queries.userSettings = userSettings;
  return host.access({ ...seededServer, user });
}

/** By name, the ways in which a user has it. */
export const through: Through = {
  'Azure Data Studio': (simulator) => reachThroughAzdata(simulator, undefined, USER_SETTINGS),
};
