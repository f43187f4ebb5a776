/** The first line of a capture file: JSON that a person can read, read by a schema. */
import type { CapturedDatabase, Observation } from '../core/capture/checkpoint-columns';
import type { KeptFollowing } from '../core/capture/following';
import { GAP_KINDS, type Gap } from '../core/session/gap';
import type { Ledger } from '../core/capture/ledger';
import type { KeptRecord } from '../core/capture/capture-record';
import { formatCount } from '../core/format';
import { t } from '../core/language';
import { type Count, explainVersion, findFault } from '../core/schema';
import schemas from './header.schema.json';

const FORMAT = 'checkpoint-health capture';
/** The version that is written. Version 1 had no sections, could not go on, and had another checksum; it can still be read. */
const VERSION = 2;

/** Microsoft Learn, "Maximum capacity specifications for SQL Server": databases of one instance. */
const MOST_DATABASES = 32_767;
/** Entries in the list of databases: a row of the columns names one by 16 bits. */
const MOST_LISTED = 65_536;
/** A capture joins its gaps long before (`MOST_GAPS`). */
const MOST_LISTED_GAPS = 10_000;
/** Parsed in one go. The first line of a capture of 32,767 databases, with names of 50 characters, has less. */
export const MOST_HEADER_BYTES = 4_000_000;

/** Parsed and checked in one go, so their number is bounded. 10,000 databases, of which others were recorded 15 times, have fewer. */
const MOST_VALUES = 1_000_000;
/** A capture has a dozen. */
const MOST_SECTIONS = 1_000;
/** Names of other events in the account: a capture counts further ones together (`MOST_NAMES`). */
const MOST_OTHER_NAMES = 2_000;

/** A section as the header describes it. Its bytes follow the columns, in this order. */
interface SectionHeader {
  readonly name: string;
  readonly bytes: Count;
}

type Loose<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

/** The first line as JSON. What files of an earlier version do not have is absent. `npm run schemas` makes the schema of it. */
export interface KeptHeader {
  readonly captureId: string;
  readonly serverLabel: string;
  readonly serverName?: string | null;
  readonly databases: readonly Loose<CapturedDatabase, 'createdLocal'>[];
  /** `kind`: one that is not known is `unknown`. */
  readonly observation:
    | (Omit<Observation, 'gaps' | 'leftOut'> & { readonly gaps: readonly (Omit<Gap, 'kind'> & { readonly kind?: unknown })[] })
    | null;
  readonly following?: KeptFollowing | null;
  readonly trackedDatabaseIds?: readonly Count[] | null;
  readonly ledger: Omit<Ledger, 'otherByName'> & { readonly otherByName: Readonly<Record<string, Count>> };
  readonly rows: Count;
  readonly sections?: readonly SectionHeader[];
}

/** The header holds the number of rows and the sizes of the sections, so the length of the file is known before the rest is read. */
export interface CaptureHeader extends Omit<KeptCapture, 'columns' | 'state' | 'sections'> {
  readonly version: number;
  readonly rows: number;
  readonly sections: readonly SectionHeader[];
}

export function writeCaptureHeader(capture: KeptCapture, sections: readonly SectionHeader[]): string {
  const { id, serverLabel, serverName, databases, observation, ledger, columns, following, trackedDatabaseIds } = capture;
  const otherByName = Object.fromEntries(ledger.otherByName);
  const layout =
    'then, little-endian: float64 beginUtcMs, uint32 durationMs, uint16 database, each for all rows; the sections; uint32 checksum (FNV-1a over 32-bit words)';
  const header = { format: FORMAT, version: VERSION, captureId: id, serverLabel, serverName, databases, observation };
  const tracking = { following, ...(trackedDatabaseIds === undefined ? {} : { trackedDatabaseIds }) };
  return JSON.stringify({ ...header, ...tracking, ledger: { ...ledger, otherByName }, rows: columns.rows, sections, layout });
}

/** The header, or a sentence that says why the line is none. */
export function readCaptureHeader(line: string): CaptureHeader | { readonly problem: string } {
  const none = { problem: t('it is not a capture of Checkpoint Health') };
  if (!hasFewValues(line)) return { problem: t('its first line lists more than any server has') };
  try {
    // Files of an earlier version call a snapshot of the session a sight.
    const fields = JSON.parse(line.replace(/(?<!\\)"sight":/g, '"snapshot":')) as Readonly<Record<string, unknown>> | null;
    if (fields?.format !== FORMAT) return none;
    const { version } = fields;
    const later = explainVersion(version, VERSION);
    if (later !== null) return { problem: later };
    const fault = findFault(schemas.KeptHeader, fields);
    if (fault !== null) return { problem: t('its header is damaged at {0}', fault) };
    return readHeader(version as number, fields as unknown as KeptHeader);
  } catch {
    return none;
  }
}

/** Whether JSON has no more values than any capture, without those in names. */
export function hasFewValues(json: string): boolean {
  let [values, isText] = [0, false];
  for (let at = 0; at < json.length && values <= MOST_VALUES; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) isText = !isText;
    else if (isText && code === BACKSLASH) at++;
    else if (!isText && code === COMMA) values++;
  }
  return values <= MOST_VALUES;
}

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44];

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
    return { problem: t('it names more databases than a server can have, which is {0}', formatCount(MOST_DATABASES)) };
  if ((observation?.gaps.length ?? 0) > MOST_LISTED_GAPS) return { problem: t('it has more than {0} gaps', formatCount(MOST_LISTED_GAPS)) };
  const otherByName = new Map(Object.entries(ledger.otherByName));
  const long = otherByName.size > MOST_OTHER_NAMES ? 'otherByName' : sections.length > MOST_SECTIONS ? 'sections' : null;
  if (long !== null) return { problem: t('its header is damaged at {0}', long) };
  const databases = kept.databases.map(({ databaseId, createdLocal = null, name }) => ({ databaseId, createdLocal, name }));
  const known = {
    version,
    id: captureId,
    serverLabel,
    serverName,
    databases,
    following,
    ledger: { ...ledger, otherByName },
    rows,
    sections,
  };
  const gaps = (observation?.gaps ?? []).map((gap) => ({ ...gap, kind: GAP_KINDS.find((each) => each === gap.kind) ?? 'unknown' }));
  return {
    ...known,
    observation: observation && { ...observation, gaps },
    ...(trackedDatabaseIds !== undefined && { trackedDatabaseIds }),
  };
}

/** A capture as it is kept on disk: what the timeline and all statistics need without a server, and what is needed to go on. */
export interface KeptCapture extends KeptRecord {
  /** The server as the user named it, without address or login. */
  readonly serverLabel: string;
}
