import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { vsixFile } from '../../tools/build/vsix';
import { root } from '../../tools/packages';
import { installOldestNode, oldestNodeVersion } from '../../tools/vscode/node';
import { prepareOrSkip } from '../pending';
import { readVsix, type PackagedFile } from './vsix';

const maxVsixBytes = 1.5 * 1024 * 1024;
const allowedFiles =
  /^(\[Content_Types\]\.xml|extension\.vsixmanifest|extension\/(package(\.nls(\.[a-z-]+)?)?\.json|readme\.md|changelog\.md|LICENSE\.txt|(dist|media|sql)\/.+))$/i;
/** Names that would betray code that must not be shipped: what the simulator and the tests are made of. */
const strangers = [
  'duckdb',
  'playwright',
  'node:assert',
  'fast-check',
  'selfsigned',
  'legacy-upgrade',
  'echarts',
  'uplot',
  'plotly',
  'vis-timeline',
];

describe('The VSIX', () => {
  let files: readonly PackagedFile[];
  before(() => (files = readVsix(vsixFile)));
  const scripts = (): PackagedFile[] => files.filter(({ path }) => path.endsWith('.js'));
  const readText = (path: string): string => files.find((file) => file.path === path)?.data.toString('utf8') ?? '';

  it('is smaller than 1.5 MB', () => assert.ok(statSync(vsixFile).size < maxVsixBytes));

  it('holds only what is shipped', () => {
    assert.deepEqual(
      files.map(({ path }) => path).filter((path) => !allowedFiles.test(path) || path.endsWith('.map')),
      [],
    );
  });

  it('holds the bundles, the texts for people and the files of sql/', () => {
    const paths = files.map(({ path }) => path);
    const needed = [
      'dist/extension.js',
      'dist/tedious.js',
      'dist/parquet.js',
      'dist/webview.js',
      'dist/error-log.js',
      'dist/review.js',
      'dist/THIRD-PARTY-NOTICES.txt',
      'package.json',
      'readme.md',
      'LICENSE.txt',
      'sql/read/database-facts.sql',
    ];
    assert.deepEqual(
      needed.filter((path) => !paths.includes(`extension/${path}`)),
      [],
    );
  });

  it('holds no code of the simulator and of the tests', () => {
    const found = scripts().flatMap(({ path, data }) =>
      strangers.filter((name) => data.toString('utf8').toLowerCase().includes(name)).map((name) => `${path}: ${name}`),
    );
    assert.deepEqual(found, []);
  });

  it('refers to no source map', () => {
    assert.deepEqual(
      scripts().filter(({ data }) => data.includes('sourceMappingURL')),
      [],
    );
  });

  it('brings the licence text of every package in the bundles', () => {
    const [, ...notices] = readText('extension/dist/THIRD-PARTY-NOTICES.txt').split(/\n-{80}\n/);
    const names = notices.map((notice) => notice.trim().split(' ')[0]);
    for (const name of ['tedious', 'iconv-lite', 'hyparquet', 'hyparquet-writer', 'd3-scale', 'd3-array'])
      assert.ok(names.includes(name), `${name} is missing`);
    for (const notice of notices) assert.match(notice, /permission|redistribution|licensed under/i);
  });

  it('reads neither environment nor arguments in its own code', () => {
    assert.doesNotMatch(readText('extension/dist/extension.js'), /process\.(env|argv)/);
  });

  it('compiles no code at run time in the webviews, whose policy would forbid it', () => {
    for (const name of ['webview', 'review', 'error-log'])
      assert.doesNotMatch(readText(`extension/dist/${name}.js`), /\beval\(|new Function\b|\bFunction\(/);
  });
});

describe(`The bundle under Node ${oldestNodeVersion}, the oldest host's`, function () {
  this.timeout(120_000);
  let loaded: { node: string; afterLoading: Loaded; afterActivation: Loaded };

  before(async function () {
    const node = await prepareOrSkip(this, installOldestNode);
    const output = execFileSync(node, [join(__dirname, 'load-extension.cjs'), join(root, 'dist', 'extension.js')], { encoding: 'utf8' });
    loaded = JSON.parse(output) as typeof loaded;
  });

  it('loads and activates', () => assert.equal(loaded.node, `v${oldestNodeVersion}`));

  it('loads one file when it is loaded, and no more when it is activated', () => {
    assert.deepEqual(loaded.afterLoading.bundles, ['extension.js']);
    assert.deepEqual(loaded.afterActivation.bundles, ['extension.js']);
  });

  it('asks for hardly anything else: activation is cheap because it does little', () => {
    const builtIn = loaded.afterActivation.requested.filter((name) => name !== 'vscode' && name !== 'azdata');
    assert.ok(builtIn.length <= 6, builtIn.join(', '));
    assert.deepEqual(
      builtIn.filter((name) => /^(node:)?(net|tls|http|https|child_process|worker_threads|dns)$/.test(name)),
      [],
    );
  });
});

interface Loaded {
  readonly bundles: readonly string[];
  readonly requested: readonly string[];
}
