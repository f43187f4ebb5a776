/** The stand-in as a VSIX. */
import { build } from 'esbuild';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageVsix } from '../../../tools/build/vsix';
import { root } from '../../../tools/packages';

/** Bundles the stand-in with its driver and packages it. @returns the file to install */
export async function packageAzdataStandIn(): Promise<string> {
  const source = join(root, 'test', 'e2e', 'azdata');
  const folder = join(root, 'artifacts', 'azdata-stand-in');
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'README.md', 'servers.svg']) copyFileSync(join(source, name), join(folder, name));
  await build({
    entryPoints: [join(source, 'extension.ts')],
    outfile: join(folder, 'extension.js'),
    bundle: true,
    platform: 'node',
    target: 'node18',
    external: ['vscode'],
    logLevel: 'warning',
  });
  const file = join(root, 'artifacts', 'azdata-stand-in.vsix');
  await packageVsix(folder, file, ['--allow-missing-repository', '--skip-license']);
  return file;
}
