import type { Principal, Relation } from '../instance';
import type { World } from '../world';
import { listDatabases } from './databases';

/** What is asked for, by whom and when. */
export interface Asked {
  readonly database: string;
  readonly schema: string;
  readonly name: string;
  readonly principal: Principal;
  readonly nowUs: number;
}

type MakeView = (world: World, asked: Asked) => Relation;

const VIEWS: Readonly<Record<string, MakeView>> = {
  'sys.databases': (world) => listDatabases(world.databases.all, world.settingsVersion),
};

export function findRelation(world: World, asked: Asked): Relation | undefined {
  return VIEWS[`${asked.schema}.${asked.name}`.toLowerCase()]?.(world, asked);
}
