/** The first line of a server's state, which is JSON. */
import { findFault } from '../../../src/core/schema';
import type { Attempts } from './attempts';
import type { LogPosition } from './log-messages';
import schemas from './state.schema.json';

/** Fact by its key (`listFacts`). */
export type KnownFacts = Readonly<Record<string, FactValue>>;

export interface FactValue {
  readonly value: string | null;
  readonly missing: string | null;
}

/** `npm run schemas` makes the schema of it. An earlier version kept neither attempts nor the log. */
export interface StateHead {
  readonly facts: KnownFacts;
  /** When what it answered was written last, by the server's clock. */
  readonly answersUtcMs: number;
  readonly attempts?: Attempts;
  /** How the error log goes on; null: it was not read yet. */
  readonly log?: LogPosition | null;
}

/** null: it is not what a state begins with. */
export function readHead(line: Uint8Array): StateHead | null {
  try {
    const head = JSON.parse(Buffer.from(line).toString('utf8')) as StateHead;
    return findFault(schemas.StateHead, head) === null ? head : null;
  } catch {
    return null;
  }
}
