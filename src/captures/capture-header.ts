/** The first line of a capture file: JSON that a person can read, read by a schema. */
import { GAP_KINDS } from '../core/session/gap';
import type { KeptRecord } from '../core/capture/capture-record';
import { formatCount } from '../core/format';
import { t } from '../core/language';
import { explainVersion, findFault, fits, isObject } from '../core/schema';
import { hasFewValues, type KeptHeader, type SectionHeader } from './kept-plain';
import schemas from './state.schema.json';

const FORMAT = 'checkpoint-health capture';
/**
 * The version that is written. Version 1 had no sections, could not go on, and had another checksum; version 2 did not
 * tell who asked for a checkpoint. Both can still be read.
 */
const VERSION = 3;

/** Microsoft Learn, "Maximum capacity specifications for SQL Server": databases of one instance. */
const MOST_DATABASES = 32_767;
/** Entries in the list of databases: a row of the columns names one by 16 bits. */
const MOST_LISTED = 65_536;
/** A capture joins its gaps long before (`MOST_GAPS`). */
const MOST_LISTED_GAPS = 10_000;
/** Parsed in one go. The first line of a capture of 32,767 databases, with names of 50 characters, has less. */
export const MOST_HEADER_BYTES = 4_000_000;

/** A capture has a dozen. */
const MOST_SECTIONS = 1_000;
/** Names of other events in the account: a capture counts further ones together (`MOST_NAMES`). */
const MOST_OTHER_NAMES = 2_000;

/**
 * The header holds the number of rows and the sizes of the sections, so the length of the file is known before the rest
 * is read.
 */
export interface CaptureHeader extends Omit<KeptCapture, 'columns' | 'state' | 'sections'> {
  readonly version: number;
  readonly rows: number;
  readonly sections: readonly SectionHeader[];
}

export function writeCaptureHeader(capture: KeptCapture, sections: readonly SectionHeader[]): string {
  const {
    id,
    serverLabel,
    serverName,
    databases,
    observation,
    ledger,
    columns,
    following,
    trackedDatabaseIds,
  } = capture;
  const otherByName = Object.fromEntries(ledger.otherByName);
  const layout =
    'then, little-endian: float64 beginUtcMs, uint32 durationMs, uint16 database, each for all rows; the sections; uint32 checksum (FNV-1a over 32-bit words)';
  const header = {
    format: FORMAT,
    version: VERSION,
    captureId: id,
    serverLabel,
    serverName,
    databases,
    observation,
  };
  const tracking = { following, ...(trackedDatabaseIds === undefined ? {} : { trackedDatabaseIds }) };
  return JSON.stringify({
    ...header,
    ...tracking,
    ledger: { ...ledger, otherByName },
    rows: columns.rows,
    sections,
    layout,
  });
}

/** The header, or a sentence that says why the line is none. */
export function readCaptureHeader(line: string): CaptureHeader | { readonly problem: string } {
  const none = { problem: t('it is not a capture of Checkpoint Health') };
  if (!hasFewValues(line)) return { problem: t('its first line lists more than any server has') };
  try {
    // Files of an earlier version call a snapshot of the session a sight.
    const fields: unknown = JSON.parse(line.replace(/(?<!\\)"sight":/g, '"snapshot":'));
    if (!isObject(fields) || fields['format'] !== FORMAT) return none;
    const { version } = fields;
    const later = explainVersion(version, VERSION);
    if (later !== null) return { problem: later };
    if (fits<KeptHeader>(schemas.KeptHeader, fields)) return readHeader(Number(version), fields);
    return { problem: t('its header is damaged at {0}', findFault(schemas.KeptHeader, fields) ?? '') };
  } catch {
    return none;
  }
}

function readHeader(version: number, kept: KeptHeader): CaptureHeader | { readonly problem: string } {
  const {
    captureId,
    serverLabel,
    serverName = null,
    observation,
    following = null,
    trackedDatabaseIds,
    ledger,
    rows,
    sections = [],
  } = kept;
  // One that was dropped and made again stands there once more, as often as the numbers of the columns can tell apart.
  const ids = new Set(kept.databases.map(({ databaseId }) => databaseId));
  if (kept.databases.length > MOST_LISTED || ids.size > MOST_DATABASES)
    return {
      problem: t('it names more databases than a server can have ({0})', formatCount(MOST_DATABASES)),
    };
  if ((observation?.gaps.length ?? 0) > MOST_LISTED_GAPS)
    return { problem: t('it has more than {0} gaps', formatCount(MOST_LISTED_GAPS)) };
  const otherByName = new Map(Object.entries(ledger.otherByName));
  const long =
    otherByName.size > MOST_OTHER_NAMES ? 'otherByName' : sections.length > MOST_SECTIONS ? 'sections' : null;
  if (long !== null) return { problem: t('its header is damaged at {0}', long) };
  const databases = kept.databases.map(({ databaseId, createdLocal = null, name }) => ({
    databaseId,
    createdLocal,
    name,
  }));
  const gaps = (observation?.gaps ?? []).map((gap) => ({
    ...gap,
    kind: GAP_KINDS.find((each) => each === gap.kind) ?? 'unknown',
  }));
  return {
    version,
    id: captureId,
    serverLabel,
    serverName,
    databases,
    following,
    rows,
    sections,
    ledger: { ...ledger, otherByName },
    observation: observation && { ...observation, gaps },
    ...(trackedDatabaseIds !== undefined && { trackedDatabaseIds }),
  };
}

/**
 * A capture as it is kept on disk: what the timeline and all statistics need without a server, and what is needed to go
 * on.
 */
export interface KeptCapture extends KeptRecord {
  /** The server as the user named it, without address or login. */
  readonly serverLabel: string;
}
