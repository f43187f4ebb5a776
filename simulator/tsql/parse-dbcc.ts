/** DBCC command [(arguments)] [WITH options]. Commands that are not modelled are refused by name. */
import { notModelled } from './errors';
import { parseInteger } from './parse-declare';
import { dbccCommands, type DbccCommand, type Statement } from './statements';
import type { TokenReader } from './token-reader';

export function parseDbcc(reader: TokenReader, line: number): Statement {
  reader.expect('DBCC');
  const command = reader.next().upper;
  if (!isModelled(command)) throw notModelled(`DBCC ${command}`, line);
  const args = reader.is('(') ? parseArguments(reader) : [];
  let silent = false;
  if (reader.take('WITH'))
    reader.commaList(() => {
      silent = reader.expectOneOf('NO_INFOMSGS', 'TABLERESULTS') === 'NO_INFOMSGS' || silent;
      if (reader.peek(-1).upper === 'TABLERESULTS')
        throw notModelled(`DBCC ${command} WITH TABLERESULTS`, line);
    });
  return { kind: 'dbcc', command, args, silent, line };
}

const isModelled = (command: string): command is DbccCommand =>
  (dbccCommands as readonly string[]).includes(command);

/** Numbers, and words in upper case. */
function parseArguments(reader: TokenReader): readonly (number | string)[] {
  if (reader.is('(', ')')) return (reader.next(), reader.next(), []);
  return reader.parenthesised(() =>
    reader.commaList(() => {
      const { kind } = reader.peek();
      if (kind === 'number' || reader.is('-')) return parseInteger(reader);
      if (kind === 'variable') throw notModelled('a variable as an argument of DBCC', reader.line);
      return reader.next().text.toUpperCase();
    }),
  );
}
