import type {
  OwnSessionTemplate,
  OwnSessionText,
  ReadTemplate,
  ReadText,
  ReviewTemplate,
  ReviewText,
} from './text';

/**
 * Values for template parameters, as T-SQL source: made by `quoteInString`, `writeInteger`, ... or composed in this
 * folder, never by joining user text.
 */
export type Values = Readonly<Record<string, string>>;

/**
 * SSMS template parameter: `<name, type, default>`; neither name nor type holds a comma, the default no comma and no
 * `>` (docs/facts.md, Hosts 6).
 */
const PARAMETER = /<([a-z_]+), ([a-z0-9()]+), ([^,<>]*)>/g;

/** Names of a template's parameters, in order of first appearance. */
export function listParameters(template: string): readonly string[] {
  return [...new Set([...template.matchAll(PARAMETER)].map((match) => match[1] as string))];
}

/**
 * Fills the named parameters. The others get their defaults, so that a filled text reads like the file in sql/.
 * @throws Error for a value whose parameter the template does not have: a mistake of ours
 */
export function fillTemplate(template: ReadTemplate, values: Values): ReadText;
export function fillTemplate(template: OwnSessionTemplate, values: Values): OwnSessionText;
export function fillTemplate(template: ReviewTemplate, values: Values): ReviewText;
export function fillTemplate(template: string, values: Values): string {
  const known = listParameters(template);
  const unknown = Object.keys(values).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`The template has no parameter ${unknown.join(', ')}`);
  return template.replace(
    PARAMETER,
    (_whole, name: string, _type, byDefault: string) => values[name] ?? byDefault,
  );
}
