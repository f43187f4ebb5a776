import assert from 'node:assert/strict';
import { type Sbom, selectShipped } from '../../tools/build/sbom';

const component = (name: string, version = '1.0.0'): Sbom['components'][number] => ({
  'bom-ref': `${name}@${version}`,
  name,
  version,
});
const sbom: Sbom = {
  metadata: { component: component('folder') },
  components: [
    component('tedious', '18.6.2'),
    component('bl', '6.1.6'),
    component('bl', '4.0.0'),
    component('webpack'),
  ],
  dependencies: [
    { ref: 'folder@1.0.0', dependsOn: ['tedious@18.6.2', 'webpack@1.0.0'] },
    { ref: 'tedious@18.6.2', dependsOn: ['bl@6.1.6', '@azure/identity@1.0.0'] },
    { ref: 'bl@6.1.6' },
    { ref: 'webpack@1.0.0', dependsOn: [] },
  ],
};
const RULE = `\n\n${'-'.repeat(80)}\n\n`;
const notice = (title: string): string => `${title}\nLicense: MIT\n\n\nPermission is hereby granted`;

describe('The bill of materials of the package', () => {
  it('names what is in the bundles and nothing that only builds them, under the name of the extension', () => {
    const notices = ['Checkpoint Health contains …', notice('bl 6.1.6'), notice('tedious 18.6.2')].join(RULE);
    const shipped = selectShipped(sbom, notices, 'checkpoint-health');
    assert.equal(shipped.metadata.component.name, 'checkpoint-health');
    assert.deepEqual(
      shipped.components.map((one) => one['bom-ref']),
      ['tedious@18.6.2', 'bl@6.1.6'],
    );
    assert.deepEqual(shipped.dependencies, [
      { ref: 'folder@1.0.0', dependsOn: ['tedious@18.6.2'] },
      { ref: 'tedious@18.6.2', dependsOn: ['bl@6.1.6'] },
      { ref: 'bl@6.1.6', dependsOn: [] },
    ]);
  });

  it('is not written if something is shipped that npm does not know', () => {
    const notices = ['Checkpoint Health contains …', notice('left-pad 1.3.0')].join(RULE);
    assert.throws(
      () => selectShipped(sbom, notices, 'x'),
      /npm does not know what is shipped: left-pad 1\.3\.0/,
    );
  });
});
