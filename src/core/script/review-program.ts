import { quoteInComment } from './quote';
import { type ReviewOrigin, writeHeading } from './review-heading';
import { fillTemplate, type Values } from './template';
import type { ReviewTemplate, ReviewText } from './text';

/** No line of a script is longer: nobody scrolls sideways to review. Characters. */
export const longestLine = 140;

/** A line of a heading: "Needs", and what it says. */
export type HeadingField = readonly [label: string, text: string];

/** What a reader has to know before the program. */
export interface Heading {
  /** What the script does, where, to how many. */
  readonly what: string;
  readonly origin: ReviewOrigin;
  readonly fields: readonly HeadingField[];
}

/** A program of `sql/change` with these values, our heading in the place of the file's own. */
export function writeProgram({ what, origin, fields }: Heading, template: ReviewTemplate, values: Values): ReviewText {
  const [evidence = '', ...rest] = foldComment(`Evidence: ${origin.evidence}`);
  const measured = { ...origin, evidence: evidence.replace('Evidence: ', '') };
  const heading = writeHeading(what, measured, [...rest, ...fields.flatMap(([label, text]) => foldComment(`${label}: ${text}`))]);
  const filled = fillTemplate(template, values);
  return `${heading}${filled.slice(filled.indexOf('*/') + 2)}` as ReviewText;
}

/** Folded between words; the first three characters of a line are the mark of the heading. */
function foldComment(line: string): readonly string[] {
  const lines: string[] = [];
  for (const word of quoteInComment(line).split(' ')) {
    const last = lines[lines.length - 1];
    if (last === undefined) lines.push(word);
    else if (last.length + word.length < longestLine - 3) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`    ${word}`);
  }
  return lines;
}
