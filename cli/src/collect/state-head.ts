/** The first line of a server's state, which is JSON. */
import { explainVersion, findFault, type UtcMs } from '../../../src/core/schema';
import { type Attempts, NO_ATTEMPTS } from './attempts';
import type { LogPosition } from './log-messages';
import schemas from './state.schema.json';

/** Fact by its key (`listFacts`). */
export type KnownFacts = Readonly<Record<string, FactValue>>;

export interface FactValue {
  readonly value: string | null;
  readonly missing: string | null;
}

/** `npm run schemas` makes the schema of it. */
export interface StateHead {
  readonly facts: KnownFacts;
  /** When what it answered was written last, by the server's clock; 0: never. */
  readonly answersUtcMs: UtcMs;
  readonly attempts: Attempts;
  /** How the error log goes on; null: it was not read yet. */
  readonly log: LogPosition | null;
  /** Until when the lake has an earlier capture of the server: its own begins there. null: it has none. */
  readonly beginsUtcMs: UtcMs | null;
}

const NOTHING: StateHead = {
  facts: {},
  answersUtcMs: 0,
  attempts: NO_ATTEMPTS,
  log: null,
  beginsUtcMs: null,
};
const { properties, definitions } = schemas.StateHead;
const PARTS = (Object.keys(NOTHING) as (keyof StateHead)[]).map(
  (name) => [name, { ...properties[name], definitions }] as const,
);

/** The version that is written. States of version 1 have no number, and not all parts: see `readHead`. */
export const STATE_VERSION = 2;

type Parts = Readonly<Record<string, unknown>>;

/**
 * Reads each part for itself: one that an earlier version did not write, or that is damaged, is as at the first run.
 * Facts of version 1 are not all: the lake has them. `isLater`: a later version wrote it: of its parts only what was
 * refused is taken, so that no login is tried on.
 */
export function readHead(line: Uint8Array) {
  let parts: Parts | null = null;
  try {
    const value: unknown = JSON.parse(Buffer.from(line).toString('utf8'));
    if (typeof value === 'object') parts = value as Parts | null;
  } catch {
    // Said below.
  }
  if (parts === null) return { head: NOTHING, problems: ['its first line is damaged'], isLater: false };
  const later = explainVersion(parts['version'] ?? 1, STATE_VERSION);
  if (later !== null) parts = { attempts: parts['attempts'] };
  else if (parts['version'] === undefined) parts = { ...parts, facts: undefined };
  const known = PARTS.map(([name, schema]) => [name, parts[name], findFault(schema, parts[name])] as const);
  const sound = known.filter(([, value, fault]) => value !== undefined && fault === null);
  const head: StateHead = { ...NOTHING, ...Object.fromEntries(sound) };
  return {
    head,
    problems: [
      ...(later === null ? [] : [`${later}. The lake tells where to go on`]),
      ...known.flatMap(([name, value, fault]) =>
        value === undefined || fault === null ? [] : [`its ${name} cannot be read`],
      ),
    ],
    isLater: later !== null,
  };
}
