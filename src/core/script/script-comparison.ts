import { quoteInComment } from './quote';
import type { ScriptSet } from './script-set';

/** All scripts of a set in one text, each under its title: for comparing two sets, never for running. */
export function writeComparedText({ scripts }: ScriptSet): string {
  return scripts.map(({ title, text }) => `/* ==== ${quoteInComment(title)} ==== */\n${text}`).join('\n\n');
}
