import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../fail';
import { root } from '../packages';
import { runLeashed } from '../processes/leashed';
import { writeNativeNotice } from './vsix';

/** The bills of materials of the packaged extension: of the plain one, and of those of the platforms. */
export const sbomFiles = ['', '-platforms'].map((kind) =>
  join(root, 'artifacts', `checkpoint-health${kind}.cdx.json`),
);
const NOTICES_FILE = join(root, 'dist', 'THIRD-PARTY-NOTICES.txt');

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
}

/** What is read of CycloneDX; everything else stays as npm wrote it. */
export interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/**
 * The packages that are in the bundles, which the notices name. npm itself cannot tell: it knows what is installed, and
 * webpack takes a part of that.
 * @param name of the extension; npm names it after its folder
 * @throws Error if npm does not know a package that the notices name
 */
export function selectShipped(sbom: Sbom, notices: string, name: string): Sbom {
  const shipped = new Set(
    notices
      .split(/\n\n-{80}\n\n/)
      .flatMap((notice, at) => (at === 0 ? [] : [notice.split('\n', 1)[0] ?? ''])),
  );
  const components = sbom.components.filter((one) => shipped.has(`${one.name} ${one.version}`));
  for (const one of components) shipped.delete(`${one.name} ${one.version}`);
  if (shipped.size > 0) throw new Error(`npm does not know what is shipped: ${[...shipped].join(', ')}`);
  const { component } = sbom.metadata;
  const refs = new Set([component, ...components].map((one) => one['bom-ref']));
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ dependsOn = [], ...one }) => ({ ...one, dependsOn: dependsOn.filter((ref) => refs.has(ref)) }));
  return {
    ...sbom,
    metadata: { ...sbom.metadata, component: { ...component, name } },
    components,
    dependencies,
  };
}

/** Writes them for the extension that was packaged last. */
export async function writeSboms(): Promise<void> {
  if (!existsSync(NOTICES_FILE)) throw new Refusal('Nothing is packaged yet: run npm run package first.');
  const { exitCode, output } = await runLeashed(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--loglevel', 'error'],
    { cwd: root },
  );
  if (exitCode !== 0) throw new Refusal(`npm could not list the packages:\n${output}`);
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly name: string };
  const plain = readFileSync(NOTICES_FILE, 'utf8');
  for (const [at, notices] of [plain, plain + writeNativeNotice()].entries()) {
    const sbom = selectShipped(JSON.parse(output) as Sbom, notices, name);
    writeFileSync(sbomFiles[at] ?? '', `${JSON.stringify(sbom, null, 2)}\n`);
  }
}
