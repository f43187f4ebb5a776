/** A server's answers to the reads of its error logs: rows, or the error that was caught on the server. */
import {
  defineRow,
  integer,
  localTime,
  nullable,
  type Readings,
  readRows,
  readValues,
  type RowOf,
  type RowProblem,
  text,
  type TextRows,
  utc,
} from '../rows';
import type { ErrorLogRow } from './error-log-row';
import type { MessageTemplate } from './message-template';
import type { OffsetObservation } from './server-clock';

export interface CaughtRefusal {
  /** SQL Server's error number. */
  readonly number: number;
  readonly message: string;
}

export interface ErrorLogAnswer {
  readonly refusal: CaughtRefusal | null;
  readonly rows: readonly ErrorLogRow[];
  /** Rows of known noise, which the server left out. */
  readonly noiseRows: number;
  /** Local time of the first row that was looked at; null if there was none. */
  readonly beginsLocalMs: number | null;
  /** The server's offset from UTC; null if it was not asked. */
  readonly offsetMinutes: number | null;
  readonly problems: readonly RowProblem[];
}

export interface ErrorLogFile {
  /** 0 is the current log. */
  readonly log: number;
  readonly bytes: number | null;
}

const CAUGHT = { caught_number: nullable(integer()), caught_message: nullable(text()) };
const LOG_ROW = defineRow({
  ...CAUGHT,
  noise_rows: integer(),
  begins_local: nullable(utc()),
  utc_offset_minutes: integer(),
  ordinal: nullable(integer()),
  log_date: nullable(localTime()),
  process_info: nullable(text()),
  log_text: nullable(text()),
});
const FILE_ROW = defineRow({ ...CAUGHT, log_number: nullable(integer()), size_bytes: nullable(integer()) });
const TEMPLATE_ROW = defineRow({ message_id: integer(), language_id: integer(), message_text: text() });
const OFFSET_ROW = defineRow({ quarter_hours: integer(), first_local: utc(), last_local: utc() });

/** Reads what sql/read/error-log.sql answers. */
export function readErrorLogAnswer(set: TextRows): ErrorLogAnswer {
  // Only an answer without rows of the log has none.
  const row = { ...LOG_ROW, ordinal: set.rows.length > 1 ? integer() : LOG_ROW.ordinal };
  const placeOf = ({ ordinal }: { readonly ordinal: number | null }): number => ordinal ?? 0;
  const { values: rows, problems } = readValues(row, set, placeOf, (each) => each);
  const given = rows
    .filter(({ ordinal }) => ordinal !== null)
    .sort((a, b) => (a.ordinal ?? 0) - (b.ordinal ?? 0));
  return {
    refusal: findRefusal(rows),
    rows: given.map((row) => ({
      logDateLocal: row.logDate ?? '',
      processInfo: row.processInfo ?? '',
      text: row.logText ?? '',
    })),
    noiseRows: rows[0]?.noiseRows ?? 0,
    beginsLocalMs: rows[0]?.beginsLocal ?? null,
    offsetMinutes: rows[0]?.utcOffsetMinutes ?? null,
    problems,
  };
}

/** Reads what sql/read/error-log-files.sql answers. */
export function readErrorLogFilesAnswer(set: TextRows) {
  const { rows, problems } = readRows(FILE_ROW, set);
  const files: readonly ErrorLogFile[] = rows.flatMap(({ logNumber: log, sizeBytes: bytes }) =>
    log === null ? [] : [{ log, bytes }],
  );
  return { refusal: findRefusal(rows), files, problems };
}

/** Reads what sql/read/message-templates.sql answers. */
export function readMessageTemplates(set: TextRows): Readings<MessageTemplate> {
  return readValues(TEMPLATE_ROW, set, null, ({ messageText: text, ...row }) => ({ ...row, text }));
}

/** Reads what sql/read/utc-offsets.sql answers: the offset at the first and at the last backup of each day. */
export function readOffsetObservations(set: TextRows): Readings<OffsetObservation> {
  const { rows, problems } = readRows(OFFSET_ROW, set);
  const values = rows.flatMap((row) =>
    [row.firstLocal, row.lastLocal].map((localMs) => ({ localMs, offsetMinutes: row.quarterHours * 15 })),
  );
  return { values, problems };
}

function findRefusal(rows: readonly RowOf<typeof CAUGHT>[]): CaughtRefusal | null {
  const number = rows[0]?.caughtNumber ?? null;
  return number === null ? null : { number, message: rows[0]?.caughtMessage ?? '' };
}
