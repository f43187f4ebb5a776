import { describeStory } from './story';
import { own } from './ways/own';

describeStory(own);
