import { readFileTarget } from '../events/event-file-reader';
import type { CatalogObject } from './object';
import { bigint, column, datetime2, nvarchar, nvarcharMax, uniqueidentifier } from './relation';

/** Microsoft Learn, "sys.fn_xe_file_target_read_file"; its rows are those of event-file-reader.ts. */
const COLUMNS = [
  column('module_guid', uniqueidentifier, false),
  column('package_guid', uniqueidentifier, false),
  column('object_name', nvarchar(256), false),
  column('event_data', nvarcharMax, false),
  column('file_name', nvarchar(260), false),
  column('file_offset', bigint, false),
  column('timestamp_utc', datetime2(7), false),
];

export const FILE_TARGET: CatalogObject = {
  schema: 'sys',
  name: 'fn_xe_file_target_read_file',
  kind: 'function',
  columns: COLUMNS,
  // docs/facts.md, SQL Server 4: timestamp_utc from 2017.
  presences: COLUMNS.map((each) => (each.name === 'timestamp_utc' ? { since: 2017 } : undefined)),
  needs: 'VIEW SERVER STATE',
  isStream: true,
  rows: (world, _asked, args, used) =>
    readFileTarget({ disk: world.disk, server: world.scenario.server, xml: world.xml }, args, used),
};
