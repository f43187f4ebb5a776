import { notModelled } from './errors';
import type { Statement } from './statements';
import type { TokenReader } from './token-reader';

/** Other actions of ALTER AVAILABILITY GROUP. Microsoft Learn, "ALTER AVAILABILITY GROUP". */
const others = ['SET', 'ADD', 'REMOVE', 'MODIFY', 'JOIN', 'GRANT', 'DENY', 'OFFLINE', 'RESTART'];

/** `ALTER AVAILABILITY GROUP name { FAILOVER | FORCE_FAILOVER_ALLOW_DATA_LOSS }`; everything else is refused by name. */
export function parseAvailabilityGroup(reader: TokenReader, line: number): Statement {
  reader.expect('ALTER', 'AVAILABILITY', 'GROUP');
  const group = reader.name();
  if (reader.take('FAILOVER')) return { kind: 'failover', group, force: false, line };
  if (reader.take('FORCE_FAILOVER_ALLOW_DATA_LOSS')) return { kind: 'failover', group, force: true, line };
  if (!reader.isOneOf(...others)) throw reader.unexpected();
  throw notModelled(`ALTER AVAILABILITY GROUP ... ${reader.peek().upper}`, line);
}
