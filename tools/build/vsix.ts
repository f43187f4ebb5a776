import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { Refusal } from '../fail';
import { root } from '../packages';
import { runLeashed } from '../processes/leashed';

/** Where the packaged extension lies. */
export const vsixFile = join(root, 'artifacts', 'checkpoint-health.vsix');
/** Where the packaged development extension lies. */
export const devVsixFile = join(root, 'artifacts', 'dev-extension.vsix');

/** Builds the bundles for production. */
export async function buildBundles(): Promise<void> {
  const webpack = join(root, 'node_modules', 'webpack-cli', 'bin', 'cli.js');
  const { exitCode, output } = await runLeashed(process.execPath, [webpack, '--mode', 'production'], { cwd: root });
  if (exitCode !== 0) throw new Refusal(`The build failed:\n${output}`);
}

/** Packages the extension of a folder as it stands there, with whatever its .vscodeignore lets in. */
export async function packageVsix(extensionFolder: string, file: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  await createVSIX({ cwd: extensionFolder, packagePath: file, dependencies: false, allowMissingRepository: true, skipLicense: true });
}

/** Builds and packages the extension and the development extension. */
export async function packageAll(): Promise<void> {
  await buildBundles();
  await packageVsix(root, vsixFile);
  await packageDevExtension();
}

/** Packages the development extension alone. */
export async function packageDevExtension(): Promise<void> {
  await packageVsix(join(root, 'tools', 'dev-extension'), devVsixFile);
}
