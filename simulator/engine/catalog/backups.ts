import type { SqlType, SqlValue } from '../../tds/handler';
import type { Backup } from '../backups/backup-schedule';
import type { World } from '../world/world';
import { databaseGuid } from './databases';
import { DATABASE_VERSIONS } from './properties';
import { view, type CatalogObject } from './object';
import {
  bit,
  char,
  datetime,
  field,
  int,
  need,
  numeric,
  nvarchar,
  since,
  smallint,
  tinyint,
  uniqueidentifier,
  varbinary,
  type Field,
} from './relation';

interface Row extends Backup {
  readonly world: World;
  readonly number: number;
}

const lsn = numeric(25, 0);
const lsnOf = (backup: Row, share: number): string =>
  `${1_000_000 + Math.floor((backup.startUs + (backup.finishUs - backup.startUs) * share) / 1e6)}000000100001`;
const local = (backup: Row, atUs: number): string => `${backup.world.clock.localMoment(atUs).slice(0, -4)}.000`;
const always = (name: string, type: SqlType, value: SqlValue): Field<Row> => field(name, type, () => value);
const off = (name: string): Field<Row> => field(name, bit, () => false);

/** Microsoft Learn, "backupset (Transact-SQL)". Dates have whole seconds, as msdb stores them. */
const FIELDS: readonly Field<Row>[] = [
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
  field('software_major_version', tinyint, (b) => b.world.scenario.server.build.version[0]),
  always('software_minor_version', tinyint, 0),
  field('software_build_version', smallint, (b) => b.world.scenario.server.build.version[2]),
  field('time_zone', smallint, (b) => b.world.clock.utcOffsetMinutes(b.startUs) / 15),
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
  field('database_version', int, (b) => DATABASE_VERSIONS[b.world.scenario.server.release]),
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
  ...since(
    2014,
    always('key_algorithm', nvarchar(32), null),
    always('encryptor_thumbprint', varbinary(20), null),
    always('encryptor_type', nvarchar(32), null),
  ),
  ...since(
    2022,
    field('last_valid_restore_time', datetime, (b: Row) => local(b, b.startUs)),
    always('compression_algorithm', nvarchar(32), 'MS_XPRESS'),
  ),
];

export const BACKUP_OBJECTS: readonly CatalogObject[] = [
  view('dbo.backupset', FIELDS, (world) => world.backups.all.map((backup, i) => ({ ...backup, world, number: i + 1 })), {
    database: 'msdb',
    needs: 'CONTROL SERVER',
  }),
];
