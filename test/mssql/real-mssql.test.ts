import { describeStory } from '../e2e/story';
import { realMssql } from './real-mssql';

describeStory(realMssql);
