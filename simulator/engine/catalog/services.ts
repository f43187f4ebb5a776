import type { World } from '../world/world';
import { INSTANCES } from '../../scenarios/platform';
import { field, nvarchar, sqlVariant, type Field, unmodelled } from './relation';
import { physicalNames } from '../databases/database-files';
import { view, type CatalogObject } from './object';

interface RegistryValue {
  readonly name: string;
  readonly value: string;
}

/** A few of the values that every installation has. */
function listRegistry(world: World): readonly RegistryValue[] {
  const { server } = world.scenario;
  const [major, minor, build] = server.build.version;
  const { traceFlags = [], checkpointMbPerSecond } = server;
  const options = [
    ...traceFlags.map((flag) => `-T${flag}`),
    ...(checkpointMbPerSecond === undefined ? [] : [`-k${checkpointMbPerSecond}`]),
  ];
  const master = world.databases.byId(1);
  const [data = '', log = ''] = master === undefined ? [] : physicalNames(master);
  const args = [`-d${data}`, `-e${server.logDirectory}\\ERRORLOG`, `-l${log}`, ...options];
  return [
    { name: 'ObjectName', value: 'NT Service\\MSSQLSERVER' },
    { name: 'CurrentVersion', value: `${major}.${minor}.${build}.0` },
    ...args.map((value, i) => ({ name: `SQLArg${i}`, value })),
  ];
}

/** Microsoft Learn, "sys.dm_server_registry". */
const REGISTRY: readonly Field<RegistryValue>[] = [
  field('value_name', nvarchar(256), (r) => r.name),
  field('value_data', sqlVariant, (r) => ({ type: nvarchar(512), value: r.value })),
  ...unmodelled('registry_key'),
];

/** It takes VIEW SERVER SECURITY STATE since 2022. */
export const SERVICE_OBJECTS: readonly CatalogObject[] = [
  view(
    'sys.dm_server_registry',
    REGISTRY,
    (world) => (world.scenario.server.platform === 'linux' ? [] : listRegistry(world)),
    { needs: 'VIEW SERVER SECURITY STATE', presence: { on: INSTANCES } },
  ),
];
