import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/packages';
import { listFileCircles, listForbiddenImports, listRoomCircles, listUnusedExports } from './import-scan';
import { parts } from './import-table';
import { listWorldlyNames } from './purity-scan';
import { readSourceFiles } from './source-files';
import { listPluralsByHand, listTextsOfTheRepository, listTextsPastMakers, listTsqlTexts } from './text-scan';

const maxLines = 400;
const shipped = readSourceFiles('src');
const cli = readSourceFiles('cli');
const files = [...shipped, ...cli, ...readSourceFiles('simulator').filter(({ path }) => !path.startsWith('simulator/test/'))];

/** By the editor, by webpack in place of a package, and by the pages of the benchmark, which are bundled from a text. */
const importedByName =
  /^(src\/extension|src\/hosts\/direct\/azure-left-out|bench\/timeline\/stage): |^bench\/timeline\/contenders\/.*: draw$/;

describe('The architecture', function () {
  // Every file of the project is parsed.
  this.timeout(60_000);

  it('has files to judge in src and in the simulator', () => {
    assert.ok(shipped.length > 20 && files.length > shipped.length + 20);
  });

  it('imports only what the import table allows', () => {
    assert.deepEqual(listForbiddenImports(files), []);
  });

  it('gives a reason for everything that it allows', () => {
    assert.deepEqual(
      parts.flatMap(({ name, mayImport }) =>
        mayImport.filter(({ reason }) => reason === '').map((permission) => `${name} -> ${permission.name}`),
      ),
      [],
    );
  });

  it('is mapped by functions that the product calls: each arrow of src/README.md', () => {
    const [, arrows = ''] = readFileSync(join(root, 'src/README.md'), 'utf8').split('| gives | function | in |');
    const [rows = ''] = arrows.split('\n\n');
    const names = rows
      .split('\n')
      .flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/`(?:\w+\.)?(\w+)`/g)].map(([, name = '']) => name));
    assert.ok(names.length > 10 && names.includes('settle'));
    const isCalled = (name: string): boolean =>
      shipped.some(({ text }) => new RegExp(`(?<!function\\*? |^ {2})\\b${name}\\(`, 'm').test(text));
    assert.deepEqual(
      names.filter((name) => !isCalled(name)),
      [],
    );
    assert.deepEqual(['listForbiddenImports', 'stepSummary'].filter(isCalled), [], 'a name that nothing calls is found');
  });

  it(`has no file of more than ${maxLines} lines`, () => {
    const tooLong = files
      .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > maxLines);
    assert.deepEqual(tooLong, []);
  });

  it('has no folders that need each other but for the T-SQL of the simulator, whose functions call each other', () => {
    // What stands in src itself is looked at file by file.
    const rooms = files.filter(({ path }) => !/^src\/[^/]+$|^simulator\/tsql\//.test(path));
    assert.deepEqual(listRoomCircles(rooms), []);
  });

  it('exports nothing that no other file imports', () => {
    const ours = [...shipped, ...cli, ...readSourceFiles('bench'), ...readSourceFiles('tools')];
    const importers = [...ours, ...readSourceFiles('simulator'), ...readSourceFiles('test'), ...readSourceFiles('tools', '.mjs')];
    assert.deepEqual(
      listUnusedExports(ours, importers).filter((each) => !importedByName.test(each)),
      [],
    );
  });

  it('has no files that need each other, but for the T-SQL of the simulator', () => {
    assert.deepEqual(listFileCircles(files.filter(({ path }) => !path.startsWith('simulator/tsql/'))), []);
  });

  it('keeps the clock, chance, Node and the browser out of core and of the layouts', () => {
    assert.deepEqual(
      shipped.filter(({ path }) => /^src\/(core\/|webview\/.*-layout\.ts$)/.test(path)).flatMap((file) => listWorldlyNames(file)),
      [],
    );
  });

  it('lets texts reach a person only through what makes their names visible', () => {
    assert.deepEqual(
      shipped.filter(({ path }) => !path.startsWith('src/hosts/')).flatMap((file) => listTextsPastMakers(file)),
      [],
    );
  });

  it('sends no reader of the product to a file that is not in it', () => {
    assert.deepEqual(
      shipped.flatMap((file) => listTextsOfTheRepository(file)),
      [],
    );
  });

  it('writes no count beside a plural of its own: of one it would say "1 databases"', () => {
    // A host has its own words for what another product answered, and no part of core.
    assert.deepEqual(
      shipped.filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/hosts/')).flatMap((file) => listPluralsByHand(file)),
      [],
    );
  });

  it('keeps T-SQL in sql/ and core/script', () => {
    assert.deepEqual(
      shipped.filter(({ path }) => !path.startsWith('src/core/script/')).flatMap((file) => listTsqlTexts(file)),
      [],
    );
  });
});

