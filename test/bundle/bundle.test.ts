import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { type Sbom, sbomFiles, writeSboms } from '../../tools/build/sbom';
import { packagePlatforms, platformFile, PLATFORMS, vsixFile } from '../../tools/build/vsix';
import { root } from '../../tools/packages';
import { installOldestNode, oldestNodeVersion } from '../../tools/vscode/node';
import { prepareOrSkip } from '../pending';
import { unzip } from '../secret-search';
import { listNotices, listPackages, nameOf } from './bundled-packages';
import { makeFolder } from '../temporary-folder';

const ALLOWED_FILES =
  /^(\[Content_Types\]\.xml|extension\.vsixmanifest|extension\/(package(\.nls(\.[a-z-]+)?)?\.json|readme\.md|changelog\.md|security\.md|LICENSE\.txt|(dist|l10n|media|sql)\/.+))$/i;
/** Names that would betray code that must not be shipped: what the simulator and the tests are made of. */
const STRANGERS = /duckdb|playwright|node:assert|fast-check|selfsigned|legacy-upgrade|echarts|uplot/i;

interface Loaded {
  readonly bundles: readonly string[];
  readonly requested: readonly string[];
}

describe('The VSIX', () => {
  let files: ReturnType<typeof unzip>;
  before(() => (files = unzip(readFileSync(vsixFile))));
  const scripts = (): typeof files => files.filter(({ path }) => path.endsWith('.js'));
  const readText = (path: string): string =>
    files.find((file) => file.path === path)?.data.toString('utf8') ?? '';

  const notices = (): readonly string[] => listNotices(readText('extension/dist/THIRD-PARTY-NOTICES.txt'));

  it('is smaller than 1.2 MB', () => assert.ok(statSync(vsixFile).size < 1.2 * 1024 * 1024));

  it('spends at most 150 KB of that on the sample', () => {
    const sample = files.find(({ path }) => path === 'extension/media/sample.checkpoints');
    assert.ok(sample !== undefined && deflateRawSync(sample.data).length < 150 * 1024);
  });

  it('holds only what is shipped', () => {
    assert.deepEqual(
      files.map(({ path }) => path).filter((path) => !ALLOWED_FILES.test(path) || path.endsWith('.map')),
      [],
    );
  });

  it('has a page for a gallery: all pictures and links there are whole, and nothing is only for work on the project', () => {
    const readme = readText('extension/readme.md');
    const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    assert.ok(links.length > 10);
    assert.deepEqual(
      links.filter((link) => !/^(https:\/\/|#)/.test(link)),
      [],
    );
    assert.doesNotMatch(readme, /<(img|picture|source)|marketplace yet|gallery yet/);
    for (const [, file = ''] of readFileSync(join(root, 'README.md'), 'utf8').matchAll(
      /\]\(([^)#\s]+)[^)]*\)/g,
    ))
      assert.ok(file.startsWith('https://') || existsSync(join(root, file)), file);
    const manifest = JSON.parse(readText('extension/package.json')) as Record<string, unknown>;
    for (const key of ['scripts', 'devDependencies', 'workspaces', 'private'])
      assert.equal(key in manifest, false);
    assert.deepEqual(manifest['categories'], ['Visualization', 'Other']);
  });

  it('holds the bundles, the texts for people and the files of sql/', () => {
    const paths = files.map(({ path }) => path);
    const bundles = ['extension', 'tedious', 'parquet', 'webview', 'error-log', 'review'].map(
      (name) => `dist/${name}.js`,
    );
    const texts = [
      'dist/THIRD-PARTY-NOTICES.txt',
      'l10n/bundle.l10n.de.json',
      'package.nls.de.json',
      'readme.md',
      'SECURITY.md',
    ];
    const needed = [...bundles, ...texts, 'package.json', 'LICENSE.txt', 'sql/read/database-facts.sql'];
    assert.deepEqual(
      needed.filter((path) => !paths.includes(`extension/${path}`)),
      [],
    );
  });

  it('holds no code of the simulator and of the tests', () => {
    assert.deepEqual(
      scripts().flatMap(
        ({ path, data }) => STRANGERS.exec(data.toString('utf8'))?.map((name) => `${path}: ${name}`) ?? [],
      ),
      [],
    );
  });

  it('refers to no source map', () => {
    assert.deepEqual(
      scripts().filter(({ data }) => data.includes('sourceMappingURL')),
      [],
    );
  });

  it('brings the licence text of each package in the bundles, and of no other', () => {
    const pages = ['dashboard', 'review', 'error-log'].map((page) => `src/webview/${page}/main.ts`);
    const needed = new Set([
      ...listPackages('node', 'src/extension.ts'),
      ...listPackages('browser', ...pages),
    ]);
    for (const name of ['@vscode/l10n', 'tedious', 'hyparquet-writer', 'd3-scale'])
      assert.ok(needed.has(name), name);
    assert.deepEqual(notices().map(nameOf).sort(), [...needed].sort());
    for (const notice of notices()) assert.match(notice, /permission|redistribution|licensed under/i);
  });

  it('holds no package under a licence that asks for more than its notice', () => {
    const licences = notices().map((notice) => /^License: (.*)$/m.exec(notice)?.[1] ?? notice.slice(0, 40));
    assert.ok(licences.length > 10);
    assert.deepEqual(
      licences.filter((licence) => !/^(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0)$/.test(licence)),
      [],
    );
  });

  it('reads neither environment nor arguments in its own code', () => {
    assert.doesNotMatch(readText('extension/dist/extension.js'), /process\.(env|argv)/);
  });

  it('compiles no code at run time in the webviews, whose policy would forbid it', () => {
    for (const name of ['webview', 'review', 'error-log'])
      assert.doesNotMatch(readText(`extension/dist/${name}.js`), /\beval\(|new Function\b|\bFunction\(/);
  });
});

describe('The package of a platform', () => {
  const platform = PLATFORMS.find((each) => each === `${process.platform}-${process.arch}`) ?? 'linux-x64';
  const read = (file: string): ReadonlyMap<string, Buffer> =>
    new Map(unzip(readFileSync(file)).map(({ path, data }) => [path, data]));
  let plain: ReadonlyMap<string, Buffer>;
  let own: ReadonlyMap<string, Buffer>;

  before(async function () {
    await prepareOrSkip(this, () => packagePlatforms([platform]));
    [plain, own] = [read(vsixFile), read(platformFile(platform))];
  });
  after(() => rmSync(platformFile(platform), { force: true }));

  it('has one native file more than the plain one, with its licence, and no other code', () => {
    assert.deepEqual(
      [...own.keys()].filter((path) => !plain.has(path)),
      ['extension/dist/koffi.node'],
    );
    const differs = [...plain].filter(([path, data]) => own.get(path)?.equals(data) !== true);
    assert.deepEqual(differs.map(([path]) => path).sort(), [
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/dist/THIRD-PARTY-NOTICES.txt',
    ]);
    assert.match(String(own.get('extension.vsixmanifest')), new RegExp(`TargetPlatform="${platform}"`));
    const names = (of: typeof own): readonly string[] =>
      listNotices(String(of.get('extension/dist/THIRD-PARTY-NOTICES.txt'))).map(nameOf);
    assert.deepEqual(names(own), [...names(plain), 'koffi']);
  });

  it('is listed in a bill of materials of its own: that of the plain one, and koffi with its version and licence', async () => {
    await writeSboms();
    const [plainly = [], natively = []] = sbomFiles.map((file) =>
      (JSON.parse(readFileSync(file, 'utf8')) as Sbom).components.map((one) => ({ licenses: [], ...one })),
    );
    const more = natively.filter(({ name }) => !plainly.some((one) => one.name === name));
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    assert.deepEqual(
      more.map(({ name, version, licenses }) => [name, version, licenses]),
      [['koffi', devDependencies['koffi'], [{ license: { id: 'MIT' } }]]],
    );
    assert.equal(natively.length, plainly.length + 1);
  });

  it('is smaller than 1.8 MB', () => assert.ok(statSync(platformFile(platform)).size < 1.8 * 1024 * 1024));

  it("loads that file in the oldest host's Node", async function () {
    const node = await prepareOrSkip(this, installOldestNode);
    const folder = makeFolder();
    writeFileSync(join(folder, 'koffi.node'), own.get('extension/dist/koffi.node') ?? '');
    const script = `process.stdout.write(typeof require('./koffi.node').load)`;
    assert.equal(execFileSync(node, ['-e', script], { cwd: folder, encoding: 'utf8' }), 'function');
  });
});

describe(`The bundle under Node ${oldestNodeVersion}, the oldest host's`, () => {
  let loaded: { readonly node: string; readonly afterLoading: Loaded; readonly afterActivation: Loaded };

  before(async function () {
    const node = await prepareOrSkip(this, installOldestNode);
    const output = execFileSync(
      node,
      [join(__dirname, 'load-extension.cjs'), join(root, 'dist', 'extension.js')],
      { encoding: 'utf8' },
    );
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
