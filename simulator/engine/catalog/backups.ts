import type { SqlType, SqlValue } from '../../tds/handler';
import type { Database } from '../databases';
import { unitOf } from '../random';
import type { World } from '../world';
import { databaseGuid } from './databases';
import { view, type CatalogObject } from './object';
import {
  bit,
  char,
  datetime,
  field,
  formatMoment,
  int,
  need,
  numeric,
  nvarchar,
  smallint,
  tinyint,
  uniqueidentifier,
  varbinary,
  type Field,
} from './relation';

interface Backup {
  readonly world: World;
  readonly database: Database;
  readonly number: number;
  readonly type: 'D' | 'L';
  readonly startUs: number;
  readonly finishUs: number;
  readonly bytes: number;
}

const DAY_US = 86_400_000_000;
const HOUR_US = 3_600_000_000;
/** Nightly full backups from 22:00 local time, one database after another; log backups hourly at a quarter past. The model's choice. */
const FULL_AT_US = 22 * HOUR_US;
const LOG_AT_US = 15 * 60_000_000;
const FULL_NIGHTS = 7;
const LOG_HOURS = 24;
const BYTES_PER_US = 900;

/** Backups up to now, oldest first. They neither wait for checkpoints nor run any: their durations are those of the data alone. */
function listBackups(world: World, nowUs: number): readonly Backup[] {
  const offsetUs = world.scenario.server.utcOffsetMinutes * 60_000_000;
  const today = Math.floor((nowUs + offsetUs) / DAY_US);
  const thisHour = Math.floor((nowUs + offsetUs) / HOUR_US);
  const online = world.databases.all.filter(
    (database) => database.state === 'ONLINE' && !database.isReadOnly && database.name !== 'tempdb',
  );
  const logged = online.filter((database) => database.recoveryModel !== 'SIMPLE' && database.name !== 'model');
  const nights = Array.from({ length: FULL_NIGHTS }, (_, i) => (today - FULL_NIGHTS + i) * DAY_US + FULL_AT_US - offsetUs);
  const hours = Array.from({ length: LOG_HOURS }, (_, i) => (thisHour - LOG_HOURS + 1 + i) * HOUR_US + LOG_AT_US - offsetUs);
  const runs = [
    ...nights.map((startUs) => ({ type: 'D' as const, startUs, databases: online })),
    ...hours.map((startUs) => ({ type: 'L' as const, startUs, databases: logged })),
  ];
  return runs
    .flatMap((run) => listRun(world, run))
    .filter((backup) => backup.finishUs <= nowUs)
    .sort((a, b) => a.finishUs - b.finishUs)
    .map((backup, i) => ({ ...backup, number: i + 1 }));
}

function listRun(
  world: World,
  run: { readonly type: 'D' | 'L'; readonly startUs: number; readonly databases: readonly Database[] },
): readonly Backup[] {
  let startUs = run.startUs;
  return run.databases.map((database) => {
    const vary = 0.9 + 0.2 * unitOf(world.seed, database.id, Math.floor(run.startUs / HOUR_US));
    const { logRecordsPerSecond, bytesPerLogRecord } = database.workload;
    const bytes = Math.round(
      run.type === 'D' ? database.dataMb * 1_048_576 * 0.8 : 66_560 + logRecordsPerSecond * bytesPerLogRecord * 1800 * vary,
    );
    const backup = {
      world,
      database,
      number: 0,
      type: run.type,
      startUs,
      finishUs: startUs + Math.round(300_000 + (bytes / BYTES_PER_US) * vary),
      bytes,
    };
    startUs = backup.finishUs + 40_000;
    return backup;
  });
}

const lsn = numeric(25, 0);
const lsnOf = (backup: Backup, share: number): string =>
  `${1_000_000 + Math.floor((backup.startUs + (backup.finishUs - backup.startUs) * share) / 1e6)}000000100001`;
const local = (backup: Backup, atUs: number): string =>
  `${formatMoment(atUs, backup.world.scenario.server.utcOffsetMinutes).slice(0, -4)}.000`;
const always = (name: string, type: SqlType, value: SqlValue): Field<Backup> => field(name, type, () => value);
const off = (name: string): Field<Backup> => field(name, bit, () => false);

