import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { packageExtension, vsixFile } from '../../tools/build/vsix';
import { root } from '../../tools/packages';
import { installOldestNode, oldestNodeVersion } from '../../tools/vscode/node';
import { prepareOrSkip } from '../pending';

/** One file of a VSIX, unpacked; the path is the one inside the archive. */
interface PackagedFile {
  readonly path: string;
  readonly data: Buffer;
}

const endSignature = 0x06054b50;
const endLength = 22;
const entrySignature = 0x02014b50;
const entryLength = 46;
const localLength = 30;

/** Reads a VSIX, which is a zip archive (PKWARE APPNOTE 4.3), with the functions of Node alone. */
function readVsix(file: string): PackagedFile[] {
  const archive = readFileSync(file);
  const end = archive.length - endLength;
  if (archive.readUInt32LE(end) !== endSignature) throw new Error(`${file} does not end as a zip archive without a comment does`);
  const files: PackagedFile[] = [];
  let at = archive.readUInt32LE(end + 16);
  while (archive.readUInt32LE(at) === entrySignature) {
    const pathLength = archive.readUInt16LE(at + 28);
    files.push({ path: archive.toString('utf8', at + entryLength, at + entryLength + pathLength), data: unpack(archive, at) });
    at += entryLength + pathLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}

function unpack(archive: Buffer, entry: number): Buffer {
  const isDeflated = archive.readUInt16LE(entry + 10) === 8;
  const local = archive.readUInt32LE(entry + 42);
  const begin = local + localLength + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(begin, begin + archive.readUInt32LE(entry + 20));
  return isDeflated ? inflateRawSync(packed) : packed;
}

const maxVsixBytes = 1.2 * 1024 * 1024;
const allowedFiles =
  /^(\[Content_Types\]\.xml|extension\.vsixmanifest|extension\/(package(\.nls(\.[a-z-]+)?)?\.json|readme\.md|changelog\.md|security\.md|LICENSE\.txt|(dist|l10n|media|sql)\/.+))$/i;
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

  it('is smaller than 1.2 MB', () => assert.ok(statSync(vsixFile).size < maxVsixBytes));

  it('spends at most 150 KB of that on the sample', () => {
    const sample = files.find(({ path }) => path === 'extension/media/sample.checkpoints');
    assert.ok(sample !== undefined && deflateRawSync(sample.data).length < 150 * 1024);
  });

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
      'l10n/bundle.l10n.de.json',
      'package.json',
      'package.nls.de.json',
      'readme.md',
      'SECURITY.md',
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
    for (const name of ['@vscode/l10n', 'tedious', 'iconv-lite', 'hyparquet', 'hyparquet-writer', 'd3-scale', 'd3-array'])
      assert.ok(names.includes(name), `${name} is missing`);
    for (const notice of notices) assert.match(notice, /permission|redistribution|licensed under/i);
  });

  it('holds no package under a licence that asks for more than its notice', () => {
    const [, ...notices] = readText('extension/dist/THIRD-PARTY-NOTICES.txt').split(/\n-{80}\n/);
    const licences = notices.map((notice) => /^License: (.*)$/m.exec(notice)?.[1] ?? notice.slice(0, 40));
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

describe('A second build in another folder', function () {
  this.timeout(180_000);
  // The same volume, so that nothing has to be copied.
  const copy = join(root, 'artifacts', 'second-build');
  const remove = (): void => rmSync(copy, { recursive: true, force: true });
  before(remove);
  after(remove);

  it('gives the same package, byte for byte', async () => {
    mkdirSync(copy, { recursive: true });
    const parts = readdirSync(root).filter((name) => !['.git', '.host', 'artifacts', 'dist'].includes(name));
    execFileSync('cp', ['-al', ...parts.map((name) => join(root, name)), copy]);
    const file = join(copy, 'second.vsix');
    await packageExtension(copy, file);
    const [first, second] = [vsixFile, file].map((each) => createHash('sha256').update(readFileSync(each)).digest('hex'));
    assert.equal(second, first);
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
