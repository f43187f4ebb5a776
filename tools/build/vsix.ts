import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal } from '../fail';
import { root } from '../packages';
import { runLeashed } from '../processes/leashed';

/** Where the packaged extension lies. */
export const vsixFile = join(root, 'artifacts', 'checkpoint-health.vsix');
/** Where the packaged development extension lies. */
export const devVsixFile = join(root, 'artifacts', 'dev-extension.vsix');

/** Builds the bundles for production into an empty dist/, because everything there is shipped. */
async function buildBundles(): Promise<void> {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const webpack = join(root, 'node_modules', 'webpack-cli', 'bin', 'cli.js');
  const { exitCode, output } = await runLeashed(process.execPath, [webpack, '--mode', 'production'], { cwd: root });
  if (exitCode !== 0) throw new Refusal(`The build failed:\n${output}`);
}

/** Packages the extension of a folder as it stands there, with whatever its .vscodeignore lets in. */
export async function packageVsix(extensionFolder: string, file: string, options: readonly string[] = []): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = [vsce, 'package', '--no-dependencies', '--out', file, ...options];
  const { exitCode, output } = await runLeashed(process.execPath, args, { cwd: extensionFolder });
  if (exitCode !== 0) throw new Refusal(`The extension could not be packaged:\n${output}`);
}

/** Builds and packages the extension and the development extension. */
export async function packageAll(): Promise<void> {
  await buildBundles();
  await packageVsix(root, vsixFile);
  await packageVsix(join(root, 'tools', 'dev-extension'), devVsixFile, ['--allow-missing-repository', '--skip-license']);
}
