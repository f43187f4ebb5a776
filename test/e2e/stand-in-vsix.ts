/** The stand-ins for other products' extensions, each as a VSIX. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageVsix } from '../../tools/build/vsix';
import { root } from '../../tools/packages';

const made = new Map<string, Promise<string>>();

/**
 * @param name of its folder here
 * @param files copied as they are
 * @param manifest made of the folder's own, where that is not copied
 * @returns the file to install, made once for all tests of a run
 */
export function packageStandIn(
  name: string,
  files: readonly string[],
  manifest?: (file: string) => string,
): Promise<string> {
  const packed = made.get(name) ?? buildStandIn(name, files, manifest);
  made.set(name, packed);
  return packed;
}

/** Bundles a stand-in with its driver and packages it. */
async function buildStandIn(
  name: string,
  files: readonly string[],
  manifest?: (file: string) => string,
): Promise<string> {
  const source = join(root, 'test', 'e2e', name);
  const folder = join(root, 'artifacts', `${name}-stand-in`);
  mkdirSync(folder, { recursive: true });
  for (const file of files) copyFileSync(join(source, file), join(folder, file));
  if (manifest) writeFileSync(join(folder, 'package.json'), manifest(join(source, 'package.json')));
  await build({
    entryPoints: [join(source, 'extension.ts')],
    outfile: join(folder, 'extension.js'),
    bundle: true,
    platform: 'node',
    target: 'node18',
    external: ['vscode'],
    logLevel: 'warning',
  });
  const file = `${folder}.vsix`;
  await packageVsix(folder, file, ['--allow-missing-repository', '--skip-license']);
  return file;
}
