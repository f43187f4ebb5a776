import type { SqlValue } from '../../tds/handler';
import { readFileTarget } from '../event-file-reader';
import type { Relation } from '../instance';
import { requireViewServerState } from '../permissions';
import type { World } from '../world';
import type { Asked } from './views';

type MakeRows = (world: World, args: readonly SqlValue[], asked: Asked) => Relation;

const FUNCTIONS: Readonly<Record<string, MakeRows>> = {
  'sys.fn_xe_file_target_read_file': (world, args) => readFileTarget(world.disk, args, world.xml),
};

export function findFunction(world: World, asked: Asked, args: readonly SqlValue[]): Relation | undefined {
  const make = FUNCTIONS[`${asked.schema}.${asked.name}`.toLowerCase()];
  if (make === undefined) return undefined;
  requireViewServerState(asked.principal.login);
  return make(world, args, asked);
}
