/** A bound expression: DuckDB SQL with its SQL Server type. A constant is known at once, without DuckDB. */
import type { SqlType } from '../tds/handler';
import { type Collation, isDate, type Type, type Value } from './types';

export interface Bound {
  readonly sql: string;
  readonly type: Type;
  readonly nullable: boolean;
  readonly collation?: Collation;
  /** Digits of an integer literal: in decimal arithmetic 3 is a decimal(1,0), an int variable a decimal(10,0). */
  readonly digits?: number;
  /** Present when the value is known before execution. */
  readonly constant?: { readonly value: Value };
}

export interface BoundCondition {
  readonly sql: string;
  /** null is UNKNOWN. */
  readonly constant?: { readonly value: boolean | null };
}

/** DuckDB's type for a SQL Server type. */
export function physicalType(type: Type): string {
  switch (type.name) {
    case 'bit':
      return 'TINYINT';
    case 'tinyint':
    case 'smallint':
      return 'SMALLINT';
    case 'int':
    case 'null':
      return 'INTEGER';
    case 'bigint':
      return 'BIGINT';
    case 'decimal':
      return `DECIMAL(${type.precision},${type.scale})`;
    case 'real':
      return 'FLOAT';
    case 'float':
      return 'DOUBLE';
    case 'datetimeoffset':
      return 'HUGEINT';
    case 'binary':
    case 'varbinary':
      return 'BLOB';
    default:
      return isDate(type) ? 'BIGINT' : 'VARCHAR';
  }
}

export const quoteText = (text: string): string => `'${text.replace(/'/g, "''")}'`;

export function literal(value: Value, type: Type): Bound {
  return { sql: literalSql(value, type), type, nullable: value === null, constant: { value } };
}

function literalSql(value: Value, type: Type): string {
  const physical = physicalType(type);
  if (value === null) return `CAST(NULL AS ${physical})`;
  if (value instanceof Uint8Array) return `from_hex('${Buffer.from(value).toString('hex')}')`;
  if (typeof value !== 'string') return `CAST(${quoteText(String(value))} AS ${physical})`;
  if (physical !== 'VARCHAR') return `CAST(${quoteText(value)} AS ${physical})`;
  // DuckDB's string literals end at a NUL.
  if (value.includes('\0')) return `(${value.split('\0').map(quoteText).join(' || chr(0) || ')})`;
  return quoteText(value);
}

export const nullLiteral: Bound = literal(null, { name: 'null' });

/** The type of an expression if nothing else decides it: an untyped NULL is an int. */
export const settledType = (type: Type): SqlType => (type.name === 'null' ? { name: 'int' } : type);

export function knownCondition(value: boolean | null): BoundCondition {
  return { sql: value === null ? 'CAST(NULL AS BOOLEAN)' : String(value), constant: { value } };
}
