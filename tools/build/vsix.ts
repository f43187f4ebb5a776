import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Refusal } from '../fail';
import { root } from '../packages';
import { runLeashed } from '../processes/leashed';
import { SEPARATOR, writeNotice } from './notices-plugin';

export const vsixFile = join(root, 'artifacts', 'checkpoint-health.vsix');
/** The packaged development extension. */
export const devVsixFile = join(root, 'artifacts', 'dev-extension.vsix');
/** What both were made of. */
const madeOfFile = join(root, 'artifacts', 'packaged-from.txt');

/** Builds the production bundles into an empty dist/, because everything in it is shipped. */
async function buildBundles(folder: string): Promise<void> {
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const webpack = join(folder, 'node_modules', 'webpack-cli', 'bin', 'cli.js');
  const { exitCode, output } = await runLeashed(process.execPath, [webpack, '--mode', 'production'], {
    cwd: folder,
  });
  if (exitCode !== 0) throw new Refusal(`The build failed:\n${output}`);
}

/**
 * Packages a folder's extension as it is now, with everything that its .vscodeignore lets in. Files have the time of
 * the commit, so one commit gives the same bytes.
 */
export async function packageVsix(
  extensionFolder: string,
  file: string,
  options: readonly string[] = [],
  secondsUtc?: string,
): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = [vsce, 'package', '--no-dependencies', '--out', file, ...options];
  const time = secondsUtc ?? (await readCommitTime(extensionFolder));
  const env = { SOURCE_DATE_EPOCH: time, ...process.env };
  const { exitCode, output } = await runLeashed(process.execPath, args, { cwd: extensionFolder, env });
  if (exitCode !== 0) throw new Refusal(`The extension could not be packaged:\n${output}`);
}

/** Seconds since 1970; outside of a repository the time is now, as vsce has it. */
async function readCommitTime(folder: string): Promise<string> {
  const { exitCode, output } = await runLeashed('git', ['log', '-1', '--format=%ct'], { cwd: folder });
  return exitCode === 0 ? output.trim() : String(Math.floor(Date.now() / 1000));
}

/** What of package.json is for work on the project. */
const FOR_WORK = ['private', 'workspaces', 'scripts', 'devDependencies'];

/** Builds and packages the extension of a checkout. */
export async function packageExtension(folder: string, file: string): Promise<void> {
  await buildBundles(folder);
  await packageBuilt(folder, file);
}

/** Computers on which a package of their own can log in as yourself, by the names of vsce. */
export const PLATFORMS = [
  'win32-x64',
  'win32-arm64',
  'linux-x64',
  'linux-arm64',
  'darwin-x64',
  'darwin-arm64',
] as const;
export type Platform = (typeof PLATFORMS)[number];

export const platformFile = (platform: Platform): string => vsixFile.replace(/(?=\.vsix$)/, `-${platform}`);

/** Packages the extension as it was built last once more for each platform, with the one native file of koffi. */
export async function packagePlatforms(platforms: readonly Platform[] = PLATFORMS): Promise<void> {
  for (const platform of platforms) await packageBuilt(root, platformFile(platform), platform);
}

/** @param platform absent: for any, without native code */
async function packageBuilt(folder: string, file: string, platform?: Platform): Promise<void> {
  const shipped = mkdtempSync(join(tmpdir(), 'vsix-'));
  try {
    const ignore = readFileSync(join(folder, '.vscodeignore'), 'utf8');
    const names = new Set(ignore.match(/(?<=^!)[^/*\n]+/gm));
    const isShipped = (name: string): boolean =>
      name === '.vscodeignore' || names.has(name) || name.startsWith('package.nls');
    for (const name of readdirSync(folder).filter(isShipped))
      cpSync(join(folder, name), join(shipped, name), { recursive: true });
    const manifest = Object.entries(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object);
    const kept = Object.fromEntries(manifest.filter(([key]) => !FOR_WORK.includes(key)));
    writeFileSync(join(shipped, 'package.json'), JSON.stringify(kept));
    if (platform !== undefined) await addNative(shipped, platform);
    const options = platform === undefined ? [] : ['--target', platform];
    await packageVsix(shipped, file, options, await readCommitTime(folder));
  } finally {
    rmSync(shipped, { recursive: true });
  }
}

/** Fetches koffi for a platform from the registry, as package-lock.json pins it, and puts it beside the bundles. */
async function addNative(shipped: string, platform: Platform): Promise<void> {
  const name = `@koromix/koffi-${platform}`;
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const { version = '', integrity } = lock.packages[`node_modules/${name}`] ?? {};
  const part = mkdtempSync(join(tmpdir(), 'koffi-'));
  try {
    const packed = await runLeashed('npm', ['pack', `${name}@${version}`], { cwd: part });
    const [archive] = readdirSync(part);
    if (packed.exitCode !== 0 || archive === undefined)
      throw new Refusal(`npm could not fetch ${name}: ${packed.output}`);
    const hash = createHash('sha512').update(readFileSync(join(part, archive)));
    if (`sha512-${hash.digest('base64')}` !== integrity)
      throw new Error(`${name} is not what package-lock.json pins`);
    const native = `package/${platform.replace('-', '_')}/koffi.node`;
    const unpacked = await runLeashed('tar', ['-xzf', archive, native], { cwd: part });
    if (unpacked.exitCode !== 0) throw new Error(`${name} could not be unpacked: ${unpacked.output}`);
    const dist = join(shipped, 'dist');
    cpSync(join(part, native), join(dist, 'koffi.node'));
    appendFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), writeNativeNotice());
  } finally {
    rmSync(part, { recursive: true });
  }
}

/** What the notices of a platform's package have behind those of the plain one. */
export function writeNativeNotice(): string {
  return `${SEPARATOR.slice(1)}${writeNotice(join(root, 'node_modules', 'koffi'))}\n`;
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly integrity?: string } | undefined>
  >;
}

/** Builds and packages the extension and the development extension. */
export async function packageAll(): Promise<void> {
  rmSync(madeOfFile, { force: true });
  await packageExtension(root, vsixFile);
  await packageVsix(join(root, 'tools', 'dev-extension'), devVsixFile, [
    '--allow-missing-repository',
    '--skip-license',
  ]);
  writeFileSync(madeOfFile, await describeInputs());
}

/** Builds and packages both, unless nothing has changed since they were packaged last. */
export async function packageIfChanged(): Promise<void> {
  const isThere = [vsixFile, devVsixFile, madeOfFile].every((file) => existsSync(file));
  if (!isThere || readFileSync(madeOfFile, 'utf8') !== (await describeInputs())) await packageAll();
}

/**
 * The commit, whose time is in the package, and each file that may be in it, with its size and when it was written
 * last.
 */
async function describeInputs(): Promise<string> {
  const { output } = await runLeashed(
    'git',
    [
      'ls-files',
      '-z',
      '--cached',
      '--others',
      '--exclude-standard',
      '--',
      '.',
      ':!test',
      ':!simulator',
      ':!bench',
    ],
    { cwd: root },
  );
  const files = output.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
  const states = files.map((file) => ({ file, state: statSync(join(root, file)) }));
  return [
    await readCommitTime(root),
    ...states.map(({ file, state }) => `${file} ${state.size} ${state.mtimeMs}`),
  ].join('\n');
}
