/** `.checkpoint-policy.json`: which target recovery time is wanted where, and what is left alone on purpose, until when, and why. */

/** Patterns are compared without regard to case; `*` stands for any characters, `?` for one. */
export interface PolicyTarget {
  /** SERVERPROPERTY('ServerName'); null: every server. */
  readonly server: string | null;
  readonly database: string;
  /** Seconds; 0 where automatic checkpoints are wanted. */
  readonly targetSeconds: number;
  /** Megabytes: the most log since its last checkpoint, which a restart would have to redo. Absent: no bound. */
  readonly mostMbToRedo?: number;
}

export interface PolicyException {
  readonly server: string | null;
  readonly database: string;
  readonly reason: string;
  /** The last day on which it holds, UTC; null: no end. */
  readonly expires: string | null;
}

export interface Policy {
  /** The first that fits decides. */
  readonly targets: readonly PolicyTarget[];
  readonly exceptions: readonly PolicyException[];
}

/** The policy as all files together say it, and what of them could not be read, one sentence each: exceptions may be among it. */
export interface PolicyInForce {
  readonly policy: Policy;
  readonly problems: readonly string[];
  /** Those among them in which an exception may be lost, with nothing known from before: no database may be changed then. Absent: none. */
  readonly unreadable?: readonly string[];
  /** Which files count, or why none does: "a/.checkpoint-policy.json", "none (no folder is open)". Absent: there is no policy. */
  readonly source?: string;
}

/** What the policy says of one database now. */
export type Expectation =
  | { readonly kind: 'none' }
  | { readonly kind: 'target'; readonly targetSeconds: number }
  | { readonly kind: 'exception'; readonly reason: string; readonly expires: string | null }
  /** An exception that has run out: the target behind it counts again, and it is said so. */
  | { readonly kind: 'expired'; readonly reason: string; readonly expires: string; readonly targetSeconds: number | null };
