/**
 * The candidate that was measured and not taken (bench/README.md): T-SQL slices the values out of an event. It is as safe as our reader. A slice counts only
 * if the slices put together are exactly the event's text, and if no slice contains a character that could be markup.
 */
import type { FileCursor } from '../src/core/events/event';
import { quoteInString, quoteString, writeBigInteger, writeInteger } from '../src/core/script/quote';
import type { ReadText } from '../src/core/script/text';
import type { ResultSet } from '../src/hosts/host';

const DATA = `"><data name="database_id"><value>`;
const ACTION = `</value></data><action name="attach_activity_id" package="package0"><value>`;
const END = `</value></action></event>`;
const GUID = 36;

export function writeSlicedRead(pattern: string, cursor: FileCursor | null, rows: number): ReadText {
  const file = cursor === null ? 'NULL' : quoteString(cursor.fileName);
  const offset = cursor === null ? 'NULL' : writeBigInteger(cursor.offset);
  return `
SELECT TOP (${writeInteger(rows)})
    event_name = x.object_name,
    event_data = CASE WHEN f.fits = 1 THEN NULL ELSE LEFT(x.event_data, 32000) END,
    file_name = x.file_name,
    file_offset = CONVERT(varchar(20), x.file_offset),
    sliced = CASE WHEN f.fits = 1 THEN CONVERT(varchar(100), v.at_utc + '|' + v.database_id + '|' + v.activity) END
FROM sys.fn_xe_file_target_read_file(N'${quoteInString(pattern)}', NULL, ${file}, ${offset}) AS x
CROSS APPLY
(
    SELECT
        time_at = CHARINDEX(N'timestamp="', x.event_data) + 11,
        data_at = CHARINDEX(N'${DATA}', x.event_data),
        action_at = CHARINDEX(N'${ACTION}', x.event_data)
) AS p
CROSS APPLY
(
    SELECT
        at_utc = SUBSTRING(x.event_data, p.time_at, 24),
        database_id = SUBSTRING(x.event_data, p.data_at + ${DATA.length}, CASE WHEN p.action_at BETWEEN p.data_at + ${DATA.length} AND p.data_at + ${DATA.length + 10} THEN p.action_at - p.data_at - ${DATA.length} ELSE 0 END),
        activity = SUBSTRING(x.event_data, p.action_at + ${ACTION.length}, CASE WHEN LEN(x.event_data) BETWEEN p.action_at + ${ACTION.length + END.length + GUID} AND p.action_at + ${ACTION.length + END.length + GUID + 17} THEN LEN(x.event_data) - p.action_at - ${ACTION.length + END.length} + 1 ELSE 0 END)
) AS v
CROSS APPLY
(
    SELECT fits = CASE
        WHEN v.database_id NOT LIKE N'%[^0-9]%'
        AND  v.activity NOT LIKE N'%[^0-9A-F-]%'
        AND  v.at_utc LIKE N'[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9]Z'
        AND  x.event_data COLLATE Latin1_General_BIN2 = N'<event name="' + x.object_name + N'" package="sqlserver" timestamp="' + v.at_utc
             + N'${DATA}' + v.database_id + N'${ACTION}' + v.activity + N'${END}'
        THEN 1 ELSE 0 END
) AS f;
` as ReadText;
}

/** The rows in the form that the reader of raw texts takes. */
export function sliceEvent({ columns, rows }: ResultSet): ResultSet {
  return {
    columns: columns.slice(0, 4),
    rows: rows.map(([name = null, data = null, file = null, offset = null, sliced = null]) => {
      if (sliced === null) return [name, data, file, offset];
      const [at, database, activity] = sliced.split('|');
      return [
        name,
        `<event name="${name ?? ''}" package="sqlserver" timestamp="${at}${DATA}${database}${ACTION}${activity}${END}`,
        file,
        offset,
      ];
    }),
  };
}
