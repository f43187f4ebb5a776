import { t } from '../language';
import { escapeText, writeSource } from '../markdown';
import type { DatabaseFacts, Facts } from './facts';

/** Where a rule comes from, so that a reader can check it: a published page, or a note that there is none. */
export interface Source {
  /** "KB3166902", "Microsoft Learn, Database checkpoints", "inferred by Checkpoint Health". */
  readonly title: string;
  readonly url: string | null;
}

/**
 * One thing to know before a target recovery time is changed.
 * 'blocks': do not change it here and now; 'look first': a person has to decide; 'inform': only printed in the script.
 */
export interface Finding {
  /** The rule's name, "unpatched-2014-cluster". It never changes: policies and tests point at it. */
  readonly rule: string;
  readonly severity: 'blocks' | 'look first' | 'inform';
  /** What was seen, in one sentence or a few. */
  readonly sentence: string;
  /** What to do about it; null if there is nothing to do. */
  readonly remedy: string | null;
  readonly sources: readonly Source[];
}

/** The worst first. */
export const SEVERITIES: readonly Finding['severity'][] = ['blocks', 'look first', 'inform'];

/** What stands for or against a change, of the whole server and by database_id. */
export interface Preflight {
  readonly server: readonly Finding[];
  readonly databases: ReadonlyMap<number, readonly Finding[]>;
  /** What could not be checked, one sentence each with the reason: never taken for a pass. */
  readonly unseen: readonly string[];
}

/**
 * How the fact behind a rule is known (docs/facts.md): read off an artefact, documented, measured by others, inferred,
 * not verified.
 */
type Tag = 'R' | 'D' | 'M' | 'I' | '?';

export interface TaggedSource extends Source {
  readonly tag: Tag;
}

/** What a rule says of one server or database. It also says what it could not check: that is never taken for a pass. */
export type Answer =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'found'; readonly sentence: string; readonly remedy: string | null }
  /** `what` begins a sentence: "The trace flags". */
  | { readonly kind: 'unseen'; readonly what: string; readonly reason: string };

/** A rule of the preflight: a small function over facts, with its sources. */
interface AnyRule {
  /** Stable: tests and readers point at it. */
  readonly rule: string;
  readonly severity: Finding['severity'];
  /** At least one. If all are inferred or not verified, the rule can only inform. */
  readonly sources: readonly TaggedSource[];
}

export interface ServerRule extends AnyRule {
  readonly ask: (facts: Facts) => Answer;
}

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

/** Sources of what is not published: it follows from what is known, or it is hearsay. */
export const inferred: TaggedSource = { title: t('inferred by Checkpoint Health'), url: null, tag: 'I' };
export const notVerified: TaggedSource = {
  title: t('not verified: no published page says so'),
  url: null,
  tag: '?',
};

/** A page of Microsoft Learn. @param path after the language in its address */
export function citeLearn(title: string, path: string): TaggedSource {
  return { title: `Microsoft Learn, ${title}`, url: `https://learn.microsoft.com/en-us/${path}`, tag: 'D' };
}

export const checkpointsPage = citeLearn(
  'Database checkpoints',
  'sql/relational-databases/logs/database-checkpoints-sql-server',
);

/**
 * An item of a list in Markdown: one thing to know before a change, with its sources.
 * @param subject what it is about, in plain text
 */
export function writeFinding(subject: string, { severity, sentence, remedy, sources }: Finding): string {
  const what = `- **${escapeText(subject)}**, ${SEVERITY_WORDS[severity]}: ${escapeText(sentence)}${remedy === null ? '' : ` ${escapeText(remedy)}`}`;
  return sources.length === 0 ? what : `${what} ${t('Source: {0}.', sources.map(writeSource).join('; '))}`;
}

const SEVERITY_WORDS: Readonly<Record<Finding['severity'], string>> = {
  blocks: t('blocking'),
  'look first': t('look first'),
  inform: t('good to know'),
};
