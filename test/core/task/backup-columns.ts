/** Of what a server says of its backups. */
export const BACKUP_COLUMNS =
  'database_name backup_type begin_local end_local quarter_hours size_bytes is_snapshot made_here'.split(' ');
