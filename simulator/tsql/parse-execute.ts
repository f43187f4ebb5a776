import { notModelled } from './errors';
import { parseExpression } from './parse-expression';
import type { Argument, Statement } from './statements';
import type { Expression } from './syntax';
import type { TokenReader } from './token-reader';
import { sqlError } from '../tds/messages';

/** EXEC ('text' + @text), EXEC @r = schema.name @a = 1, 'b' OUTPUT; a bare procedure name at the start of a batch. */
export function parseExecute(reader: TokenReader, line: number): Statement {
  if (!reader.take('EXEC')) reader.take('EXECUTE');
  if (reader.take('AS')) throw notModelled('EXECUTE AS', line);
  if (reader.is('(')) {
    const text = reader.parenthesised(() => parseExpression(reader));
    if (reader.isOneOf('AS', 'AT')) throw notModelled(`EXECUTE (...) ${reader.peek().upper}`, line);
    return { kind: 'executeText', text, line };
  }
  const result =
    reader.peek().kind === 'variable' && reader.peek(1).upper === '=' ? reader.variable() : undefined;
  if (result !== undefined) reader.next();
  const name = reader.peek().kind === 'variable' ? reader.variable() : reader.qualifiedName();
  if (reader.is(';') && reader.peek(1).kind === 'number') throw notModelled('a numbered procedure', line);
  const args = startsArgument(reader) ? reader.commaList(() => parseArgument(reader)) : [];
  checkOrder(args, line);
  if (reader.is('WITH', 'RESULT')) throw notModelled('EXECUTE ... WITH RESULT SETS', line);
  if (reader.take('WITH')) reader.expect('RECOMPILE');
  return { kind: 'executeProcedure', name, args, line, ...(result !== undefined && { result }) };
}

/** @throws SqlError 119. */
function checkOrder(args: readonly Argument[], line: number): void {
  const named = args.findIndex((each) => each.name !== undefined);
  const late = named < 0 ? -1 : args.findIndex((each, index) => index > named && each.name === undefined);
  if (late < 0) return;
  const rule =
    "as '@name = value'. After the form '@name = value' has been used, all subsequent parameters must be passed in the form '@name = value'.";
  throw sqlError(119, [late + 1, rule], line);
}

function startsArgument(reader: TokenReader): boolean {
  const { kind, upper } = reader.peek();
  return (
    ['string', 'nstring', 'number', 'variable', 'binary', 'quoted'].includes(kind) ||
    upper === '-' ||
    upper === 'NULL' ||
    upper === 'DEFAULT' ||
    isBareWord(reader)
  );
}

/** `EXEC sp_who active`: an unquoted word is a string, unless it starts a statement. */
function isBareWord(reader: TokenReader): boolean {
  return reader.isName() && !reader.is('THROW') && reader.peek().kind === 'word';
}

function parseArgument(reader: TokenReader): Argument {
  const named = reader.peek().kind === 'variable' && reader.peek(1).upper === '=';
  const name = named ? reader.variable() : undefined;
  if (named) reader.next();
  const value = parseArgumentValue(reader);
  const output = reader.isOneOf('OUTPUT', 'OUT') && reader.next() !== undefined;
  return { value, output, ...(name !== undefined && { name }) };
}

/** Only constants and variables, by the grammar of EXECUTE. */
function parseArgumentValue(reader: TokenReader): Expression {
  const { kind, text, line } = reader.peek();
  const negative = reader.is('-');
  if (negative) reader.next();
  if (!negative && (kind === 'quoted' || (kind === 'word' && reader.isName()))) {
    reader.next();
    return { kind: 'literal', type: 'string', text, line };
  }
  const token = reader.next();
  if (token.upper === 'NULL') return { kind: 'literal', type: 'null', text: '', line };
  if (token.upper === 'DEFAULT') return { kind: 'literal', type: 'default', text: '', line };
  if (token.kind === 'variable' && !negative) return { kind: 'variable', name: token.text, line };
  if (
    token.kind !== 'number' &&
    token.kind !== 'string' &&
    token.kind !== 'nstring' &&
    token.kind !== 'binary'
  )
    throw reader.unexpected(token);
  const literal: Expression = { kind: 'literal', type: token.kind, text: token.text, line };
  return negative ? { kind: 'unary', operator: '-', operand: literal, line } : literal;
}