/** Microsoft Learn, "backupset (Transact-SQL)". Dates have whole seconds, as msdb stores them. */
const FIELDS: readonly Field<Backup>[] = [
  need('backup_set_id', int, (b) => b.number),
  need('backup_set_uuid', uniqueidentifier, (b) => databaseGuid({ id: b.number }, 40)),
  need('media_set_id', int, (b) => b.number),
  always('first_family_number', tinyint, 1),
  always('first_media_number', smallint, 1),
  always('last_family_number', tinyint, 1),
  always('last_media_number', smallint, 1),
  always('catalog_family_number', tinyint, 1),
  always('catalog_media_number', smallint, 1),
  always('position', int, 1),
  always('expiration_date', datetime, null),
  always('software_vendor_id', int, 4608),
  always('name', nvarchar(128), null),
  always('description', nvarchar(255), null),
  always('user_name', nvarchar(128), 'NT SERVICE\\SQLSERVERAGENT'),
  always('software_major_version', tinyint, 15),
  always('software_minor_version', tinyint, 0),
  field('software_build_version', smallint, (b) => b.world.scenario.server.build.version[2]),
  field('time_zone', smallint, (b) => b.world.scenario.server.utcOffsetMinutes / 15),
  always('mtf_minor_version', tinyint, 0),
  field('first_lsn', lsn, (b) => lsnOf(b, 0)),
  field('last_lsn', lsn, (b) => lsnOf(b, 1)),
  field('checkpoint_lsn', lsn, (b) => lsnOf(b, 0)),
  field('database_backup_lsn', lsn, (b) => lsnOf(b, 0)),
  field('database_creation_date', datetime, (b) => `${b.database.createdLocal.slice(0, 19)}.000`),
  field('backup_start_date', datetime, (b) => local(b, b.startUs)),
  field('backup_finish_date', datetime, (b) => local(b, b.finishUs)),
  field('type', char(1), (b) => b.type),
  always('sort_order', smallint, 52),
  always('code_page', smallint, 1252),
  field('compatibility_level', tinyint, (b) => b.database.compatibilityLevel),
  always('database_version', int, 904),
  field('backup_size', numeric(20, 0), (b) => String(b.bytes)),
  field('database_name', nvarchar(128), (b) => b.database.name),
  field('server_name', nvarchar(128), (b) => b.world.scenario.server.name),
  field('machine_name', nvarchar(128), (b) => b.world.scenario.server.name),
  always('flags', int, 512),
  always('unicode_locale', int, 1033),
  always('unicode_compare_style', int, 196609),
  field('collation_name', nvarchar(128), (b) => b.database.collation),
  off('is_password_protected'),
  field('recovery_model', nvarchar(60), (b) => b.database.recoveryModel.replace('_', '-')),
  off('has_bulk_logged_data'),
  off('is_snapshot'),
  off('is_readonly'),
  off('is_single_user'),
  off('has_backup_checksums'),
  off('is_damaged'),
  off('begins_log_chain'),
  off('has_incomplete_metadata'),
  off('is_force_offline'),
  off('is_copy_only'),
  field('first_recovery_fork_guid', uniqueidentifier, (b) => databaseGuid(b.database, 41)),
  field('last_recovery_fork_guid', uniqueidentifier, (b) => databaseGuid(b.database, 41)),
  always('fork_point_lsn', lsn, null),
  field('database_guid', uniqueidentifier, (b) => databaseGuid(b.database, 42)),
  field('family_guid', uniqueidentifier, (b) => databaseGuid(b.database, 42)),
  always('differential_base_lsn', lsn, null),
  always('differential_base_guid', uniqueidentifier, null),
  field('compressed_backup_size', numeric(20, 0), (b) => String(Math.round(b.bytes * 0.31))),
  always('key_algorithm', nvarchar(32), null),
  always('encryptor_thumbprint', varbinary(20), null),
  always('encryptor_type', nvarchar(32), null),
];

export const BACKUP_OBJECTS: readonly CatalogObject[] = [
  view('dbo.backupset', FIELDS, (world, { nowUs }) => listBackups(world, nowUs), { database: 'msdb', needs: 'CONTROL SERVER' }),
];
