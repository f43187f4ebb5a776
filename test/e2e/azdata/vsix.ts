/** The stand-in as a VSIX. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/packages';
import { packageStandIn } from '../stand-in-vsix';

/** @returns the file to install */
export function packageAzdataStandIn(): Promise<string> {
  return packageStandIn({ name: 'azdata', files: ['README.md', 'servers.svg'], writeManifest });
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
