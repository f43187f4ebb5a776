import { notModelled } from './errors';
import { parseInteger } from './parse-declare';
import type { Statement } from './statements';
import type { TokenReader } from './token-reader';

/**
 * `ALTER DATABASE { name | CURRENT } SET TARGET_RECOVERY_TIME = n { SECONDS | MINUTES } [WITH termination]`, with a
 * unit and without other options (docs/facts.md, SQL Server 2). Every other option, and ALTER AVAILABILITY GROUP, is
 * refused by name.
 */
export function parseAlterDatabase(reader: TokenReader, line: number): Statement {
  if (reader.is('ALTER', 'AVAILABILITY')) throw notModelled('ALTER AVAILABILITY GROUP', line);
  reader.expect('ALTER', 'DATABASE');
  const current = reader.take('CURRENT');
  const database = current ? undefined : reader.name();
  if (!reader.is('SET')) {
    if (!reader.isOneOf('MODIFY', 'ADD', 'REMOVE', 'COLLATE', 'SCOPED')) throw reader.unexpected();
    throw notModelled(`ALTER DATABASE ... ${reader.peek().upper}`, line);
  }
  reader.next();
  const option = reader.peek();
  if (option.upper !== 'TARGET_RECOVERY_TIME')
    throw notModelled(`ALTER DATABASE ... SET ${option.upper}`, line);
  reader.expect('TARGET_RECOVERY_TIME', '=');
  const amount = parseInteger(reader);
  if (amount < 0) throw reader.unexpected(reader.peek(-1));
  const seconds = reader.expectOneOf('SECONDS', 'MINUTES') === 'MINUTES' ? amount * 60 : amount;
  if (reader.is(',')) throw reader.unexpected();
  if (reader.take('WITH')) parseTermination(reader);
  return { kind: 'targetRecoveryTime', seconds, line, ...(database !== undefined && { database }) };
}

function parseTermination(reader: TokenReader): void {
  if (reader.take('NO_WAIT') || reader.take('ROLLBACK', 'IMMEDIATE')) return;
  reader.expect('ROLLBACK');
  throw notModelled('WITH ROLLBACK AFTER', reader.line);
}
