import { describeStory } from '../story';
import { azdata } from '../ways/azdata';
import { mssql } from '../ways/mssql';

for (const way of [mssql, azdata]) describeStory(way);
