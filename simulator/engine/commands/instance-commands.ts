import { cycleErrorLog } from '../error-log/error-log-startup';
import { errors } from '../interface/errors';
import type { ErrorLogs, InstanceSettings, Principal } from '../interface/instance';
import type { World } from '../world/world';

/** What an administrator sets for the whole instance; each checks its permission. */
export function makeSettings(world: World): InstanceSettings {
  const requires = (principal: Principal, refused: ReturnType<typeof errors.notPermitted>): number => {
    if (!world.permissions.holds(principal.login, 'ALTER SETTINGS')) throw refused;
    return world.catchUp();
  };
  const turn = (
    state: 'on' | 'off',
    flags: readonly number[],
    scope: 'session' | 'global',
    principal: Principal,
  ): void => {
    if (!world.permissions.holds(principal.login, 'CONTROL SERVER'))
      throw errors.dbccDenied(`TRACE${state.toUpperCase()}`);
    const nowUs = world.catchUp();
    world.traceFlags.turn(state, flags, scope === 'global' ? undefined : principal.spid);
    for (const flag of flags) {
      const text = `DBCC TRACE${state.toUpperCase()} ${flag}, server process ID (SPID) ${principal.spid}.`;
      world.errorLog.write(
        nowUs,
        `spid${principal.spid}`,
        `${text} This is an informational message only; no user action is required.`,
      );
    }
    world.checkpointer.settingsChanged(nowUs);
  };
  return {
    configurations: () => world.configuration.list(),
    setConfiguration(id, value, principal) {
      const nowUs = requires(principal, errors.notPermitted());
      const message = world.configuration.change(id, value);
      world.errorLog.write(nowUs, `spid${principal.spid}`, message);
      return message;
    },
    reconfigure(withOverride, principal) {
      const nowUs = requires(principal, errors.reconfigureDenied());
      world.configuration.reconfigure(withOverride);
      world.checkpointer.settingsChanged(nowUs);
    },
    turnTraceFlagsOn: (flags, scope, principal) => turn('on', flags, scope, principal),
    turnTraceFlagsOff: (flags, scope, principal) => turn('off', flags, scope, principal),
    traceFlags: (principal) => world.traceFlags.list(principal.spid),
    forgetSession: (spid) => world.traceFlags.forget(spid),
  };
}

/** The error log and its archives, as they are at the moment of reading. */
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
      cycleErrorLog(
        world.errorLog,
        { server: world.scenario.server, databases: world.databases.all },
        `spid${principal.spid}`,
        nowUs,
      );
    },
  };
}
