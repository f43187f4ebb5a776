import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../tools/packages';

const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');

interface NamedTest {
  readonly file: string;
  readonly titles: readonly string[];
}

/** Each file of tests in a text, with the titles that follow it in quotes. */
function listNamed(text: string): readonly NamedTest[] {
  return [...text.matchAll(/`(test\/[^`]+\.test\.ts)`((?:[^`|]*?“[^”]+”)*)/g)].map(([, file = '', after = '']) => ({
    file,
    titles: [...after.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
  }));
}

/** Titles of the tests that a file runs; one with a value in it is none. */
function listTitles(file: string): ReadonlySet<string> {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    const [first] = ts.isCallExpression(node) && /^(it|describe)$/.test(node.expression.getText()) ? node.arguments : [];
    if (first !== undefined && ts.isStringLiteralLike(first)) titles.add(first.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

describe('SECURITY.md', () => {
  const named = listNamed(page);

  it('names tests that there are, by file and title', () => {
    assert.ok(named.length > 30 && named.flatMap(({ titles }) => titles).length > 40, String(named.length));
    const missing = named.flatMap(({ file, titles }) => {
      if (!existsSync(join(root, file))) return [file];
      const there = listTitles(file);
      return titles.filter((title) => !there.has(title)).map((title) => `${file}: ${title}`);
    });
    assert.deepEqual(missing, []);
  });

  it('has a test for each claim, and for each threat what stops it', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (claim|who|what|server|tested) \|/.test(line));
    const [claims, threats] = ['## What it does', '## Threats'].map((head) => {
      const part = page.slice(page.indexOf(head), page.indexOf('\n## ', page.indexOf(head) + 1));
      return rows.filter((row) => part.includes(row));
    });
    assert.ok((claims?.length ?? 0) >= 12 && threats?.length === 8);
    for (const row of [...(claims ?? []), ...threats]) assert.ok(listNamed(row).length > 0, row);
  });
});
