import assert from 'node:assert/strict';
import type { ServerFacts } from '../../../src/core/advice/facts';
import {
  isAmazonRds,
  knowsAcceleratedRecovery,
  knowsDistributedGroups,
} from '../../../src/core/advice/platform';
import { databaseOf, serverOf } from './facts-of';

describe('Amazon RDS', () => {
  it('is where its own database is there, in any case', () => {
    const isRds = (...names: string[]): boolean =>
      isAmazonRds({ databases: names.map((name) => databaseOf({ databaseId: 5, name })) });
    assert.deepEqual([isRds('Sales', 'RDSAdmin'), isRds('Sales')], [true, false]);
  });
});

describe('What a release has', () => {
  const box = (productVersion: string): ServerFacts => serverOf({ productVersion });

  it('follows from its major version, and in Azure from the platform, whose version says 12', () => {
    assert.deepEqual([box('14.0.3456.2'), box('15.0.2000.5')].map(knowsAcceleratedRecovery), [false, true]);
    assert.deepEqual([box('12.0.6024.0'), box('13.0.1601.5')].map(knowsDistributedGroups), [false, true]);
    const azure = serverOf({ productVersion: '12.0.2000.8', engineEdition: 5 });
    assert.equal(knowsAcceleratedRecovery(azure), true);
  });
});
