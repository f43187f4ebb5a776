import { quoteInComment } from './quote';
import type { ReviewText } from './text';

/** One text for an editor. */
export interface ReviewScript {
  /** A title, not a path: "SWITCH: 308 databases on LEGACY-SQL07". */
  readonly title: string;
  readonly kind: 'change' | 'rollback' | 'analysis' | 'agent job';
  readonly text: ReviewText;
}

/**
 * Scripts that belong together, in the order in which they are run. A rollback twin follows its change as its own
 * document: together they would cancel out.
 */
export interface ScriptSet {
  readonly scripts: readonly ReviewScript[];
  /**
   * The change record in Markdown: what was proposed, on what evidence, what was left out and why, and the hash of each
   * script.
   */
  readonly record: string;
}

/** All scripts of a set in one text, each under its title: to compare two sets, never to run. */
export function writeComparedText({ scripts }: ScriptSet): string {
  return scripts.map(({ title, text }) => `/* ==== ${quoteInComment(title)} ==== */\n${text}`).join('\n\n');
}
