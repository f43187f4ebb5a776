/**
 * The interface to DuckDB: connections, values in and out, scalar functions written here, errors mapped to SQL
 * Server's.
 */
import {
  BIGINT,
  BLOB,
  DECIMAL,
  DOUBLE,
  FLOAT,
  HUGEINT,
  INTEGER,
  SMALLINT,
  TINYINT,
  VARCHAR,
  DuckDBBlobValue,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBScalarFunction,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  type DuckDBVector,
} from '@duckdb/node-api';
import { SqlError } from '../tds/handler';
import { physicalType } from './bound';
import { scaledText, unscaled } from './decimal';
import { overflow } from './errors';
import type { Type, Value } from './types';
import { sqlError } from '../tds/messages';

/** For all statements together. The whole simulator must stay below 2 GB. */
const MOST_MEMORY = '900MiB';

export type ScalarFunction = (...args: Value[]) => Value;

interface Registered {
  readonly name: string;
  evaluate: ScalarFunction;
}

export class Duck {
  private readonly functions = new Map<string, Registered>();

  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly catalog: DuckDBConnection,
  ) {}

  static async create(): Promise<Duck> {
    // One thread, so that DISTINCT and any_value always keep the same one of equal rows. No directory for temporary
    // files, so that nothing is left on disk.
    const instance = await DuckDBInstance.create(':memory:', {
      threads: '1',
      memory_limit: MOST_MEMORY,
      temp_directory: '',
    });
    const catalog = await instance.connect();
    return new Duck(instance, catalog);
  }

  async connect(): Promise<DuckDBConnection> {
    return this.instance.connect();
  }

  /**
   * The DuckDB name of a function written here. Registered once per key, because DuckDB keeps it for ever. It runs the
   * code that was given last, so a function about a session asks the session that has the number now.
   */
  registerFunction(
    key: string,
    parameters: readonly Type[],
    result: Type,
    evaluate: ScalarFunction,
    volatile: boolean,
  ): string {
    const existing = this.functions.get(key);
    if (existing !== undefined) {
      existing.evaluate = evaluate;
      return existing.name;
    }
    const name = `f${this.functions.size + 1}`;
    const registered: Registered = { name, evaluate };
    const scalar = DuckDBScalarFunction.create({
      name,
      parameterTypes: parameters.map(duckType),
      returnType: duckType(result),
      mainFunction: (info, chunk, output) => {
        try {
          evaluateChunk(chunk, output, parameters, result, registered.evaluate);
        } catch (error) {
          info.setError(packError(error));
        }
      },
      specialHandling: true,
      volatile,
    });
    this.catalog.registerScalarFunction(scalar);
    this.functions.set(key, registered);
    return name;
  }

  close(): void {
    this.catalog.closeSync();
    this.instance.closeSync();
  }
}

function evaluateChunk(
  chunk: DuckDBDataChunk,
  output: DuckDBVector,
  parameters: readonly Type[],
  result: Type,
  evaluate: ScalarFunction,
): void {
  const columns = parameters.map((_, index) => chunk.getColumnVector(index));
  for (let row = 0; row < chunk.rowCount; row++) {
    const args = columns.map((column, index) =>
      fromDuck(column.getItem(row) as DuckDBValue, parameters[index] as Type),
    );
    output.setItem(row, toDuck(evaluate(...args), result) as never);
  }
  output.flush();
}

export function duckType(type: Type): DuckDBType {
  switch (physicalType(type)) {
    case 'TINYINT':
      return TINYINT;
    case 'SMALLINT':
      return SMALLINT;
    case 'INTEGER':
      return INTEGER;
    case 'BIGINT':
      return BIGINT;
    case 'HUGEINT':
      return HUGEINT;
    case 'FLOAT':
      return FLOAT;
    case 'DOUBLE':
      return DOUBLE;
    case 'BLOB':
      return BLOB;
    default:
      return type.name === 'decimal' ? DECIMAL(type.precision, type.scale) : VARCHAR;
  }
}

export function toDuck(value: Value, type: Type): DuckDBValue {
  if (value === null) return null;
  if (type.name === 'decimal')
    return new DuckDBDecimalValue(unscaled(String(value), type.scale), type.precision, type.scale);
  if (value instanceof Uint8Array) return new DuckDBBlobValue(value);
  return value;
}

export function fromDuck(value: DuckDBValue, type: Type): Value {
  if (value === null || value === undefined) return null;
  if (value instanceof DuckDBDecimalValue) return scaledText(value.value, value.scale);
  if (value instanceof DuckDBBlobValue) return value.bytes;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (
    typeof value === 'bigint' &&
    type.name !== 'bigint' &&
    physicalType(type) !== 'BIGINT' &&
    physicalType(type) !== 'HUGEINT'
  )
    return Number(value);
  return value as Value;
}

const marker = 'SqlError:';

export function packError(error: unknown): string {
  if (error instanceof SqlError)
    return marker + JSON.stringify([error.number, error.message, error.severity, error.state]) + marker;
  return String(error);
}

/** The error of SQL Server for an error of DuckDB. */
export function mapDuckError(error: unknown, line: number): unknown {
  if (!(error instanceof Error) || error instanceof SqlError) return error;
  const [, packed] = error.message.split(marker);
  if (packed !== undefined) {
    const [number, message, severity, state] = JSON.parse(packed) as [number, string, number, number];
    return new SqlError(number, message, severity, state, line);
  }
  if (
    /Overflow in .* INT(8|16|32|64)|out of range for the destination type|Failed to cast value|Out of Range/i.test(
      error.message,
    )
  ) {
    const width = (/destination type INT(\d+)/.exec(error.message) ?? /INT(\d+)/.exec(error.message))?.[1];
    const failure = overflow(
      width === '64' ? 'bigint' : width === '32' ? 'int' : width === '16' ? 'smallint' : 'numeric',
    );
    failure.line = line;
    return failure;
  }
  if (/^Out of Memory/i.test(error.message))
    return new SqlError(
      50000,
      `simulator: statements that need more than ${MOST_MEMORY} of memory are not modelled`,
      16,
      1,
      line,
    );
  if (/More than one row returned by a subquery/i.test(error.message)) return sqlError(512, [], line);
  return new SqlError(
    50000,
    `simulator: this statement is beyond the engine: ${error.message.split('\n')[0]}`,
    16,
    1,
    line,
  );
}
