import { otherHostNames } from '../../../src/hosts/host';
import { describeStory } from '../story';
import type { Way } from '../ways/way';

/** Each other product's stand-in has its way beside it. */
for (const name of otherHostNames) {
  const { way } = require(`../${name}/way`) as { way: Way };
  describeStory(way);
}
