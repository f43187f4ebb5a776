/**
 * Tables as JSON in an envelope: the server, the capture, the window, what was not observed, and the account of every
 * event.
 */
import type { Observation } from '../capture/checkpoint-columns';
import type { TrackingStatus } from '../capture/tracking-status';
import type { TimeWindow } from '../statistics/observed-time';
import { type ExportCell, type ExportTable, type TextPieces, writeRows, writeUtc } from './export-table';

export const EXPORT_FORMAT = 'checkpoint-health-export';
export const EXPORT_VERSION = 1;

export interface ExportHead {
  readonly generatedUtcMs: number;
  readonly server: { readonly name: string; readonly description: string; readonly utcOffsetMinutes: number };
  /** null: there is no capture. */
  readonly captureId: string | null;
  /** null: all that was observed. */
  readonly window: TimeWindow | null;
  /** With its account of every event. */
  readonly tracking: TrackingStatus;
  /** The sentences of a page. */
  readonly sentences: readonly string[];
}

/**
 * Writes one object. A row is an object with the names of the columns, one a line. A missing cell is null, and
 * `not_observable` in its row says why.
 */
export function* writeJson(head: ExportHead, tables: readonly ExportTable[]): TextPieces {
  const envelope = writeWellFormed(describeHead(head), 2);
  yield `${envelope.slice(0, envelope.lastIndexOf('\n}'))},\n  "tables": [`;
  for (const [at, table] of tables.entries()) {
    yield `${at === 0 ? '' : ','}\n    {\n      "id": ${JSON.stringify(table.id)},\n      "columns": ${JSON.stringify(table.columns)},\n      "rows": [`;
    const { columns, rows, row } = table;
    yield* writeRows(
      rows,
      (place) => `${place === 0 ? '' : ','}\n        ${writeWellFormed(describeRow(columns, row(place)))}`,
    );
    yield `${table.rows === 0 ? '' : '\n      '}]\n    }`;
  }
  yield `${tables.length === 0 ? '' : '\n  '}]\n}\n`;
}

/**
 * JSON for other programs. Half of a surrogate pair, which jq and others refuse, becomes U+FFFD, as UTF-8 has it in all
 * other files.
 * @param indent blanks for each level; undefined: one line
 */
export function writeWellFormed(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  if (!/\\ud[89a-f]/.test(text)) return text;
  return JSON.stringify(
    value,
    (_, each: unknown) => (typeof each === 'string' ? each.replace(/\p{Surrogate}/gu, '\ufffd') : each),
    indent,
  );
}

/** Built from entries, so that a column may have any name. */
function describeRow(columns: readonly string[], cells: readonly ExportCell[]): object {
  const missing: [string, string][] = [];
  const entries = columns.map((column, at): [string, string | number | null] => {
    const cell = cells[at] ?? { missing: 'not observable' };
    if (typeof cell !== 'object') return [column, cell];
    missing.push([column, cell.missing]);
    return [column, null];
  });
  return Object.fromEntries(
    missing.length === 0 ? entries : [...entries, ['not_observable', Object.fromEntries(missing)]],
  );
}

/** The envelope of a file, as an object for JSON. */
export function describeHead({
  generatedUtcMs,
  server,
  captureId,
  window,
  tracking,
  sentences,
}: ExportHead): object {
  return {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    generated_utc: writeUtc(generatedUtcMs),
    server: {
      name: server.name,
      description: server.description,
      utc_offset_minutes: server.utcOffsetMinutes,
    },
    capture_id: captureId,
    window: window && { begin_utc: writeUtc(window.beginUtcMs), end_utc: writeUtc(window.endUtcMs) },
    observed: tracking.observation && describeObservation(tracking.observation),
    ledger: {
      events_read: tracking.rowsRead,
      checkpoints: tracking.checkpoints,
      unpaired: tracking.unpaired,
      duplicates: tracking.duplicates,
      malformed: tracking.malformed,
      other_events: tracking.otherEvents,
      lost_events: tracking.lostEvents,
      lost_buffers: tracking.lostBuffers,
    },
    ...(sentences.length === 0 ? {} : { sentences }),
  };
}

function describeObservation({ beginUtcMs, endUtcMs, gaps }: Observation): object {
  return {
    begin_utc: writeUtc(beginUtcMs),
    end_utc: writeUtc(endUtcMs),
    gaps: gaps.map((gap) => ({
      kind: gap.kind,
      begin_utc: writeUtc(gap.beginUtcMs),
      end_utc: writeUtc(gap.endUtcMs),
      reason: gap.reason,
    })),
  };
}
