import ts from 'typescript';
import { listFound, placeOf, type SourceFile } from './source-files';

/** Beginnings of statements, as this project writes them: uppercase keywords. The name of a permission (`ALTER ANY EVENT SESSION DROP EVENT`) is none. */
const statement =
  /\b(SELECT\s[^;]*\sFROM\s|ALTER\s+(DATABASE|EVENT|SERVER)\b|CREATE\s+(EVENT|TABLE)\b|(?<!EVENT SESSION )DROP\s+(EVENT|TABLE|DATABASE)\b|EXECUTE\s|EXEC\s|DECLARE\s+@)/s;

/** Every text in the code that holds a T-SQL statement, each as `path:line`. */
export function listTsqlTexts(file: SourceFile): string[] {
  return listTexts(file, (text) => statement.test(text));
}

/** Every text that names a file of this repository which is not in the extension: nobody who reads it there can open it. */
export function listTextsOfTheRepository(file: SourceFile): string[] {
  return listTexts(file, (text) => /docs\/|facts\.md/.test(text));
}

/** A count and its noun in the plural, where what stands before it is neither a bound of ours nor in a line that asks whether it is 1. */
const pluralByHand =
  /\$\{(?![^}]*\b(most|MOST|least|LEAST)\w*\}|[^}]*\.most\})[^}]*\} (automatic |tracked )?(databases|checkpoints|events|gaps|rows|samples|scripts|servers|lanes)\b/;

/** Where it could say "1 databases", each as `path:line`: `countOf` (core/format) writes both forms. */
export function listPluralsByHand({ path, text }: SourceFile): string[] {
  const isAsked = /=== 1|> 1|RangeError/;
  return text.split('\n').flatMap((line, at) => (pluralByHand.test(line) && !isAsked.test(line) ? [`${path}:${at + 1}`] : []));
}

function listTexts(file: SourceFile, isSought: (text: string) => boolean): string[] {
  return listFound(file, (node) =>
    (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && isSought(node.getText()) ? placeOf(node) : null,
  );
}

/** Ways of showing a text that look at no name in it; `elements.ts` and `svg-tree.ts` have one of their own for each. */
const onPage: readonly RegExp[] = [
  /\.(textContent|innerText|innerHTML|outerHTML|ariaLabel)\s*=[^=]/,
  /(?<!\bthis)\.title\s*=[^=]/,
  /\bcreateTextNode\(/,
  /setAttribute\(\s*'(aria-label|title|placeholder)'/,
];
/** In the editor: `writeNotice` makes names visible. */
const inEditor: readonly RegExp[] = [/\bshow(Information|Warning|Error)Message\(\s*(?!writeNotice\(|makeVisible\()/];

const makers: ReadonlySet<string> = new Set(['src/webview/kit/elements.ts', 'src/webview/charts/svg-tree.ts']);

/** Where a text goes past what makes its names visible, each as `path:line`. */
export function listTextsPastMakers({ path, text }: SourceFile): string[] {
  if (makers.has(path)) return [];
  return (path.startsWith('src/webview/') ? onPage : inEditor).flatMap((way) => {
    const at = text.search(way);
    return at < 0 ? [] : [`${path}:${text.slice(0, at).split('\n').length}`];
  });
}
