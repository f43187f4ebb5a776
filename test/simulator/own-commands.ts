import assert from 'node:assert/strict';
import type { Ledger } from '../../simulator/engine/ledger/ledger';

/** As our own driver calls itself at its login. */
export const ourApplication = 'Checkpoint Health';

/** All that we may ever change on a server: our own event session. */
const own = /^(CREATE|ALTER|DROP) EVENT SESSION CheckpointHealth$/;

/**
 * Fails where the server was given a command by us that is not about our own event session, refused or not.
 * @param isOurs which clients are we
 */
export function assertOnlyOwnCommands(
  ledger: Ledger,
  isOurs = (application: string): boolean => application === ourApplication,
): void {
  const foreign = ledger.commands.filter(
    ({ application, command }) => isOurs(application) && !own.test(command),
  );
  assert.deepEqual(foreign, [], 'commands that the extension must never give');
}
