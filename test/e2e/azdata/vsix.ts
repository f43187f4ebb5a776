/** The stand-in as a VSIX. */
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageVsix } from '../../../tools/build/vsix';
import { root } from '../../../tools/packages';

/** Bundles the stand-in with its driver and packages it. @returns the file to install */
export async function packageAzdataStandIn(): Promise<string> {
  const source = join(root, 'test', 'e2e', 'azdata');
  const folder = join(root, 'artifacts', 'azdata-stand-in');
  mkdirSync(folder, { recursive: true });
  for (const name of ['README.md', 'servers.svg']) copyFileSync(join(source, name), join(folder, name));
  writeFileSync(join(folder, 'package.json'), writeManifest(join(source, 'package.json')));
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

interface Menus {
  readonly contributes: { readonly menus: Record<string, { readonly command: string; readonly when: string; readonly group: string }[]> };
}

/** The stand-in's manifest with the menu items that Checkpoint Health declares for Azure Data Studio's tree, which VS Code does not know. */
function writeManifest(file: string): string {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Menus;
  const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Menus;
  const items = (ours.contributes.menus['objectExplorer/item/context'] ?? []).map((item) => ({
    ...item,
    when: item.when.replace('connectionProvider == MSSQL && nodeType ==', 'view == dataExplorer.servers && viewItem =='),
  }));
  manifest.contributes.menus['view/item/context']?.push(...items);
  return JSON.stringify(manifest, null, 2);
}
