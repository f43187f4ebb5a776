import { cycleErrorLog } from './error-log-startup';
import { errors } from './errors';
import type { ErrorLogs } from './instance';
import type { World } from './world';

/** The error log and its archives, as of the moment of asking. */
export function makeErrorLogs(world: World): ErrorLogs {
  const log = (): World['errorLog'] => {
    world.catchUp();
    return world.errorLog;
  };
  return {
    list: () => log().list(),
    read: (number) => log().read(number),
    cycle(principal) {
      if (!world.permissions.holds(principal.login, 'CONTROL SERVER')) throw errors.dbccDenied('ERRORLOG');
      const nowUs = world.catchUp();
      cycleErrorLog(world.errorLog, { server: world.scenario.server, databases: world.databases.all }, `spid${principal.spid}`, nowUs);
    },
  };
}
