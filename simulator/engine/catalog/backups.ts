import type { Backup } from '../backups/backup-schedule';
import type { World } from '../world/world';
import { view, type CatalogObject } from './object';
import { bit, char, datetime, field, numeric, nvarchar, smallint, type Field, unmodelled } from './relation';

interface Row extends Backup {
  readonly world: World;
  readonly number: number;
}
const local = (backup: Row, atUs: number): string =>
  `${backup.world.clock.localMoment(atUs).slice(0, -4)}.000`;
const off = (name: string): Field<Row> => field(name, bit, () => false);

/** Microsoft Learn, "backupset (Transact-SQL)". Dates have whole seconds, as msdb stores them. */
const FIELDS: readonly Field<Row>[] = [
  field('time_zone', smallint, (b) => b.world.clock.utcOffsetMinutes(b.startUs) / 15),
  field('backup_start_date', datetime, (b) => local(b, b.startUs)),
  field('backup_finish_date', datetime, (b) => local(b, b.finishUs)),
  field('type', char(1), (b) => b.type),
  field('backup_size', numeric(20, 0), (b) => String(b.bytes)),
  field('database_name', nvarchar(128), (b) => b.database.name),
  field('server_name', nvarchar(128), (b) => b.world.scenario.server.name),
  off('is_snapshot'),
  ...unmodelled(`backup_set_id backup_set_uuid media_set_id first_family_number first_media_number last_family_number last_media_number
    catalog_family_number catalog_media_number position expiration_date software_vendor_id name description user_name
    software_major_version software_minor_version software_build_version mtf_minor_version first_lsn last_lsn checkpoint_lsn
    database_backup_lsn database_creation_date sort_order code_page compatibility_level database_version machine_name flags
    unicode_locale unicode_compare_style collation_name is_password_protected recovery_model has_bulk_logged_data is_readonly
    is_single_user has_backup_checksums is_damaged begins_log_chain has_incomplete_metadata is_force_offline is_copy_only
    first_recovery_fork_guid last_recovery_fork_guid fork_point_lsn database_guid family_guid differential_base_lsn
    differential_base_guid compressed_backup_size 2014 key_algorithm encryptor_thumbprint encryptor_type 2022
    last_valid_restore_time compression_algorithm`),
];

export const BACKUP_OBJECTS: readonly CatalogObject[] = [
  view(
    'dbo.backupset',
    FIELDS,
    (world) => world.backups.all.map((backup, i) => ({ ...backup, world, number: i + 1 })),
    { database: 'msdb', needs: 'CONTROL SERVER' },
  ),
];
