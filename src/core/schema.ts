/**
 * Reads data from outside by a JSON Schema: a message of a webview, a kept capture. The schemas are made from our own types by `npm run schemas`, so
 * this knows only the keywords that come of them. It needs no `eval`, which a webview forbids, and knows an ArrayBuffer, which JSON does not.
 */

/** What JSON Schema says of a value, and `buffer`, `maxBytes` and `bytesEach` of an ArrayBuffer. */
interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Of each item, or of one after the other. */
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema | undefined>>;
  readonly required?: readonly string[];
  /** Of each property that `properties` does not name. Others are let through: a later version may know them. */
  readonly additionalProperties?: Schema;
  /** It is an ArrayBuffer. */
  readonly buffer?: boolean;
  /** The most bytes that it may have. */
  readonly maxBytes?: number;
  /** It has this many bytes for each one that the named property beside it counts. */
  readonly bytesEach?: Readonly<Record<string, number | undefined>>;
}

/** A schema with the definitions that it refers to. */
interface WholeSchema extends Schema {
  readonly definitions: Readonly<Record<string, Schema>>;
}

/** A whole number from 0. @asType integer @minimum 0 */
export type Count = number;

/** A whole number. @asType integer */
export type WholeNumber = number;

/** The first and the last moment of SQL Server's dates, the years 1 to 9999: milliseconds since 1970 in UTC. Each can be written as a date. */
export const FIRST_UTC_MS = -62_135_596_800_000;
export const LAST_UTC_MS = 253_402_300_799_999;

/** Milliseconds since 1970 in UTC. @minimum -62135596800000 @maximum 253402300799999 */
export type UtcMs = number;

/**
 * Looks for the first part of a value that is not as the schema says. Takes about 30 ms for a million values, and never throws.
 * @returns the name of the property that is wrong; '' if it is the value itself; null if nothing is
 */
export function findFault(schema: WholeSchema, value: unknown): string | null {
  return new Search(schema.definitions).find(schema, value, '');
}

class Search {
  constructor(private readonly definitions: WholeSchema['definitions']) {}

  find(schema: Schema, value: unknown, name: string): string | null {
    const { $ref, anyOf } = schema;
    if ($ref !== undefined) return this.find(this.definitions[$ref.slice(DEFINITIONS.length)] as Schema, value, name);
    if (anyOf !== undefined && !anyOf.some((one) => this.find(one, value, name) === null)) return name;
    if (!isPlainlyAs(schema, value)) return name;
    if (Array.isArray(value)) return this.findInItems(schema, value, name);
    return isObject(value) ? this.findInProperties(schema, value) : null;
  }

  private findInItems({ items, minItems = 0, maxItems = Infinity }: Schema, values: readonly unknown[], name: string): string | null {
    if (values.length < minItems || values.length > maxItems) return name;
    if (items === undefined) return null;
    const each = isList(items) ? null : items;
    for (const [at, value] of values.entries()) {
      const schema = each ?? (items as readonly Schema[])[at];
      const fault = schema === undefined ? null : this.find(schema, value, name);
      if (fault !== null) return fault;
    }
    return null;
  }

  private findInProperties({ properties = {}, required = [], additionalProperties }: Schema, fields: Fields): string | null {
    for (const name of required) if (fields[name] === undefined) return name;
    for (const name in properties) {
      const [schema, value] = [properties[name] as Schema, fields[name]];
      if (value === undefined) continue;
      const fault = this.find(schema, value, name);
      if (fault !== null) return fault;
      if (schema.bytesEach !== undefined && !hasBytesEach(schema.bytesEach, value, fields)) return name;
    }
    if (additionalProperties === undefined) return null;
    const known = new Set(Object.keys(properties));
    for (const name of Object.keys(fields)) {
      const fault = known.has(name) ? null : this.find(additionalProperties, fields[name], name);
      if (fault !== null) return fault;
    }
    return null;
  }
}

const DEFINITIONS = '#/definitions/';

type Fields = Readonly<Record<string, unknown>>;

/** What can be said without looking into the value. */
function isPlainlyAs(schema: Schema, value: unknown): boolean {
  const { type, enum: values, minimum = -Infinity, maximum = Infinity, buffer, maxBytes = Infinity } = schema;
  if (type !== undefined && !(typeof type === 'string' ? isOfType(value, type) : type.some((one) => isOfType(value, one)))) return false;
  if (schema.const !== undefined && value !== schema.const) return false;
  if (values !== undefined && !values.includes(value)) return false;
  if (typeof value === 'number' && (value < minimum || value > maximum)) return false;
  return buffer === undefined || (value instanceof ArrayBuffer && value.byteLength <= maxBytes);
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function hasBytesEach(bytesEach: Exclude<Schema['bytesEach'], undefined>, value: unknown, fields: Fields): boolean {
  return Object.entries(bytesEach).every(([name, bytes]) => (value as ArrayBuffer).byteLength === (bytes ?? 0) * (fields[name] as number));
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
