import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../tools/packages';
import { listFound } from './source-files';

const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');

/** Each file of tests in a text, with the titles that follow it in quotes. */
function listNamed(text: string): readonly { readonly file: string; readonly titles: readonly string[] }[] {
  return [...text.matchAll(/`(test\/[^`]+\.test\.ts)`((?:[^`|]*?“[^”]+”)*)/g)].map(
    ([, file = '', after = '']) => ({
      file,
      titles: [...after.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
    }),
  );
}

/** Every text of a file: a title stands at its test, or in a table of tests. */
function listTitles(file: string): ReadonlySet<string> {
  const source = { path: file, text: readFileSync(join(root, file), 'utf8') };
  return new Set(listFound(source, (node) => (ts.isStringLiteralLike(node) ? node.text : null)));
}

describe('SECURITY.md', () => {
  const named = listNamed(page);

  it('names tests that there are, by file and title', () => {
    assert.ok(named.length > 30 && named.flatMap(({ titles }) => titles).length > 40, String(named.length));
    const missing = named.flatMap(({ file, titles }) => {
      const there = existsSync(join(root, file)) ? listTitles(file) : null;
      return there === null
        ? [file]
        : titles.filter((title) => !there.has(title)).map((title) => `${file}: ${title}`);
    });
    assert.deepEqual(missing, []);
  });

  it('has a test for each claim, and for each threat what stops it', () => {
    const [claims = [], threats = []] = ['## What it does', '## Threats'].map((head) => {
      const part = page.slice(page.indexOf(head)).split('\n## ')[0] ?? '';
      return part
        .split('\n')
        .filter((line) => line.startsWith('| ') && !/^\| (claim|who|what|server|tested) \|/.test(line));
    });
    assert.ok(claims.length >= 12 && threats.length === 8);
    for (const row of [...claims, ...threats]) assert.ok(listNamed(row).length > 0, row);
  });
});
