/** ALTER TABLE: adds or drops columns of #temporary tables. */
import { notModelled } from './errors';
import { parseTableElements } from './parse-declare';
import type { Statement } from './statements';
import type { TokenReader } from './token-reader';

export function parseAlterTable(reader: TokenReader, line: number): Statement {
  reader.expect('ALTER', 'TABLE');
  const name = reader.qualifiedName();
  if (!(name[name.length - 1] as string).startsWith('#')) throw notModelled(`ALTER TABLE ${name.join('.')}`, line);
  if (reader.take('ADD')) return { kind: 'alterTable', name, add: parseTableElements(reader), line };
  if (reader.take('DROP', 'COLUMN')) {
    const ifExists = reader.take('IF', 'EXISTS');
    return { kind: 'alterTable', name, drop: reader.commaList(() => reader.name()), ifExists, line };
  }
  if (!reader.isOneOf('ALTER', 'DROP', 'WITH', 'CHECK', 'NOCHECK', 'ENABLE', 'DISABLE', 'SWITCH', 'SET', 'REBUILD'))
    throw reader.unexpected();
  throw notModelled(`ALTER TABLE ... ${reader.peek().upper}`, line);
}
