import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal } from '../fail';
import { root } from '../packages';
import { runLeashed } from '../processes/leashed';

/** The packaged extension. */
export const vsixFile = join(root, 'artifacts', 'checkpoint-health.vsix');
/** The packaged development extension. */
export const devVsixFile = join(root, 'artifacts', 'dev-extension.vsix');

/** Builds the production bundles into an empty dist/, because everything in it is shipped. */
async function buildBundles(): Promise<void> {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const webpack = join(root, 'node_modules', 'webpack-cli', 'bin', 'cli.js');
  const { exitCode, output } = await runLeashed(process.execPath, [webpack, '--mode', 'production'], { cwd: root });
  if (exitCode !== 0) throw new Refusal(`The build failed:\n${output}`);
}

/** Packages a folder's extension as it is now, with everything that its .vscodeignore lets in. */
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
