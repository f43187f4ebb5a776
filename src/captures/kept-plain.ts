/**
 * The first line of a capture and the plain part of its state, which are JSON, as files of this version and of earlier
 * ones have them.
 */
import type { CapturePlainState } from '../core/capture/capture-state';
import type { CapturedDatabase, Observation } from '../core/capture/checkpoint-columns';
import type { KeptFollowing } from '../core/capture/following';
import { NO_DATABASE } from '../core/capture/handovers';
import type { Ledger } from '../core/capture/ledger';
import { type Count, fits, type UtcMs } from '../core/schema';
import type { Steps } from '../core/steps';
import type { Gap } from '../core/session/gap';
import schemas from './state.schema.json';

/**
 * Parsed and checked in one go, so their number is bounded. 10,000 databases, of which others were recorded 15 times,
 * have fewer.
 */
const MOST_VALUES = 1_000_000;
/** A section as the header describes it. Its bytes follow the columns, in this order. */
export interface SectionHeader {
  readonly name: string;
  readonly bytes: Count;
}

type Loose<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

/**
 * The first line as JSON. What files of an earlier version do not have is absent. `npm run schemas` makes the schema of
 * it.
 */
export interface KeptHeader {
  readonly captureId: string;
  readonly serverLabel: string;
  readonly serverName?: string | null;
  readonly databases: readonly Loose<CapturedDatabase, 'createdLocal'>[];
  /** `kind`: one that is not known is `unknown`. */
  readonly observation:
    | (Omit<Observation, 'gaps' | 'leftOut'> & {
        readonly gaps: readonly (Omit<Gap, 'kind'> & { readonly kind?: unknown })[];
      })
    | null;
  readonly following?: KeptFollowing | null;
  readonly trackedDatabaseIds?: readonly Count[] | null;
  readonly ledger: Omit<Ledger, 'otherByName'> & { readonly otherByName: Readonly<Record<string, Count>> };
  readonly rows: Count;
  readonly sections?: readonly SectionHeader[];
}

/** An undecided event, as the JSON of a file of an earlier version has it. */
interface OlderPendingEvent {
  readonly kind: 'begin' | 'end';
  readonly databaseId: Count;
  readonly atUtcMs: UtcMs;
  readonly guid: string | null;
  readonly sequence: number | null;
  readonly fileName: string | null;
  readonly fileOffset: string | null;
}

/** `npm run schemas` makes the schema of it. */
export type KeptPlain = Omit<CapturePlainState, 'pendingSources' | 'openGaps'> & {
  readonly pendingSources?: CapturePlainState['pendingSources'];
  /** Only in files of an earlier version. */
  readonly pending?: readonly OlderPendingEvent[];
};

/** Of a capture of 32,767 databases with the longest names it has less. */
const MOST_STATE_BYTES = 16 * 2 ** 20;

/** null: it is not what a capture keeps. */
export function* readPlain(bytes: Uint8Array): Steps<KeptPlain | null> {
  const plain = parsePlain(bytes);
  yield;
  if (!fits<KeptPlain>(schemas.KeptPlain, plain)) return null;
  return arePlainlySound(plain) ? plain : null;
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

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;

/** null: it is no JSON, or more than any capture has. */
function parsePlain(bytes: Uint8Array): unknown {
  try {
    const json = bytes.length > MOST_STATE_BYTES ? '' : Buffer.from(bytes).toString('utf8');
    return hasFewValues(json) ? JSON.parse(json) : null;
  } catch {
    return null;
  }
}

/** No database stands twice: its checkpoints would be of the one behind it. No more is listed than was counted. */
function arePlainlySound({ databases, malformed, malformedCount, unpairedReasons }: KeptPlain): boolean {
  const created = databases.filter(({ createdLocal }) => createdLocal !== null);
  const distinct = new Set(created.map(({ databaseId, createdLocal }) => `${databaseId} ${createdLocal}`));
  return (
    distinct.size === created.length &&
    databases.length <= NO_DATABASE &&
    malformed.length <= malformedCount &&
    unpairedReasons.length > 0
  );
}
