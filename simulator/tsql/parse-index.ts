/** CREATE INDEX of #temporary tables, which has no effect here: only a unique one would. */
import { notModelled } from './errors';
import { parseKeyColumns } from './parse-declare';
import type { Statement } from './statements';
import type { TokenReader } from './token-reader';

export function parseCreateIndex(reader: TokenReader, line: number): Statement {
  reader.expect('CREATE');
  if (reader.is('UNIQUE')) throw notModelled('CREATE UNIQUE INDEX', line);
  if (reader.isOneOf('CLUSTERED', 'NONCLUSTERED')) reader.next();
  reader.expect('INDEX');
  const name = reader.name();
  reader.expect('ON');
  const table = reader.qualifiedName();
  if (!(table[table.length - 1] as string).startsWith('#')) throw notModelled(`CREATE INDEX on ${table.join('.')}`, line);
  const columns = parseKeyColumns(reader);
  if (reader.take('INCLUDE')) parseKeyColumns(reader);
  if (reader.is('WHERE')) throw notModelled('a filtered index', line);
  if (reader.is('WITH')) skipOptions(reader);
  return { kind: 'createIndex', name, table, columns, line };
}

/** Skips `WITH (DATA_COMPRESSION = PAGE, ...)`, which changes no result; refuses the one option that would. */
function skipOptions(reader: TokenReader): void {
  reader.next();
  reader.parenthesised(() =>
    reader.commaList(() => {
      const option = reader.next().upper;
      if (option === 'IGNORE_DUP_KEY') throw notModelled('IGNORE_DUP_KEY', reader.line);
      if (reader.take('=')) reader.next();
    }),
  );
}
