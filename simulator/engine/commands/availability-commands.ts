import { errors as serverErrors } from '../interface/errors';
import type { AvailabilityCommands, Principal } from '../interface/instance';
import type { World } from '../world/world';
import { errors } from '../availability/errors';
import { failOver } from '../availability/failover';
import { type DatabaseCopy, type Group } from '../availability/group';
import { writeDataMovement } from '../availability/messages';

/** The commands and questions of T-SQL about one server's availability groups. */
export function makeAvailabilityCommands(world: World): AvailabilityCommands {
  const findCopy = (database: string): DatabaseCopy | undefined => {
    const found = world.databases.byName(database);
    return world.availability?.copies.find((copy) => copy === found?.availability);
  };
  return {
    async failOver(name, force, principal, signal) {
      const nowUs = world.catchUp();
      const { group, topology } = requireGroup(world, name, principal);
      const doneUs = failOver({ group, target: world, force, topology }, nowUs);
      await world.clock.wait((doneUs - nowUs) / 1000, signal);
      world.catchUp();
    },
    moveData(database, action, principal) {
      const nowUs = world.catchUp();
      const found = world.databases.byName(database);
      const copy = findCopy(database);
      if (found === undefined || !world.permissions.holds(principal.login, 'ALTER ANY DATABASE'))
        throw serverErrors.cannotAlterDatabase(database);
      if (copy === undefined) throw serverErrors.alterRefused(errors.notInGroup(found.name));
      if (action === 'SUSPEND') copy.suspend(nowUs, 'SUSPEND_FROM_USER');
      else copy.resume();
      if (copy.isWritable) copy.database.log.suspendedAtUs = action === 'SUSPEND' ? nowUs : undefined;
      if (action === 'RESUME') world.availability?.resumed(copy, nowUs);
      writeDataMovement(world.errorLog, nowUs, principal.spid, found.name, action);
    },
    connectionEra: (database) => world.databases.byName(database)?.availability?.era ?? 0,
  };
}

/** @throws SqlError 15151 for a group that has no replica here, or for a login that may not alter it */
function requireGroup(
  world: World,
  name: string,
  principal: Principal,
): { readonly group: Group; readonly topology: NonNullable<World['availability']>['topology'] } {
  const { availability } = world;
  const group = availability?.findGroup(name);
  const isAllowed = world.permissions.holds(principal.login, 'ALTER ANY AVAILABILITY GROUP');
  if (availability === undefined || group === undefined || !isAllowed) throw errors.noSuchGroup(name);
  return { group, topology: availability.topology };
}
