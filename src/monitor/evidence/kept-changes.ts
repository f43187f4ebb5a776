/** Changes of target recovery time as bytes that are kept with a capture: JSON, so that a person can read it. */
import type { DatabaseChange } from '../../core/evidence/change-moment';

export interface DecodedChanges {
  readonly changes: readonly DatabaseChange[];
  /** One clause where some of them could not be read. */
  readonly problem: string | null;
}

export function encodeChanges(changes: readonly DatabaseChange[]): Uint8Array {
  return Buffer.from(JSON.stringify(changes), 'utf8');
}

export function decodeChanges(bytes: Uint8Array): DecodedChanges {
  try {
    const kept: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (!Array.isArray(kept)) return { changes: [], problem: 'they are not a list' };
    const changes = kept.filter(isChange);
    const left = kept.length - changes.length;
    return { changes, problem: left === 0 ? null : `${left} of ${kept.length} are damaged` };
  } catch {
    return { changes: [], problem: 'they are no JSON' };
  }
}

function isChange(value: unknown): value is DatabaseChange {
  if (typeof value !== 'object' || value === null) return false;
  const { databaseId, atUtcMs, notBeforeUtcMs, source, fromSeconds, toSeconds } = value as Record<string, unknown>;
  const isSeconds = (seconds: unknown): boolean => seconds === null || Number.isSafeInteger(seconds);
  return (
    Number.isSafeInteger(databaseId) &&
    Number.isFinite(atUtcMs) &&
    Number.isFinite(notBeforeUtcMs) &&
    (source === 'error log' || source === 'observed' || source === 'user') &&
    isSeconds(fromSeconds) &&
    isSeconds(toSeconds)
  );
}
