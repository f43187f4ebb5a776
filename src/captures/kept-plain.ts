/** The plain part of a capture's state, which is JSON, as files of this version and of earlier ones have it. */
import type { CapturePlainState } from '../core/capture/capture-state';
import { findFault } from '../core/schema';
import schemas from './state.schema.json';

/** An undecided event, as the JSON of a file of an earlier version has it. */
interface OlderPendingEvent {
  readonly kind: 'begin' | 'end';
  readonly databaseId: number;
  readonly atUtcMs: number;
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

/** null: it is not what a capture keeps. */
export function readPlain(bytes: Uint8Array): KeptPlain | null {
  try {
    const plain: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return findFault(schemas.KeptPlain, plain) === null ? (plain as KeptPlain) : null;
  } catch {
    return null;
  }
}
