/** DECLARE, CREATE TABLE and DROP TABLE. */
import { resolveCollation } from './collation';
import { notModelled } from './errors';
import { parseExpression } from './parse-expression';
import { parseTypeName } from './parse-type';
import type { Expression } from './syntax';
import type { KeyDefinition, Statement, TableColumn, TableDefinition } from './statements';
import type { TokenReader } from './token-reader';

export function parseDeclare(reader: TokenReader, line: number): Statement {
  reader.expect('DECLARE');
  if (reader.isName()) throw notModelled('a cursor', line);
  const name = reader.variable();
  reader.take('AS');
  if (reader.take('TABLE')) return { kind: 'declareTable', name, table: parseTableDefinition(reader), line };
  const variables = [parseVariable(reader, name)];
  while (reader.take(',')) {
    const next = reader.variable();
    reader.take('AS');
    if (reader.is('TABLE')) throw notModelled('a table variable declared together with others', reader.line);
    variables.push(parseVariable(reader, next));
  }
  return { kind: 'declare', variables, line };
}

function parseVariable(
  reader: TokenReader,
  name: string,
): { name: string; type: ReturnType<typeof parseTypeName>; value?: Expression } {
  if (reader.is('CURSOR')) throw notModelled('a cursor variable', reader.line);
  const type = parseTypeName(reader);
  return reader.take('=') ? { name, type, value: parseExpression(reader) } : { name, type };
}

/** Columns of tables here always compare with the server's collation. */
function requireOrdinary(collation: string, line: number): void {
  if (resolveCollation(collation) !== 'ci') throw notModelled(`a column with collation ${collation}`, line);
}

export function parseCreateTable(reader: TokenReader, line: number): Statement {
  reader.expect('CREATE', 'TABLE');
  const name = reader.qualifiedName();
  if (!(name[name.length - 1] as string).startsWith('#'))
    throw notModelled(`CREATE TABLE ${name.join('.')} (only #temporary tables are)`, line);
  return { kind: 'createTable', name, table: parseTableDefinition(reader), line };
}

export function parseDropTable(reader: TokenReader, line: number): Statement {
  reader.expect('DROP', 'TABLE');
  const ifExists = reader.take('IF', 'EXISTS');
  return { kind: 'dropTable', names: reader.commaList(() => reader.qualifiedName()), ifExists, line };
}

interface Building {
  readonly columns: TableColumn[];
  readonly keys: KeyDefinition[];
}

function parseTableDefinition(reader: TokenReader): TableDefinition {
  reader.expect('(');
  const definition = parseTableElements(reader);
  reader.expect(')');
  if (definition.columns.length === 0) throw reader.unexpected(reader.peek(-1));
  return definition;
}

function parseTableElements(reader: TokenReader): TableDefinition {
  const building: Building = { columns: [], keys: [] };
  do {
    if (reader.is(')')) break;
    if (reader.isOneOf('PRIMARY', 'UNIQUE', 'CONSTRAINT', 'INDEX', 'CHECK', 'FOREIGN'))
      parseTableConstraint(reader, building);
    else parseColumn(reader, building);
  } while (reader.take(','));
  const primary =
    building.keys.find((key) => key.primary)?.columns.map((column) => column.toLowerCase()) ?? [];
  return {
    keys: building.keys,
    columns: building.columns.map((column) =>
      primary.includes(column.name.toLowerCase()) ? { ...column, nullable: false } : column,
    ),
  };
}

function parseTableConstraint(reader: TokenReader, building: Building): void {
  const name = reader.take('CONSTRAINT') ? reader.name() : undefined;
  if (reader.isOneOf('CHECK', 'FOREIGN', 'INDEX'))
    throw notModelled(`${reader.peek().upper} constraints`, reader.line);
  const primary = parseKeyWord(reader);
  building.keys.push({ primary, columns: parseKeyColumns(reader), ...(name !== undefined && { name }) });
}

function parseKeyWord(reader: TokenReader): boolean {
  const primary = reader.take('PRIMARY');
  if (primary) reader.expect('KEY');
  else reader.expect('UNIQUE');
  parseClustering(reader);
  return primary;
}

function parseClustering(reader: TokenReader): void {
  reader.take('UNIQUE');
  if (reader.isOneOf('CLUSTERED', 'NONCLUSTERED')) reader.next();
}

function parseKeyColumns(reader: TokenReader): readonly string[] {
  return reader.parenthesised(() =>
    reader.commaList(() => {
      const name = reader.name();
      if (reader.isOneOf('ASC', 'DESC')) reader.next();
      return name;
    }),
  );
}

function parseColumn(reader: TokenReader, building: Building): void {
  const name = reader.name();
  if (reader.is('AS')) throw notModelled('computed columns', reader.line);
  const type = parseTypeName(reader);
  let column: TableColumn = { name, type, nullable: true };
  let constraint: string | undefined;
  for (;;) {
    if (reader.take('NOT', 'NULL')) column = { ...column, nullable: false };
    else if (reader.take('NULL')) column = { ...column, nullable: true };
    else if (reader.take('CONSTRAINT')) constraint = reader.name();
    else if (reader.take('IDENTITY'))
      column = { ...column, nullable: false, identity: parseIdentity(reader) };
    else if (reader.take('DEFAULT')) column = { ...column, defaultValue: parseExpression(reader) };
    else if (reader.isOneOf('PRIMARY', 'UNIQUE'))
      building.keys.push({
        primary: parseKeyWord(reader),
        columns: [name],
        ...(constraint !== undefined && { name: constraint }),
      });
    else if (reader.take('COLLATE')) requireOrdinary(reader.name(), reader.line);
    else if (reader.isOneOf('CHECK', 'REFERENCES', 'SPARSE', 'ROWGUIDCOL', 'INDEX', 'GENERATED'))
      throw notModelled(`${reader.peek().upper} in a column definition`, reader.line);
    else break;
  }
  building.columns.push(column);
}

function parseIdentity(reader: TokenReader): { seed: number; increment: number } {
  if (!reader.is('(')) return { seed: 1, increment: 1 };
  const [seed = 1, increment = 1] = reader.parenthesised(() => reader.commaList(() => parseInteger(reader)));
  return { seed, increment };
}

export function parseInteger(reader: TokenReader): number {
  const negative = reader.take('-');
  const { kind, text } = reader.peek();
  if (kind !== 'number' || !/^\d+$/.test(text)) throw reader.unexpected();
  reader.next();
  return negative ? -Number(text) : Number(text);
}
