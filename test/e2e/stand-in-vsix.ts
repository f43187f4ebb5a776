/** A stand-in for another product's extension as a VSIX. */
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageVsix } from '../../tools/build/vsix';
import { root } from '../../tools/packages';

interface StandIn {
  /** Its folder below test/e2e, with extension.ts, and how the package is called. */
  readonly name: string;
  /** Copied as they are. */
  readonly files: readonly string[];
  /** The manifest, where it is not the folder's own package.json. */
  readonly writeManifest?: (file: string) => string;
}

const packaged = new Map<string, Promise<string>>();

/** Bundles a stand-in with its driver and packages it, once for all tests of a run. @returns the file to install */
export function packageStandIn(standIn: StandIn): Promise<string> {
  const known = packaged.get(standIn.name) ?? buildStandIn(standIn);
  packaged.set(standIn.name, known);
  return known;
}

async function buildStandIn({ name, files, writeManifest }: StandIn): Promise<string> {
  const source = join(root, 'test', 'e2e', name);
  const folder = join(root, 'artifacts', `${name}-stand-in`);
  mkdirSync(folder, { recursive: true });
  for (const file of files) copyFileSync(join(source, file), join(folder, file));
  const manifest = join(source, 'package.json');
  if (writeManifest === undefined) copyFileSync(manifest, join(folder, 'package.json'));
  else writeFileSync(join(folder, 'package.json'), writeManifest(manifest));
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
