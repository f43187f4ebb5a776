import type { ServerDescription } from '../../scenarios/scenario';
import type { SqlType, SqlValue } from '../../tds/handler';
import type { Database } from '../databases';
import { int, sysname } from './relation';

const typed = (type: SqlType, value: string | number | bigint): SqlValue => ({ type, value });
const text = (value: string): SqlValue => typed(sysname, value);
const textOrNull = (value: string | null): SqlValue => (value === null ? null : text(value));
const whole = (value: number): SqlValue => typed(int, value);

/** SERVERPROPERTY: sql_variant values under the names of SQL Server 2019; null for any other. */
export function serverProperty(server: ServerDescription, name: string): SqlValue {
  const [major, minor, build, revision] = server.build.version;
  const values: Readonly<Record<string, SqlValue>> = {
    servername: text(server.name),
    machinename: text(server.name),
    computernamephysicalnetbios: text(server.name),
    instancename: null,
    productversion: text(`${major}.${minor}.${build}.${revision}`),
    productmajorversion: text(String(major)),
    productminorversion: text(String(minor)),
    productbuild: text(String(build)),
    productbuildtype: null,
    productlevel: text(server.build.level),
    productupdatelevel: textOrNull(server.build.updateLevel),
    productupdatereference: textOrNull(server.build.updateReference),
    edition: text(server.edition),
    editionid: typed({ name: 'bigint' }, 1872460670n),
    engineedition: whole(server.engineEdition),
    collation: text(server.collation),
    collationid: whole(872468488),
    lcid: whole(1033),
    sqlcharset: typed({ name: 'tinyint' }, 1),
    sqlcharsetname: text('iso_1'),
    sqlsortorder: typed({ name: 'tinyint' }, 52),
    sqlsortordername: text('nocase_iso'),
    isclustered: whole(0),
    ishadrenabled: whole(server.isHadrEnabled === true ? 1 : 0),
    // 1 started and running, 2 not started and failed.
    hadrmanagerstatus: whole(server.isHadrEnabled === true ? 1 : 2),
    issingleuser: whole(0),
    isintegratedsecurityonly: whole(0),
    isfulltextinstalled: whole(1),
    isxtpsupported: whole(1),
    ispolybaseinstalled: whole(0),
    isadvancedanalyticsinstalled: whole(0),
    islocaldb: whole(0),
    isbigdatacluster: whole(0),
    istempdbmetadatamemoryoptimized: whole(0),
    processid: whole(4312),
    buildclrversion: text('v4.0.30319'),
    licensetype: text('DISABLED'),
    numlicenses: null,
    filestreamconfiguredlevel: whole(0),
    filestreameffectivelevel: whole(0),
    filestreamsharename: text('MSSQLSERVER'),
    instancedefaultdatapath: text('D:\\Data\\'),
    instancedefaultlogpath: text('L:\\Log\\'),
    instancedefaultbackuppath: text(server.backupDirectory),
    errorlogfilename: text(`${server.logDirectory}\\ERRORLOG`),
  };
  return values[name.toLowerCase()] ?? null;
}

/** DATABASEPROPERTYEX: sql_variant values; null for an unknown database or name, and for most names where the database is not online. */
export function databaseProperty(database: Database | undefined, name: string): SqlValue {
  if (database === undefined) return null;
  const wanted = name.toLowerCase();
  if (wanted === 'status') return text(database.state);
  if (wanted === 'updateability')
    return text(database.isReadOnly || database.availability?.isWritable === false ? 'READ_ONLY' : 'READ_WRITE');
  if (wanted === 'useraccess') return text('MULTI_USER');
  if (wanted === 'recovery') return text(database.recoveryModel);
  if (database.state !== 'ONLINE' || database.availability?.refuse(true) !== undefined) return null;
  const values: Readonly<Record<string, SqlValue>> = {
    collation: text(database.collation),
    comparisonstyle: whole(196609),
    lcid: whole(1033),
    version: whole(904),
    isinstandby: whole(database.isInStandby ? 1 : 0),
    isautoclose: whole(0),
    isautoshrink: whole(0),
    isautocreatestatistics: whole(1),
    isautoupdatestatistics: whole(1),
    isfulltextenabled: whole(1),
    ispublished: whole(0),
    issubscribed: whole(0),
    ismergepublished: whole(0),
    istornpagedetectionenabled: whole(database.pageVerify === 'CHECKSUM' ? 0 : 1),
    lastgoodcheckdbtime: typed({ name: 'datetime' }, '1900-01-01T00:00:00.000'),
  };
  return values[wanted] ?? null;
}
