import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { root } from '../../tools/packages';
import { listCircles, listForbiddenImports, listUnusedExports } from './import-scan';
import { listFound, placeOf, readSourceFiles, readText, type SourceFile } from './source-files';

const shipped = readSourceFiles('src');
const cli = readSourceFiles('cli');
const files = [
  ...shipped,
  ...cli,
  ...readSourceFiles('simulator').filter(({ path }) => !path.startsWith('simulator/test/')),
];

/**
 * By the editor, by webpack in place of a package, and by the pages of the benchmark, which are bundled from a text.
 */
const IMPORTED_BY_NAME =
  /^(src\/extension|src\/hosts\/direct\/azure-left-out|bench\/timeline\/stage): |^bench\/timeline\/contenders\/.*: draw$/;

const listFileCircles = (of: readonly SourceFile[]): string[] =>
  listCircles(of, (path) => path.replace(/(\/index)?\.ts$/, ''));

describe('The architecture', function () {
  // Every file of the project is parsed.

  it('has files to judge in src and in the simulator', () => {
    assert.ok(shipped.length > 20 && files.length > shipped.length + 20);
  });

  it('imports only what the import table allows', () => {
    assert.deepEqual(listForbiddenImports(files), []);
  });

  it('is mapped by functions that the product calls: each arrow of src/README.md', () => {
    const [, arrows = ''] = readFileSync(join(root, 'src/README.md'), 'utf8').split(
      '| gives | function | in |',
    );
    const rows = (arrows.split('\n\n')[0] ?? '').split('\n');
    const names = rows.flatMap((row) =>
      [...(row.split('|')[2] ?? '').matchAll(/`(?:\w+\.)?(\w+)`/g)].map(([, name = '']) => name),
    );
    assert.ok(names.length > 10 && names.includes('settle'));
    const isUncalled = (name: string): boolean =>
      !shipped.some(({ text }) => new RegExp(`(?<!function\\*? |^ {2})\\b${name}\\(`, 'm').test(text));
    assert.deepEqual([...names, 'listForbiddenImports'].filter(isUncalled), ['listForbiddenImports']);
  });

  it('has no folders that need each other but for the T-SQL of the simulator, whose functions call each other', () => {
    // What stands in src itself is looked at file by file.
    const rooms = files.filter(({ path }) => !/^src\/[^/]+$|^simulator\/tsql\//.test(path));
    assert.deepEqual(listCircles(rooms, posix.dirname), []);
  });

  it('has no files that need each other, but for the T-SQL of the simulator', () => {
    assert.deepEqual(listFileCircles(files.filter(({ path }) => !path.startsWith('simulator/tsql/'))), []);
  });

  it('reaches no server past the gate: only it opens our driver, and each connection of another product is guarded', () => {
    const table = readFileSync(join(root, 'src/README.md'), 'utf8');
    const openers = [...table.matchAll(/^\| ([^|]+) \|[^|]*\bhosts\/direct(?! \(types\)|\/)[^|]*\|/gm)].map(
      ([, part]) => part,
    );
    assert.deepEqual(openers, ['gate']);
    const listReached = (file: SourceFile): string[] =>
      listFound(file, (node) =>
        ts.isCallExpression(node) && /\.access$/.test(node.expression.getText())
          ? node.parent.getText().replace(/\(.*/s, '')
          : null,
      );
    assert.deepEqual([...shipped, ...cli].flatMap(listReached), ['guardHost']);
    assert.deepEqual(listReached({ path: 'src/x.ts', text: 'const way = host.access(server);' }), [
      'way = host.access',
    ]);
  });

  it('judges, forecasts and plans in one room: what shows an answer computes none', () => {
    const listAnswering = ({ path, text }: Pick<SourceFile, 'path' | 'text'>): string[] =>
      [...text.matchAll(/^import \{([^}]*)\} from '[./]*\/(?:core|monitor)\//gm)].flatMap(([, names = '']) =>
        [...names.matchAll(/(?<!type )\b((?:judge|forecast|plan)[A-Z]\w*|measureTaskShare)\b/g)].map(
          ([, name]) => `${path}: ${name}`,
        ),
      );
    const others = [...shipped, ...cli].filter(({ path }) => !/^src\/(core\/advice|monitor)\//.test(path));
    assert.deepEqual(others.flatMap(listAnswering), []);
    const wrong = {
      path: 'src/core/pages/x.ts',
      text: "import { type Waves, forecastWaves } from '../../core/advice/forecast';",
    };
    assert.deepEqual(listAnswering(wrong), ['src/core/pages/x.ts: forecastWaves']);
  });

  it('exports nothing that no other file imports', () => {
    const ours = [...shipped, ...cli, ...readSourceFiles('bench'), ...readSourceFiles('tools')];
    const importers = [
      ...ours,
      ...readSourceFiles('simulator'),
      ...readSourceFiles('test'),
      ...readSourceFiles('tools', '.mjs'),
    ];
    assert.deepEqual(
      listUnusedExports(ours, importers).filter((each) => !IMPORTED_BY_NAME.test(each)),
      [],
    );
  });

  for (const [path, text, complaint] of [
    ['src/core/verdict.ts', "import type { Uri } from 'vscode';", 'core may not import vscode'],
    ['src/core/verdict.ts', "import { readFileSync } from 'fs';", 'core may not import node:fs'],
    ['src/core/verdict.ts', "export * from '../monitor/monitor';", 'core may not import monitor'],
    ['src/core/verdict.ts', "let x: import('../shell/tree').Tree;", 'core may not import shell'],
    [
      'src/hosts/mssql/host.ts',
      "import { type Gap, gapOf } from '../../core/gap';",
      'hosts/mssql may import only types from core',
    ],
    [
      'src/monitor/monitor.ts',
      "const driver = await import('tedious/lib');",
      'monitor may not import tedious',
    ],
    ['src/shell/commands.ts', 'const host = require(name);', 'shell may not import (computed)'],
    [
      'src/extension.ts',
      "import { start } from '../tools/start';",
      'extension may not import tools/start, which belongs to no part',
    ],
    ['src/helpers/text.ts', '', 'belongs to no part of the import table'],
  ] as const)
    it(`would complain of ${text === '' ? path : `${text} in ${path}`}`, () => {
      const [first = '', ...others] = listForbiddenImports([{ path, text }]);
      assert.ok(first.includes(complaint) && others.length === 0, first);
    });

  it('would find files that need each other round a third, for a type too, and exports that nobody imports', () => {
    const circle = [
      {
        path: 'src/a/one.ts',
        text: "import { two } from '../b';\nexport const one = 1;\nexport async function three() {}",
      },
      {
        path: 'src/b/index.ts',
        text: "import type { Four } from '../c/four';\nexport { one as two, type Five } from '../a/one';",
      },
      { path: 'src/c/four.ts', text: "import five, { one } from '../a/one';\nexport interface Four {}" },
    ];
    assert.deepEqual(listFileCircles(circle), [
      'src/a/one -> src/b -> src/c/four -> src/a/one',
      'src/a/one -> src/b -> src/a/one',
    ]);
    assert.deepEqual(listFileCircles(circle.slice(1)), []);
    assert.deepEqual(listUnusedExports(circle, circle), [
      'src/a/one: three',
      'src/b/index: two',
      'src/b/index: Five',
    ]);
  });
});

/** Names that Node or a browser gives to everyone. */
const WORLDLY = new RegExp(
  [
    '^(process|console|Buffer|global|globalThis|require|module|__dirname|__filename|performance|crypto|fetch|(set|clear)(Timeout|Interval)|setImmediate',
    'queueMicrotask|requestAnimationFrame|window|document|navigator|location|localStorage|self|postMessage|Worker|HTMLElement|WeakRef)$',
  ].join('|'),
);

/**
 * Every use of the clock, of chance, or of a global of Node or a browser. `row.location` and `{ location: 1 }` only
 * look like one.
 */
function listWorldly(file: SourceFile): string[] {
  const declared = new Set(
    listFound(file, (node) => {
      const declares = [
        ts.isVariableDeclaration,
        ts.isParameter,
        ts.isBindingElement,
        ts.isFunctionDeclaration,
        ts.isImportSpecifier,
      ];
      return declares.some((is) => is(node)) ? ((node as ts.NamedDeclaration).name?.getText() ?? null) : null;
    }),
  );
  return listFound(file, (node) => {
    if (
      /^(Date\.now|Math\.random|new Date(\(\))?|Date\(.*\))$/.test(node.getText()) &&
      !ts.isExpressionStatement(node)
    )
      return placeOf(node);
    if (!ts.isIdentifier(node) || !WORLDLY.test(node.text) || declared.has(node.text)) return null;
    const isName =
      (node.parent as ts.NamedDeclaration).name === node && !ts.isShorthandPropertyAssignment(node.parent);
    return isName || (ts.isQualifiedName(node.parent) && node.parent.right === node) ? null : placeOf(node);
  });
}

/** Where a literal says something of the kind. */
const listTexts =
  (pattern: RegExp) =>
  (file: SourceFile): string[] =>
    listFound(file, (node) => (pattern.test(readText(node) ?? '') ? placeOf(node) : null));

/** Where the text is of the kind, unless its line says more. */
const listMatches =
  (pattern: RegExp, unless = /(?!)/) =>
  ({ path, text }: SourceFile): string[] =>
    [...text.matchAll(new RegExp(pattern, 'g'))].flatMap(({ index }) => {
      const at = text.slice(0, index).split('\n').length;
      return unless.test(text.split('\n')[at - 1] ?? '') ? [] : [`${path}:${at}`];
    });

/**
 * Rules of single files: where, what is looked for, one text for each way to break it, and texts that only look like
 * that.
 */
interface Rule {
  readonly title: string;
  readonly where: RegExp;
  readonly list: (file: SourceFile) => readonly string[];
  readonly breaches: readonly string[];
  readonly fine: readonly string[];
}

const RULES: readonly Rule[] = [
  {
    title: 'keeps the clock, chance, Node and the browser out of core and of the layouts',
    where: /^src\/(core\/|webview\/.*-layout\.ts$)/,
    list: listWorldly,
    breaches: [
      'Date.now()',
      'x = new Date()',
      'x = Date()',
      'Math.random()',
      'process.env',
      'f(document)',
      '({ window })',
      'let x: Worker',
    ],
    fine: [
      'const f = (location: Place) => ({ document: location.window, date: new Date(5) })',
      'interface A { process: number }',
    ],
  },
  {
    title: 'lets texts on its pages only through what makes their names visible',
    where: /^src\/webview\/(?!kit\/elements\.ts$|charts\/svg-tree\.ts$)/,
    list: listMatches(
      /\.(textContent|innerText|innerHTML|outerHTML|ariaLabel)\s*=[^=]|(?<!\bthis)\.title\s*=[^=]|\bcreateTextNode\(|setAttribute\(\s*'(aria-label|title|placeholder)'/,
    ),
    breaches: [
      'element.textContent = name;',
      "element.setAttribute('aria-label', name);",
      'td.title = name;',
      'createTextNode(name)',
    ],
    fine: ["element.textContent === '' && this.title = h2;"],
  },
  {
    title: 'lets notices of the editor only through what leaves no link and no icon in their names',
    where: /^src\/(?!hosts\/|webview\/)/,
    list: listMatches(/\bshow(Information|Warning|Error)Message\((?!\s*makePlain\()/),
    breaches: ['window.showErrorMessage(sentence)', 'window.showErrorMessage(makeVisible(sentence))'],
    fine: ['window.showErrorMessage(makePlain(sentence))'],
  },
  {
    title:
      'writes what the editor may parse by one function, except logs, diagnostics, rows of a tree, which it shows as they are, and what is only compared',
    where:
      /^src\/(extension\.ts|shell\/(?!kit\/log\.ts|commands\/(diagnostics-command|given-server)\.ts|servers\/imported-servers\.ts|tree\/row\.ts))/,
    list: listMatches(/\bmakeVisible\b/),
    breaches: ['box.prompt = makeVisible(question.prompt);'],
    fine: ['box.prompt = makePlain(question.prompt);'],
  },
  {
    title: 'sends no reader of the product to a file that is not in it',
    where: /^src\//,
    list: listTexts(/docs\/|facts\.md/),
    breaches: ["f('see docs/facts.md');", '`docs/${name}`'],
    fine: ['f(); // docs/facts.md'],
  },
  {
    title:
      'writes no count beside a plural of its own: of one it would say "1 databases"; countOf of core/format writes both forms',
    // A host has its own words for what another product answered, and no part of core.
    where: /^src\/(?!hosts\/)/,
    list: listMatches(
      /\$\{(?![^}]*\b(most|MOST|least|LEAST)\w*\}|[^}]*\.most\})[^}]*\} (automatic |tracked )?(databases|checkpoints|events|gaps|rows|samples|scripts|servers|lanes)\b/,
      /=== 1|> 1|RangeError/,
    ),
    breaches: ['`${formatCount(count)} databases`', '`of ${rows.length} tracked databases`'],
    fine: ["count === 1 ? 'one database' : `${count} databases`", '`at most ${mostRows} rows`'],
  },
  {
    title: 'keeps T-SQL in sql/ and core/script',
    where: /^src\/(?!core\/script\/)/,
    // Uppercase keywords, as this project writes them. The name of a permission (`ALTER ANY EVENT SESSION DROP EVENT`)
    // is no statement.
    list: listTexts(
      /\b(SELECT\s[^;]*\sFROM\s|ALTER\s+(DATABASE|EVENT|SERVER)\b|CREATE\s+(EVENT|TABLE)\b|(?<!EVENT SESSION )DROP\s+(EVENT|TABLE|DATABASE)\b|EXECUTE\s|EXEC\s|DECLARE\s+@)/,
    ),
    breaches: ["f('SELECT name FROM sys.databases');", '`ALTER DATABASE ${name} SET`'],
    fine: ["f('needs ALTER ANY EVENT SESSION', 'Select a server from the list');"],
  },
];

describe('The code', () => {
  for (const { title, where, list, breaches, fine } of RULES)
    it(title, () => {
      assert.deepEqual(shipped.filter(({ path }) => where.test(path)).flatMap(list), []);
      for (const text of breaches) assert.equal(list({ path: 'src/x.ts', text }).length, 1, text);
      for (const text of fine) assert.deepEqual(list({ path: 'src/x.ts', text }), [], text);
    });
});
