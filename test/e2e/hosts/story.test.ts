import { describeStory } from '../story';
import { azdata } from '../ways/by-azdata';
import { mssql } from '../ways/by-mssql';

for (const way of [mssql, azdata]) describeStory(way);
