/** The name and end of a transaction. */
import { notModelled } from './errors';
import type { Statement } from './statements';
import type { TokenReader } from './token-reader';

/** A name or `@variable`. After TRAN any word that is not reserved is a name, even THROW. */
export function parseTransactionName(reader: TokenReader): string {
  const name =
    reader.peek().kind === 'variable'
      ? reader.variable()
      : reader.isName() && reader.peek(1).upper !== ':'
        ? reader.name()
        : '';
  if (reader.is('WITH', 'MARK')) throw notModelled('WITH MARK of a transaction', reader.line);
  return name;
}

export function parseTransactionEnd(
  reader: TokenReader,
  line: number,
  action: 'commit' | 'rollback',
): Statement {
  reader.next();
  const named = reader.isOneOf('TRAN', 'TRANSACTION', 'WORK') && reader.next().upper !== 'WORK';
  const name = named ? parseTransactionName(reader) : '';
  if (action === 'commit' && reader.is('WITH')) throw notModelled('COMMIT ... WITH', line);
  return { kind: 'transaction', action, name, line };
}
