import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../packages';
import { packageVsix } from './vsix';

/** The packaged provider MSSQL for Azure Data Studio. */
export const azdataProviderVsix = join(root, 'artifacts', 'azdata-provider.vsix');

/** Bundles and packages test/azdata/provider for the Node inside Azure Data Studio 1.47. */
export async function packageAzdataProvider(): Promise<void> {
  const source = join(root, 'test', 'azdata', 'provider');
  const staged = join(root, 'artifacts', 'azdata-provider');
  mkdirSync(staged, { recursive: true });
  await build({
    entryPoints: [join(source, 'extension.ts')],
    bundle: true,
    platform: 'node',
    target: 'node16.17',
    external: ['vscode', 'azdata'],
    outfile: join(staged, 'extension.js'),
    logLevel: 'warning',
  });
  copyFileSync(join(source, 'package.json'), join(staged, 'package.json'));
  await packageVsix(staged, azdataProviderVsix, ['--allow-missing-repository', '--skip-license']);
}
