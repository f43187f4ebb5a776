import type { RegisteredServer } from '../../scenarios/scenario';
import type { World } from '../world/world';
import { view, type CatalogObject } from './object';
import { bit, field, int, need, nvarchar, sysname, type Field } from './relation';

interface Group {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly parentId: number | null;
  /** '': one of the five that are always there. */
  readonly path: string;
}

interface Registration extends RegisteredServer {
  readonly id: number;
  readonly groupId: number;
}

/** The groups that msdb begins with, by server_type. The first is that of the Database Engine. */
const ROOTS = [
  'DatabaseEngineServerGroup',
  'AnalysisServicesServerGroup',
  'ReportingServicesServerGroup',
  'IntegrationServicesServerGroup',
  'SqlServerCompactEditionServerGroup',
].map((name, type): Group => ({ id: type + 1, name, type, parentId: null, path: '' }));

function listGroups({ registered }: World): readonly Group[] {
  const groups = [...ROOTS];
  for (const { group } of registered) {
    const names = group.split('/').filter((name) => name !== '');
    names.forEach((name, depth) => {
      const path = names.slice(0, depth + 1).join('/');
      if (groups.some((each) => each.path === path)) return;
      const parent = groups.find((each) => each.path === names.slice(0, depth).join('/')) ?? ROOTS[0];
      groups.push({ id: groups.length + 1, name, type: 0, parentId: parent?.id ?? null, path });
    });
  }
  return groups;
}

function listRegistrations(world: World): readonly Registration[] {
  const groups = listGroups(world);
  return world.registered.map((each, at) => ({
    ...each,
    id: at + 1,
    groupId: groups.find(({ path }) => path === each.group)?.id ?? 1,
  }));
}

/** Not documented by Microsoft; columns as published queries of central management servers use them. */
const GROUPS: readonly Field<Group>[] = [
  need('server_group_id', int, (g) => g.id),
  need('name', sysname, (g) => g.name),
  need('description', nvarchar(2048), () => ''),
  need('server_type', int, (g) => g.type),
  field('parent_id', int, (g) => g.parentId),
  field('is_system_object', bit, (g) => g.parentId === null),
];

const SERVERS: readonly Field<Registration>[] = [
  need('server_id', int, (s) => s.id),
  field('server_group_id', int, (s) => s.groupId),
  need('name', sysname, (s) => s.name),
  need('server_name', sysname, (s) => s.server),
  need('description', nvarchar(2048), () => ''),
  need('server_type', int, () => 0),
];

/** Roles of msdb are not modelled: like all of msdb, they are read by those who may do everything. */
const IN_MSDB = { database: 'msdb', needs: 'CONTROL SERVER' } as const;

export const REGISTERED_OBJECTS: readonly CatalogObject[] = [
  view('dbo.sysmanagement_shared_server_groups', GROUPS, listGroups, IN_MSDB),
  view('dbo.sysmanagement_shared_registered_servers', SERVERS, listRegistrations, IN_MSDB),
];
