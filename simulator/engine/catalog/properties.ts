import type { Release } from '../../scenarios/releases';
import type { ServerDescription } from '../../scenarios/scenario';
import type { SqlType, SqlValue } from '../../tds/handler';
import type { Database } from '../databases/databases';
import { BOX, isPresent, type Presence } from '../../scenarios/platform';
import { int, sysname } from './relation';

const typed = (type: SqlType, value: string | number | bigint): SqlValue => ({ type, value });
const text = (value: string): SqlValue => typed(sysname, value);
const textOrNull = (value: string | null): SqlValue => (value === null ? null : text(value));
const whole = (value: number): SqlValue => typed(int, value);

type Property = readonly [name: string, value: SqlValue | ((server: ServerDescription) => SqlValue), presence?: Presence];

const since = (release: Release): Presence => ({ since: release });
const joined = (directory: string, name: string): string => `${directory}${directory.includes('\\') ? '\\' : '/'}${name}`;
/** `build` of releases.ts is a cumulative update if it has a level. */
const versionPart = (index: 0 | 1 | 2) => (server: ServerDescription) => text(String(server.build.version[index]));

/** Microsoft Learn, "SERVERPROPERTY", with the releases of its "Applies to"; if it names none, since 2012. */
const SERVER: readonly Property[] = [
  ['BuildClrVersion', text('v4.0.30319')],
  ['Collation', (s) => text(s.collation)],
  ['CollationID', whole(872468488)],
  ['ComparisonStyle', whole(196609)],
  ['ComputerNamePhysicalNetBIOS', (s) => text(s.name)],
  ['Edition', (s) => text(s.edition)],
  ['EditionID', (s) => typed({ name: 'bigint' }, s.engineEdition === 5 ? 1674378470n : s.engineEdition === 2 ? -1534726760n : 1872460670n)],
  ['EngineEdition', (s) => whole(s.engineEdition)],
  ['ErrorLogFileName', (s) => text(joined(s.logDirectory, s.platform === 'linux' ? 'errorlog' : 'ERRORLOG'))],
  ['FilestreamConfiguredLevel', whole(0)],
  ['FilestreamEffectiveLevel', whole(0)],
  ['FilestreamShareName', text('MSSQLSERVER')],
  ['HadrManagerStatus', (s) => whole(s.isHadrEnabled === true ? 1 : 2)],
  ['InstanceDefaultBackupPath', (s) => text(s.backupDirectory), since(2019)],
  ['InstanceDefaultDataPath', (s) => text(defaultPath(s, 'Data'))],
  ['InstanceDefaultLogPath', (s) => text(defaultPath(s, 'Log'))],
  ['InstanceName', null],
  ['IsAdvancedAnalyticsInstalled', whole(0), since(2016)],
  ['IsBigDataCluster', whole(0), { since: 2019, on: BOX }],
  ['IsClustered', whole(0)],
  ['IsExternalAuthenticationOnly', whole(0), { on: ['managed-instance', 'azure-sql-database'] }],
  ['IsExternalGovernanceEnabled', whole(0), since(2022)],
  ['IsFullTextInstalled', (s) => whole(s.platform === 'linux' ? 0 : 1)],
  ['IsHadrEnabled', (s) => whole(s.isHadrEnabled === true ? 1 : 0)],
  ['IsIntegratedSecurityOnly', whole(0)],
  ['IsLocalDB', whole(0)],
  ['IsPolyBaseInstalled', whole(0), since(2016)],
  ['IsServerSuspendedForSnapshotBackup', whole(0), since(2022)],
  ['IsSingleUser', whole(0)],
  ['IsTempDbMetadataMemoryOptimized', whole(0), since(2019)],
  ['IsXTPSupported', whole(1), since(2014)],
  ['LCID', whole(1033)],
  ['LicenseType', text('DISABLED')],
  ['MachineName', (s) => text(s.name)],
  ['NumLicenses', null],
  ['PathSeparator', (s) => text(s.platform === 'linux' ? '/' : '\\'), since(2017)],
  ['ProcessID', whole(4312)],
  ['ProductBuild', versionPart(2)],
  ['ProductBuildType', null],
  ['ProductLevel', (s) => text(s.build.level)],
  ['ProductMajorVersion', versionPart(0)],
  ['ProductMinorVersion', versionPart(1)],
  ['ProductUpdateLevel', (s) => textOrNull(s.build.updateLevel)],
  ['ProductUpdateReference', (s) => textOrNull(s.build.updateReference)],
  ['ProductUpdateType', text('CU'), { on: ['managed-instance'] }],
  ['ProductVersion', (s) => text(s.build.version.join('.'))],
  ['ServerName', (s) => text(s.name)],
  ['SqlCharSet', typed({ name: 'tinyint' }, 1)],
  ['SqlCharSetName', text('iso_1')],
  ['SqlSortOrder', typed({ name: 'tinyint' }, 52)],
  ['SqlSortOrderName', text('nocase_iso')],
  ['SuspendedDatabaseCount', whole(0), since(2022)],
];

const BY_NAME = new Map(SERVER.map((property) => [property[0].toLowerCase(), property]));

function defaultPath({ platform, volumes }: ServerDescription, kind: 'Data' | 'Log'): string {
  if (platform === 'linux') return '/var/opt/mssql/data/';
  if (platform === 'rds') return 'D:\\rdsdbdata\\DATA\\';
  const volume = volumes.find(({ label }) => label === kind) ?? volumes[0];
  return `${volume?.mount ?? 'C:\\'}${kind}\\`;
}

/** SERVERPROPERTY: sql_variant values; null for a name that this release does not know. */
export function serverProperty(server: ServerDescription, name: string): SqlValue {
  const [, value = null, presence] = BY_NAME.get(name.toLowerCase()) ?? [];
  if (!isPresent(presence, server)) return null;
  return typeof value === 'function' ? value(server) : value;
}

/** The version of database files that each release writes. Microsoft Learn, "DATABASEPROPERTYEX", Version; 998 is from published lists. */
const DATABASE_VERSIONS: Readonly<Record<Release, number>> = {
  2012: 706,
  2014: 782,
  2016: 852,
  2017: 869,
  2019: 904,
  2022: 957,
  2025: 998,
};

/** DATABASEPROPERTYEX: sql_variant values; null for an unknown database or name, and for most names if the database is not online. */
export function databaseProperty(server: ServerDescription, database: Database | undefined, name: string): SqlValue {
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
    version: whole(DATABASE_VERSIONS[server.release]),
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
    // Since 2016 SP2: every build of that release here has it.
    ...(server.release >= 2016 ? { lastgoodcheckdbtime: typed({ name: 'datetime' }, '1900-01-01T00:00:00.000') } : {}),
    ...(server.release >= 2025 ? { isoptimizedlockingon: whole(0) } : {}),
    ...(server.platform === 'azure-sql-database' && database.name !== 'master'
      ? { edition: text('GeneralPurpose'), serviceobjective: text('GP_Gen5_8') }
      : {}),
  };
  return values[wanted] ?? null;
}
