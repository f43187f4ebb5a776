import { createMssqlHost } from '../../../src/hosts/mssql/host';
import type { ServerAccess } from '../../../src/hosts/host';
import type { Simulator } from '../../../simulator/index';
import { simpleExecute } from '../../azdata/provider/simple-execute';
import { type Through, USER_SETTINGS } from '../through';
import { createFakeMssql } from './fake';

function reachThroughMssql({ port, administrator }: Simulator, database?: string): ServerAccess {
  const fake = createFakeMssql('commands');
  const options = { server: `localhost,${port}`, ...administrator, trustServerCertificate: true, database };
  const display = { decimalMark: ',', bits: 'True', maxChars: 65_535 } as const;
  fake.does['executeSimpleQuery'] = (_uri, text) =>
    simpleExecute({ options }, String(text), { display, userSettings: USER_SETTINGS });
  return createMssqlHost(fake.world).access({ id: 'mssql:one', name: 'PROD', server: 'sql07', user: 'dba' });
}

export const through: Through = {
  'the SQL Server extension': reachThroughMssql,
  'the SQL Server extension in the context of a user database': (simulator) =>
    reachThroughMssql(simulator, 'a]b'),
};
