/** SET: variables, cursor variables and session options. */
import { notModelled } from './errors';
import { parseExpression } from './parse-expression';
import { parseAssignment } from './parse-query';
import type { Statement } from './statements';
import type { TokenReader } from './token-reader';
import { wordSet } from './word-set';

export function parseSet(reader: TokenReader, line: number): Statement {
  reader.expect('SET');
  if (reader.peek().kind === 'variable') return parseSetVariable(reader, line);
  if (reader.take('TRANSACTION', 'ISOLATION', 'LEVEL') || reader.take('TRAN', 'ISOLATION', 'LEVEL'))
    return parseIsolation(reader, line);
  const option = reader.peek().upper;
  if (onOff.has(option)) return parseOnOff(reader, line);
  if (option === 'STATISTICS') throw notModelled('SET STATISTICS', line);
  if (option === 'IDENTITY_INSERT') throw notModelled('SET IDENTITY_INSERT', line);
  if (!valued.has(option)) throw reader.unexpected();
  reader.next();
  return { kind: 'setOption', option, value: parseOptionValue(reader), line };
}

const onOff =
  wordSet(`NOCOUNT XACT_ABORT NOEXEC PARSEONLY FMTONLY IMPLICIT_TRANSACTIONS ANSI_NULLS ANSI_PADDING ANSI_WARNINGS ANSI_DEFAULTS ARITHABORT ARITHIGNORE
  CONCAT_NULL_YIELDS_NULL NUMERIC_ROUNDABORT QUOTED_IDENTIFIER ANSI_NULL_DFLT_ON ANSI_NULL_DFLT_OFF CURSOR_CLOSE_ON_COMMIT REMOTE_PROC_TRANSACTIONS
  SHOWPLAN_ALL SHOWPLAN_TEXT SHOWPLAN_XML FORCEPLAN NO_BROWSETABLE`);
const valued = wordSet(`ROWCOUNT TEXTSIZE LOCK_TIMEOUT DEADLOCK_PRIORITY LANGUAGE DATEFORMAT DATEFIRST
  QUERY_GOVERNOR_COST_LIMIT CONTEXT_INFO`);

function parseSetVariable(reader: TokenReader, line: number): Statement {
  if (reader.peek(1).upper === '=' && reader.peek(2).upper === 'CURSOR')
    throw notModelled('a cursor variable', line);
  if (reader.peek(1).upper === '.') throw notModelled('SET @xml.modify', line);
  const assignment = parseAssignment(reader);
  if (assignment === undefined) throw reader.unexpected(reader.peek(1));
  return { kind: 'set', name: assignment.variable, value: assignment.expression, line };
}

/** `SET ANSI_NULLS, QUOTED_IDENTIFIER ON` sets several: kept as one option whose name lists them. */
function parseOnOff(reader: TokenReader, line: number): Statement {
  const options = reader.commaList(() => {
    if (!onOff.has(reader.peek().upper)) throw reader.unexpected();
    return reader.next().upper;
  });
  return { kind: 'setOption', option: options.join(','), value: reader.expectOneOf('ON', 'OFF'), line };
}

function parseIsolation(reader: TokenReader, line: number): Statement {
  const level = reader.expectOneOf('READ', 'REPEATABLE', 'SNAPSHOT', 'SERIALIZABLE');
  if (level === 'READ')
    return {
      kind: 'setOption',
      option: 'ISOLATION',
      value: `READ ${reader.expectOneOf('COMMITTED', 'UNCOMMITTED')}`,
      line,
    };
  if (level === 'REPEATABLE') reader.expect('READ');
  return { kind: 'setOption', option: 'ISOLATION', value: level, line };
}

function parseOptionValue(reader: TokenReader): Extract<Statement, { kind: 'setOption' }>['value'] {
  const { kind } = reader.peek();
  if (kind === 'word' || kind === 'quoted') return reader.next().text.toUpperCase();
  return parseExpression(reader);
}
