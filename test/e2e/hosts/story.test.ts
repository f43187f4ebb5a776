import { everyHost } from '../../hosts/every-host';
import { describeStory } from '../story';

for (const { way } of Object.values(everyHost)) describeStory(way);
