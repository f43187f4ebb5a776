import ts from 'typescript';
import type { SourceFile } from './import-scan';

/** Beginnings of statements, as this project writes them: uppercase keywords. The name of a permission (`ALTER ANY EVENT SESSION DROP EVENT`) is none. */
const statement =
  /\b(SELECT\s[^;]*\sFROM\s|ALTER\s+(DATABASE|EVENT|SERVER)\b|CREATE\s+(EVENT|TABLE)\b|(?<!EVENT SESSION )DROP\s+(EVENT|TABLE|DATABASE)\b|EXECUTE\s|EXEC\s|DECLARE\s+@)/s;

/** Every text in the code that holds a T-SQL statement, each as `path:line`. */
export function listTsqlTexts(file: SourceFile): string[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2021, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && statement.test(node.getText())) {
      found.push(`${file.path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
