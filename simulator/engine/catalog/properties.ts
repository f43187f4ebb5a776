import type { ServerDescription } from '../../scenarios/scenario';
import type { SqlValue } from '../../tds/handler';
import { notModelled } from '../../tds/messages';
import type { Database } from '../databases/databases';
import { int, sysname } from './relation';

const text = (value: string): SqlValue => ({ type: sysname, value });
const whole = (value: number): SqlValue => ({ type: int, value });
const joined = (directory: string, name: string): string =>
  `${directory}${directory.includes('\\') ? '\\' : '/'}${name}`;

/** Microsoft Learn, "SERVERPROPERTY". By their names in lower case. */
const SERVER: Readonly<Record<string, (server: ServerDescription) => SqlValue>> = {
  edition: (s) => text(s.edition),
  engineedition: (s) => whole(s.engineEdition),
  errorlogfilename: (s) => text(joined(s.logDirectory, s.platform === 'linux' ? 'errorlog' : 'ERRORLOG')),
  instancename: () => null,
  isclustered: () => whole(0),
  ishadrenabled: (s) => whole(s.isHadrEnabled === true ? 1 : 0),
  machinename: (s) => text(s.name),
  // Its "Applies to" begins with 2017.
  pathseparator: (s) => (s.release < 2017 ? null : text(s.platform === 'linux' ? '/' : '\\')),
  productlevel: (s) => text(s.build.level),
  productversion: (s) => text(s.build.version.join('.')),
  servername: (s) => text(s.name),
};

/**
 * SERVERPROPERTY: sql_variant values; null for a name that this release does not know.
 * @throws SqlError 50000 for a property that is not modelled
 */
export function serverProperty(server: ServerDescription, name: string): SqlValue {
  const property = SERVER[name.toLowerCase()];
  if (property === undefined) throw notModelled(`SERVERPROPERTY('${name}')`);
  return property(server);
}

/**
 * DATABASEPROPERTYEX(..., 'Updateability'): a sql_variant value; null for an unknown database.
 * @throws SqlError 50000 for a property that is not modelled
 */
export function databaseProperty(database: Database | undefined, name: string): SqlValue {
  if (name.toLowerCase() !== 'updateability') throw notModelled(`DATABASEPROPERTYEX(..., '${name}')`);
  if (database === undefined) return null;
  return text(
    database.isReadOnly || database.availability?.isWritable === false ? 'READ_ONLY' : 'READ_WRITE',
  );
}
