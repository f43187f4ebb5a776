import assert from 'node:assert/strict';
import ts from 'typescript';
import { listFound, readSourceFiles, type SourceFile } from './source-files';

const DOCUMENT = 'docs/limits.md';
const [document] = readSourceFiles('docs', '.md').filter(({ path }) => path === DOCUMENT);
const sources = readSourceFiles('src');

const rows = (document?.text ?? '').split('\n').flatMap((line) => {
  const [what = '', limit = '', , constant = ''] = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
  return line.startsWith('| ') && what !== 'what' ? [{ what, limit, constant }] : [];
});

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  min: 60_000,
  days: 86_400_000,
  KB: 1_000,
  MB: 1_000_000,
};

/** The last number of a cell in the constant's own unit: milliseconds, bytes, or what is counted. */
function readLimit(cell: string, name: string): number {
  const [, digits = '', unit = ''] = /([\d,]+)(?: (\w+))?$/.exec(cell.replace(/ (rows|times)$/, '')) ?? [];
  const isMeasured = /(_MS|_BYTES|Ms|Bytes)$/.test(name);
  return Number(digits.replace(/,/g, '')) * (isMeasured ? (UNITS[unit] ?? 1) : 1);
}

/** Numbers and what is multiplied of them; undefined for anything else. */
function evaluate(node: ts.Expression): number | undefined {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.AsteriskToken)
    return undefined;
  return (evaluate(node.left) ?? NaN) * (evaluate(node.right) ?? NaN);
}

/** The constant at the head of a file, or a property of it: `NAME` or `NAME.property`. */
function findConstant(file: SourceFile, constant: string): number | undefined {
  const [name, property] = constant.split('.');
  const [initializer] = listFound(file, (node) =>
    ts.isVariableDeclaration(node) && node.name.getText() === name ? (node.initializer ?? null) : null,
  );
  if (initializer === undefined || property === undefined) return initializer && evaluate(initializer);
  const [value] = ts.isObjectLiteralExpression(initializer)
    ? initializer.properties.flatMap((each) =>
        ts.isPropertyAssignment(each) && each.name.getText() === property ? each.initializer : [],
      )
    : [];
  return value && evaluate(value);
}

describe('docs/limits.md', () => {
  it('says what the code does', () => {
    const named = rows.filter(({ constant }) => constant !== '');
    assert.ok(named.length > 40);
    for (const { what, limit, constant } of named) {
      const [, path, name = ''] = /^`([^`]+)` `([^`]+)`$/.exec(constant) ?? [];
      const file = sources.find((each) => each.path === path);
      assert.ok(file !== undefined, `${what}: no file ${path}`);
      assert.equal(readLimit(limit, name), findConstant(file, name), `${what}: ${limit}`);
    }
  });

  it('gives a number, or says that there is none', () => {
    for (const { what, limit, constant } of rows)
      assert.ok(constant !== '' || /^(none|never)\b/.test(limit), what);
  });

  it('names every time-out of the ways to a server and of what is asked there', () => {
    const timeouts = sources
      .filter(({ path }) => /^src\/(hosts|monitor)\//.test(path))
      .flatMap((file) => {
        const names = listFound(file, (node) =>
          ts.isVariableDeclaration(node) ? node.name.getText() : null,
        );
        return names
          .filter((name) => /^(\w+_TIMEOUT|PATIENCE)_MS$/.test(name))
          .map((name) => `\`${file.path}\` \`${name}\``);
      });
    assert.ok(timeouts.length > 8);
    const listed = new Set(rows.map(({ constant }) => constant));
    assert.deepEqual(
      timeouts.filter((each) => !listed.has(each)),
      [],
    );
  });
});
