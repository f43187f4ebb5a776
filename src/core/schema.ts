/**
 * Reads data from outside by a JSON Schema: a message of a webview, a kept capture. The schemas are made from our own
 * types by `npm run schemas`, so this knows only the keywords that come of them. It needs no `eval`, which a webview
 * forbids, and knows an ArrayBuffer, which JSON does not.
 */

import { t } from './language';

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

interface WholeSchema extends Schema {
  readonly definitions: Readonly<Record<string, Schema>>;
}

/** Why a file of this version cannot be read, as one clause; null: it can. @param newest that is known */
export function explainVersion(version: unknown, newest: number): string | null {
  if (Number.isSafeInteger(version) && (version as number) > 0 && (version as number) <= newest) return null;
  // Cut, because it may be anything.
  const shown = (JSON.stringify(version) ?? '?').slice(0, 20);
  return t(
    'it has version {0}, and only versions up to {1} can be read. Use the version that wrote it',
    shown,
    newest,
  );
}

/** A whole number from 0. @asType integer @minimum 0 */
export type Count = number;

/** A whole number. @asType integer */
export type WholeNumber = number;

/**
 * Milliseconds since 1970 in UTC, until the end of 2199: see `isUtcMs` of core/time. @minimum 0 @maximum 7258118399999
 */
export type UtcMs = number;

/**
 * Looks for the first part of a value that is not as the schema says. Never throws.
 * @returns the name of the property that is wrong; '' if it is the value itself; null if nothing is
 */
export function findFault(schema: WholeSchema, value: unknown): string | null {
  let check = checks.get(schema);
  if (check === undefined) checks.set(schema, (check = new Compiler(schema.definitions).compile(schema)));
  return check(value, '');
}

/** Whether a value is as the schema says that `npm run schemas` made of this type. Never throws. */
export function fits<T>(schema: WholeSchema, value: unknown): value is T {
  return findFault(schema, value) === null;
}

/** Looks for a fault in a value that stands under this name. */
type Check = (value: unknown, name: string) => string | null;

/** Of each schema that was read by: looking into the schema for each value took three times as long. */
const checks = new WeakMap<WholeSchema, Check>();

/** Makes one function of each part of a schema, which tests only what that part says. */
class Compiler {
  private readonly named = new Map<string, Check>();

  constructor(private readonly definitions: WholeSchema['definitions']) {}

  compile(schema: Schema): Check {
    if (schema.$ref !== undefined) return this.compileNamed(schema.$ref.slice(DEFINITIONS.length));
    const isPlain = compilePlain(schema);
    const parts: Check[] = [
      ...(schema.anyOf === undefined ? [] : [checkAny(schema.anyOf.map((one) => this.compile(one)))]),
      ...(schema.items === undefined ? [] : [this.compileItems(schema.items)]),
      ...(schema.properties === undefined && schema.additionalProperties === undefined
        ? []
        : [this.compileProperties(schema)]),
    ];
    const [first] = parts;
    if (first === undefined) return (value, name) => (isPlain(value) ? null : name);
    if (parts.length === 1) return (value, name) => (isPlain(value) ? first(value, name) : name);
    const checkAll = (value: unknown, name: string): string | null =>
      parts.reduce<string | null>((fault, part) => fault ?? part(value, name), null);
    return (value, name) => (isPlain(value) ? checkAll(value, name) : name);
  }

  /** A definition may refer to itself, so it is looked up when it is used. */
  private compileNamed(name: string): Check {
    const known = this.named.get(name);
    if (known !== undefined) return known;
    this.named.set(name, (value, at) => (this.named.get(name) as Check)(value, at));
    const check = this.compile(this.definitions[name] as Schema);
    this.named.set(name, check);
    return check;
  }

  private compileItems(items: Schema | readonly Schema[]): Check {
    const each = isList(items) ? null : this.compile(items);
    const inOrder = isList(items) ? items.map((one) => this.compile(one)) : [];
    return (value, name) => {
      if (!Array.isArray(value)) return null;
      for (let at = 0; at < value.length; at++) {
        const fault = (each ?? inOrder[at])?.(value[at], name) ?? null;
        if (fault !== null) return fault;
      }
      return null;
    };
  }

  private compileProperties({ properties = {}, required = [], additionalProperties }: Schema): Check {
    const names = Object.keys(properties);
    const own = names.map((name) => this.compile(properties[name] as Schema));
    const buffers = names.filter((name) => properties[name]?.bytesEach !== undefined);
    const known = new Set(names);
    const other = additionalProperties === undefined ? null : this.compile(additionalProperties);
    return (value) => {
      if (!isObject(value)) return null;
      for (const name of required) if (value[name] === undefined) return name;
      for (let at = 0; at < names.length; at++) {
        const field = value[names[at] as string];
        const fault = field === undefined ? null : (own[at] as Check)(field, names[at] as string);
        if (fault !== null) return fault;
      }
      for (const name of buffers)
        if (!hasBytesEach(properties[name]?.bytesEach ?? {}, value[name], value)) return name;
      if (other === null) return null;
      for (const name of Object.keys(value)) {
        const fault = known.has(name) ? null : other(value[name], name);
        if (fault !== null) return fault;
      }
      return null;
    };
  }
}

const DEFINITIONS = '#/definitions/';

type Fields = Readonly<Record<string, unknown>>;

function checkAny(alternatives: readonly Check[]): Check {
  return (value, name) => {
    for (const one of alternatives) if (one(value, name) === null) return null;
    return name;
  };
}

/** What can be said without looking into the value. */
function compilePlain(schema: Schema): (value: unknown) => boolean {
  const {
    type,
    const: only,
    enum: values,
    minimum = -Infinity,
    maximum = Infinity,
    minItems = 0,
    maxItems = Infinity,
  } = schema;
  const { buffer, maxBytes = Infinity } = schema;
  const tests: ((value: unknown) => boolean)[] = [];
  if (typeof type === 'string') tests.push(testOfType(type));
  else if (type !== undefined) {
    const each = type.map(testOfType);
    tests.push((value) => each.some((test) => test(value)));
  }
  if (only !== undefined) tests.push((value) => value === only);
  if (values !== undefined) tests.push((value) => values.includes(value));
  if (schema.minimum !== undefined || schema.maximum !== undefined)
    tests.push((value) => typeof value !== 'number' || (value >= minimum && value <= maximum));
  if (schema.minItems !== undefined || schema.maxItems !== undefined)
    tests.push((value) => !Array.isArray(value) || (value.length >= minItems && value.length <= maxItems));
  if (buffer !== undefined)
    tests.push((value) => value instanceof ArrayBuffer && value.byteLength <= maxBytes);
  const [first] = tests;
  return first !== undefined && tests.length === 1 ? first : (value) => tests.every((test) => test(value));
}

function testOfType(type: string): (value: unknown) => boolean {
  switch (type) {
    case 'object':
      return isObject;
    case 'array':
      return Array.isArray;
    case 'null':
      return (value) => value === null;
    case 'integer':
      return Number.isSafeInteger;
    case 'number':
      return Number.isFinite;
    default:
      return (value) => typeof value === type;
  }
}

function hasBytesEach(
  bytesEach: Exclude<Schema['bytesEach'], undefined>,
  value: unknown,
  fields: Fields,
): boolean {
  return Object.entries(bytesEach).every(
    ([name, bytes]) => (value as ArrayBuffer).byteLength === (bytes ?? 0) * (fields[name] as number),
  );
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
