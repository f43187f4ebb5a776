import type { Preflight } from '../advice/finding';
import type { ForecastSteps } from '../advice/forecast';
import type { ReviewOrigin } from './review-heading';

/** What was measured when the scripts were written, as sentences. */
export interface EvidenceSnapshot {
  /** Numbers with their dates. */
  readonly sentences: readonly string[];
  /** When nothing was seen, and why. */
  readonly gaps: readonly string[];
}

/** Where a switch comes from, and what it rests on. */
export interface ScriptOrigin extends ReviewOrigin {
  /** Findings of the server and of its databases. */
  readonly preflight?: Preflight;
  /** For the change record. */
  readonly snapshot?: EvidenceSnapshot;
  /** The checkpoint task after each wave, for the change record; null: nothing was measured. */
  readonly forecast?: ForecastSteps | null;
  /** SHA-256 of a text as UTF-8, in hexadecimal digits; null where nothing can compute it. */
  readonly hash?: ((text: string) => string) | null;
}
