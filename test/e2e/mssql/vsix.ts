/** The stand-in as a VSIX. */
import { build } from 'esbuild';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageVsix } from '../../../tools/build/vsix';
import { root } from '../../../tools/packages';

let packaged: Promise<string> | undefined;

/** Bundles the stand-in with its driver and packages it, once for all tests of a run. @returns the file to install */
export function packageStandIn(): Promise<string> {
  packaged ??= buildStandIn();
  return packaged;
}

async function buildStandIn(): Promise<string> {
  const source = join(root, 'test', 'e2e', 'mssql');
  const folder = join(root, 'artifacts', 'mssql-stand-in');
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'README.md', 'server.svg']) copyFileSync(join(source, name), join(folder, name));
  await build({
    entryPoints: [join(source, 'extension.ts')],
    outfile: join(folder, 'extension.js'),
    bundle: true,
    platform: 'node',
    target: 'node18',
    external: ['vscode'],
    logLevel: 'warning',
  });
  const file = join(root, 'artifacts', 'mssql-stand-in.vsix');
  await packageVsix(folder, file, ['--allow-missing-repository', '--skip-license']);
  return file;
}
