/** A rule of the preflight: a small function over facts, with where it comes from. */
import type { DatabaseFacts, Facts } from '../facts';
import type { Finding, Source } from '../finding';

/** How the fact behind a rule is known (docs/facts.md): read off an artefact, documented, measured by others, inferred, not verified. */
type Tag = 'R' | 'D' | 'M' | 'I' | '?';

export interface TaggedSource extends Source {
  readonly tag: Tag;
}

/** What a rule says of one server or database. What it could not ask is said too, never taken for a pass. */
export type Answer =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'found'; readonly sentence: string; readonly remedy: string | null }
  /** `what` begins a sentence: "The trace flags". */
  | { readonly kind: 'unseen'; readonly what: string; readonly reason: string };

interface AnyRule {
  /** Stable: tests and readers point at it. */
  readonly rule: string;
  readonly severity: Finding['severity'];
  /** At least one; a rule of which all are inferred or not verified can only inform. */
  readonly sources: readonly TaggedSource[];
}

/** About the whole server. */
export interface ServerRule extends AnyRule {
  readonly ask: (facts: Facts) => Answer;
}

/** About one database. */
export interface DatabaseRule extends AnyRule {
  readonly ask: (database: DatabaseFacts, facts: Facts) => Answer;
}

export const nothing: Answer = { kind: 'nothing' };

export function found(sentence: string, remedy: string | null = null): Answer {
  return { kind: 'found', sentence, remedy };
}

export function unseen(what: string, reason: string): Answer {
  return { kind: 'unseen', what, reason };
}

/** Nobody has published it: it follows from what is known, or is handed on as it was heard. */
export const inferred: TaggedSource = { title: 'inferred by Checkpoint Health', url: null, tag: 'I' };
export const notVerified: TaggedSource = { title: 'not verified: no published page says so', url: null, tag: '?' };

/** A page of Microsoft Learn. @param path behind the language */
export function citeLearn(title: string, path: string): TaggedSource {
  return { title: `Microsoft Learn, ${title}`, url: `https://learn.microsoft.com/en-us/${path}`, tag: 'D' };
}

export const checkpointsPage = citeLearn('Database checkpoints', 'sql/relational-databases/logs/database-checkpoints-sql-server');
