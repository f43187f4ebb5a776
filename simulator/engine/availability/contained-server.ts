import type { ModelledServer } from '../modelled-server';
import type { World } from '../world';
import { makeContainedWorld } from './contained-world';
import { errors } from './errors';
import type { Group } from './group';
import type { Topology } from './topology';

/** A server as connections through the listener of a contained group see it. */
export interface ContainedServer {
  readonly group: Group;
  readonly server: ModelledServer;
}

/** One for each replica of each contained group: any of them may become the primary. */
export function makeContainedServers({ groups, worlds }: Topology, make: (world: World) => ModelledServer): readonly ContainedServer[] {
  return groups
    .filter(({ kind }) => kind === 'contained')
    .flatMap((group) =>
      group.replicas.flatMap(({ description }) => {
        const world = worlds.get(description.server);
        return world === undefined ? [] : [{ group, server: contain(make(makeContainedWorld(world, group)), world) }];
      }),
    );
}

/**
 * The group's msdb is empty, and of the logins only those of sysadmin are there (Microsoft Learn, "What is a contained availability group?", Contained system
 * databases). Commands about groups are instance level.
 */
function contain(server: ModelledServer, world: World): ModelledServer {
  const { availability } = server;
  const isThere = (user: string): boolean => world.permissions.isServerRoleMember('sysadmin', user) === 1;
  const own: Partial<ModelledServer> = {
    authenticate: (user, password) => server.authenticate(user, password) && isThere(user),
    authenticateWindows: (user, knows) => server.authenticateWindows(user, knows) && isThere(user),
    findTokenLogin: (token) => [server.findTokenLogin(token)].find((login) => login !== undefined && isThere(login.name)),
    relation(database, schema, name, principal) {
      const found = server.relation(database, schema, name, principal);
      return database === 'msdb' && schema === 'dbo' && found !== undefined ? { ...found, rows: () => [] } : found;
    },
    ...(availability && {
      availability: Object.assign(Object.create(availability) as typeof availability, {
        failOver: () => Promise.reject(errors.fromContainedConnection()),
      }),
    }),
  };
  return Object.assign(Object.create(server) as ModelledServer, own);
}
