/** The @@ functions. */
import type { SqlType } from '../tds/handler';
import type { SessionState } from './session-state';
import { int, nvarchar, type Value } from './types';

interface Typed {
  readonly type: SqlType;
  readonly value: Value;
}

export function readGlobal(name: string, session: SessionState): Typed | undefined {
  const { instance, version } = session.host;
  const [major, minor, build] = version;
  const smallint: SqlType = { name: 'smallint' };
  switch (name) {
    case '@@VERSION':
      return { type: nvarchar(300), value: instance.versionText };
    case '@@SERVERNAME':
      return {
        type: nvarchar(128),
        value: instance.registeredName === undefined ? session.host.serverName : instance.registeredName,
      };
    case '@@SPID':
      return { type: smallint, value: session.spid };
    case '@@TRANCOUNT':
      return { type: int, value: session.transactions };
    case '@@ROWCOUNT':
      return { type: int, value: session.rowCount };
    case '@@ERROR':
      return { type: int, value: session.error };
    case '@@NESTLEVEL':
      return { type: int, value: session.nesting };
    case '@@LOCK_TIMEOUT':
      return { type: int, value: session.options.lockTimeout };
    case '@@OPTIONS':
      return { type: int, value: showOptions(session) };
    case '@@MICROSOFTVERSION':
      return { type: int, value: (major << 24) | (minor << 16) | build };
    default:
      return undefined;
  }
}

/**
 * Bits as Microsoft Learn lists them ("Configure the user options server configuration option"). Options that cannot be
 * switched off here are always on.
 */
function showOptions({ options }: SessionState): number {
  const bits: readonly (readonly [number, boolean])[] = [
    [2, options.implicitTransactions],
    [4, options.cursorCloseOnCommit],
    [8 + 16 + 32, true], // ANSI_WARNINGS, ANSI_PADDING, ANSI_NULLS
    [64, options.arithmeticAbort],
    [256, options.quotedIdentifier],
    [512, options.noCount],
    [1024, options.ansiNullDefault],
    [4096, true], // CONCAT_NULL_YIELDS_NULL
    [16_384, options.xactAbort],
  ];
  return bits.reduce((sum, [bit, isOn]) => sum + (isOn ? bit : 0), 0);
}
