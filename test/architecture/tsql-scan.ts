import ts from 'typescript';
import type { SourceFile } from './import-scan';

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
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2021, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && isSought(node.getText())) {
      found.push(`${file.path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