describe('The judge of the architecture', () => {
  const forbidden: readonly (readonly [string, string, string])[] = [
    ['src/core/advice/verdict.ts', "import * as vscode from 'vscode';", 'core may not import vscode'],
    ['src/core/advice/verdict.ts', "import type { Uri } from 'vscode';", 'core may not import vscode'],
    ['src/core/advice/verdict.ts', "import { readFileSync } from 'fs';", 'core may not import node:fs'],
    ['src/core/advice/verdict.ts', "export * from '../../monitor/monitor';", 'core may not import monitor'],
    ['src/core/advice/verdict.ts', "let x: import('../../shell/tree/tree').Tree;", 'core may not import shell'],
    ['src/core/advice/verdict.ts', "import x from 'left-pad/lib/pad';", 'core may not import left-pad'],
    ['src/webview/dashboard/main.ts', "import { log } from '../../shell/log';", 'webview may not import shell'],
    ['src/protocol.ts', "import { pairEvents } from './core/capture/pair';", 'protocol may import only types from core'],
    ['src/hosts/direct/driver.ts', "import { window } from 'vscode';", 'hosts/direct may not import vscode'],
    ['src/hosts/mssql/host.ts', "import x from '../direct/access';", 'hosts/mssql may not import hosts/direct'],
    ['src/hosts/mssql/host.ts', "import { countOf } from '../../core/format';", 'hosts/mssql may import only types from core'],
    ['src/monitor/monitor.ts', "const driver = await import('tedious');", 'monitor may not import tedious'],
    ['src/shell/commands.ts', "const host = require('../hosts/azdata/host');", 'shell may not import hosts/azdata'],
    ['src/shell/commands.ts', 'const host = require(name);', 'shell may not import (computed)'],
    ['simulator/engine/world.ts', "import { readTemplates } from '../../src/texts';", 'simulator may not import texts'],
    ['simulator/engine/world.ts', "import text from '../../sql/read/server-facts.sql';", 'simulator may not import sql'],
    [
      'src/extension.ts',
      "import { startSimulator } from '../tools/simulator';",
      'extension may not import tools/simulator, which belongs to no part',
    ],
    ['src/helpers/text.ts', '', 'belongs to no part of the import table'],
  ];
  for (const [path, text, complaint] of forbidden) {
    it(`complains of ${text === '' ? path : `${text} in ${path}`}`, () => {
      const complaints = listForbiddenImports([{ path, text }]);
      assert.equal(complaints.length, 1);
      assert.ok(complaints[0]?.includes(complaint), complaints[0]);
    });
  }

  it('finds folders that need each other round a third', () => {
    const files = [
      { path: 'src/core/a/one.ts', text: "import { two } from '../b/two';" },
      { path: 'src/core/b/two.ts', text: "import type { Three } from '../c/three';" },
      { path: 'src/core/c/three.ts', text: "import { one } from '../a/one';" },
      { path: 'src/core/d/four.ts', text: "import { one } from '../a/one';" },
    ];
    assert.deepEqual(listRoomCircles(files), ['src/core/a -> src/core/b -> src/core/c -> src/core/a']);
    assert.deepEqual(listRoomCircles(files.slice(1)), []);
  });

  it('finds an export that nobody imports', () => {
    const files = [
      { path: 'src/a/one.ts', text: 'export const one = 1;\nexport async function two() {}\nexport interface Three {}\nconst four = 4;' },
      { path: 'src/a/two.ts', text: "export { one as five, type Three } from './one';\nexport default class {}" },
      { path: 'src/a/three.ts', text: "import five, { Three } from './two';\nlet x: import('./one').two.Part;" },
      { path: 'src/b/all.ts', text: 'export type All = 1;' },
      { path: 'src/four.ts', text: "import * as all from './b/all';" },
    ];
    assert.deepEqual(listUnusedExports(files, files), ['src/a/two: five']);
    assert.deepEqual(listUnusedExports(files, []), [
      ...['one', 'two', 'Three'].map((name) => `src/a/one: ${name}`),
      ...['five', 'Three', 'default'].map((name) => `src/a/two: ${name}`),
      'src/b/all: All',
    ]);
  });

  it('finds files that need each other, for a type too', () => {
    const files = [
      { path: 'src/core/a/one.ts', text: "import { two } from './two';" },
      { path: 'src/core/a/two.ts', text: "import type { Three } from '../b';" },
      { path: 'src/core/b/index.ts', text: "import { one } from '../a/one';" },
    ];
    assert.deepEqual(listFileCircles(files), ['src/core/a/one -> src/core/a/two -> src/core/b -> src/core/a/one']);
    assert.deepEqual(listFileCircles(files.slice(1)), []);
  });

  it('lets allowed imports pass', () => {
    const text =
      "import type { Event } from '../../core/capture/event';\nimport { type Gap } from '../../core/capture/gap';\nimport { Connection } from 'tedious';\nimport './errors';";
    assert.deepEqual(listForbiddenImports([{ path: 'src/hosts/direct/access.ts', text }]), []);
  });

  for (const text of [
    'Date.now()',
    'new Date()',
    'Date()',
    'Math.random()',
    'process.env',
    'setTimeout(f, 1)',
    'console.log(1)',
    'globalThis.x',
    'f(document)',
    '({ window })',
  ]) {
    it(`finds the world in ${text}`, () => assert.equal(listWorldlyNames({ path: 'src/core/x.ts', text }).length, 1));
  }

  it('does not take values for the world', () => {
    const text = 'function f(location: Place) { return { document: location.window, date: new Date(5) }; } interface A { process: number }';
    assert.deepEqual(listWorldlyNames({ path: 'src/core/x.ts', text }), []);
  });

  it('finds T-SQL in a text, and not in the name of a permission or a message', () => {
    const text =
      "f('SELECT name FROM sys.databases', `ALTER DATABASE ${name} SET`, 'needs ALTER ANY EVENT SESSION', 'Select a server from the list');";
    assert.equal(listTsqlTexts({ path: 'src/shell/x.ts', text }).length, 2);
  });

  it('finds a plural that is written by hand, and not one of a bound or where it is asked whether there is one', () => {
    const find = (text: string): number => listPluralsByHand({ path: 'src/core/x.ts', text }).length;
    assert.equal(find('`${formatCount(count)} databases`'), 1);
    assert.equal(find('`of ${rows.length} tracked databases`'), 1);
    assert.equal(find("count === 1 ? 'one database' : `${count} databases`"), 0);
    assert.equal(find('`at most ${mostRows} rows`'), 0);
  });

  it('finds a text that names a file of the repository, and not a comment', () => {
    const text = "f('see docs/facts.md', `docs/${name}`); // docs/facts.md";
    assert.equal(listTextsOfTheRepository({ path: 'src/core/x.ts', text }).length, 2);
  });

  it('finds a text that goes past what makes names visible, and not one that is compared', () => {
    for (const text of [
      'element.textContent = name;',
      "element.setAttribute('aria-label', name);",
      'td.title = name;',
      'createTextNode(name)',
    ])
      assert.equal(listTextsPastMakers({ path: 'src/webview/x.ts', text }).length, 1, text);
    assert.deepEqual(listTextsPastMakers({ path: 'src/webview/x.ts', text: "element.textContent === '' && this.title = h2;" }), []);
    assert.equal(listTextsPastMakers({ path: 'src/shell/x.ts', text: 'window.showErrorMessage(sentence)' }).length, 1);
    assert.deepEqual(listTextsPastMakers({ path: 'src/shell/x.ts', text: 'window.showErrorMessage(writeNotice(sentence))' }), []);
  });
});
