import { notModelled } from './errors';
import { parseAvailabilityGroup } from './parse-availability-group';
import { parseInteger } from './parse-declare';
import type { Statement } from './statements';
import type { TokenReader } from './token-reader';

/**
 * `ALTER DATABASE { name | CURRENT } SET TARGET_RECOVERY_TIME = n { SECONDS | MINUTES } [WITH termination]`, with a unit and without other options
 * (docs/facts.md, SQL Server 2), and `SET HADR`. Every other option is refused by name. ALTER AVAILABILITY GROUP has a file of its own.
 */
export function parseAlterDatabase(reader: TokenReader, line: number): Statement {
  if (reader.is('ALTER', 'AVAILABILITY')) return parseAvailabilityGroup(reader, line);
  reader.expect('ALTER', 'DATABASE');
  const current = reader.take('CURRENT');
  const database = current ? undefined : reader.name();
  if (!reader.is('SET')) {
    if (!reader.isOneOf('MODIFY', 'ADD', 'REMOVE', 'COLLATE', 'SCOPED')) throw reader.unexpected();
    throw notModelled(`ALTER DATABASE ... ${reader.peek().upper}`, line);
  }
  reader.next();
  const option = reader.peek();
  if (reader.take('HADR')) return parseHadr(reader, line, database);
  if (option.upper !== 'TARGET_RECOVERY_TIME') {
    if (!knownOptions.has(option.upper)) throw reader.unexpected();
    throw notModelled(`ALTER DATABASE ... SET ${option.upper}`, line);
  }
  reader.expect('TARGET_RECOVERY_TIME', '=');
  const amount = parseInteger(reader);
  if (amount < 0) throw reader.unexpected(reader.peek(-1));
  const seconds = reader.expectOneOf('SECONDS', 'MINUTES') === 'MINUTES' ? amount * 60 : amount;
  if (reader.is(',')) throw reader.unexpected();
  if (reader.take('WITH')) parseTermination(reader);
  return { kind: 'targetRecoveryTime', seconds, line, ...(database !== undefined && { database }) };
}

/** `SET HADR { SUSPEND | RESUME }`. */
function parseHadr(reader: TokenReader, line: number, database: string | undefined): Statement {
  if (reader.isOneOf('AVAILABILITY', 'OFF')) throw notModelled(`ALTER DATABASE ... SET HADR ${reader.peek().upper}`, line);
  const action = reader.expectOneOf('SUSPEND', 'RESUME') as 'SUSPEND' | 'RESUME';
  return { kind: 'dataMovement', action, line, ...(database !== undefined && { database }) };
}

function parseTermination(reader: TokenReader): void {
  if (reader.take('NO_WAIT') || reader.take('ROLLBACK', 'IMMEDIATE')) return;
  reader.expect('ROLLBACK', 'AFTER');
  parseInteger(reader);
  reader.take('SECONDS');
}

const knownOptions = new Set(
  (
    'ACCELERATED_DATABASE_RECOVERY ALLOW_SNAPSHOT_ISOLATION ANSI_NULLS ANSI_NULL_DEFAULT ANSI_PADDING ANSI_WARNINGS ARITHABORT AUTO_CLOSE ' +
    'AUTO_CREATE_STATISTICS AUTO_SHRINK AUTO_UPDATE_STATISTICS AUTO_UPDATE_STATISTICS_ASYNC CHANGE_TRACKING COMPATIBILITY_LEVEL CONCAT_NULL_YIELDS_NULL ' +
    'CONTAINMENT CURSOR_CLOSE_ON_COMMIT CURSOR_DEFAULT DATE_CORRELATION_OPTIMIZATION DB_CHAINING DELAYED_DURABILITY EMERGENCY ENABLE_BROKER ENCRYPTION ' +
    'FILESTREAM HADR MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT MIXED_PAGE_ALLOCATION MULTI_USER NUMERIC_ROUNDABORT OFFLINE ONLINE PAGE_VERIFY PARAMETERIZATION ' +
    'PARTNER QUERY_STORE QUOTED_IDENTIFIER READ_COMMITTED_SNAPSHOT READ_ONLY READ_WRITE RECOVERY RECURSIVE_TRIGGERS RESTRICTED_USER SINGLE_USER TRUSTWORTHY ' +
    'TWO_DIGIT_YEAR_CUTOFF WITNESS'
  ).split(' '),
);
