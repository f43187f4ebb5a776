/** The plain part of a capture's state, which is JSON, as files of this version and of earlier ones have it. */
import type { CapturePlainState } from '../core/capture/capture-state';
import { NOBODY } from '../core/capture/handovers';
import { type Count, findFault, type UtcMs } from '../core/schema';
import type { Steps } from '../core/steps';
import { hasFewValues } from './capture-header';
import schemas from './state.schema.json';

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
  if (plain === null || findFault(schemas.KeptPlain, plain) !== null) return null;
  yield;
  return arePlainlySound(plain) ? plain : null;
}

/** Not checked yet. */
function parsePlain(bytes: Uint8Array): KeptPlain | null {
  try {
    const json = bytes.length > MOST_STATE_BYTES ? '' : Buffer.from(bytes).toString('utf8');
    return hasFewValues(json) ? (JSON.parse(json) as KeptPlain) : null;
  } catch {
    return null;
  }
}

/** No database stands twice: its checkpoints would be of the one behind it. No more is listed than was counted. */
function arePlainlySound({ databases, malformed, malformedCount, unpairedReasons }: KeptPlain): boolean {
  const created = databases.filter(({ createdLocal }) => createdLocal !== null);
  const distinct = new Set(created.map(({ databaseId, createdLocal }) => `${databaseId} ${createdLocal}`));
  return distinct.size === created.length && databases.length <= NOBODY && malformed.length <= malformedCount && unpairedReasons.length > 0;
}
