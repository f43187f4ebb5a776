import { type HeadingField, type ReviewOrigin, writeHeading } from './review-heading';
import { fillTemplate, type Values } from './template';
import type { ReviewTemplate, ReviewText } from './text';

/** What a reader has to know before the program. */
export interface Heading {
  /** What the script does, where, to how many. */
  readonly what: string;
  readonly origin: ReviewOrigin;
  readonly fields: readonly HeadingField[];
}

/** A program of `sql/change` with these values, our heading in the place of the file's own. */
export function writeProgram({ what, origin, fields }: Heading, template: ReviewTemplate, values: Values): ReviewText {
  const heading = writeHeading(what, [
    ['Written', `by Checkpoint Health from what it read at ${origin.readAt}. Not executed: read it, then run it yourself.`],
    ['Evidence', origin.evidence],
    ...fields,
  ]);
  const filled = fillTemplate(template, values);
  return `${heading}${filled.slice(filled.indexOf('*/') + 2)}` as ReviewText;
}
