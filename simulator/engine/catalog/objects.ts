import type { SqlType } from '../../tds/handler';
import type { ServerDescription } from '../../scenarios/scenario';
import { CONSTANT, fitObject, view, type CatalogObject } from './object';
import { bit, char, datetime, field, int, need, nvarchar, since, smallint, sysname, tinyint, type Field } from './relation';

const SCHEMAS: readonly { readonly id: number; readonly name: string; readonly principal: number }[] = [
  { id: 1, name: 'dbo', principal: 1 },
  { id: 2, name: 'guest', principal: 2 },
  { id: 3, name: 'INFORMATION_SCHEMA', principal: 3 },
  { id: 4, name: 'sys', principal: 4 },
];

/** Negative, like all ids of system objects, and the same on every run; real ones differ. */
export function objectId(object: { readonly schema: string; readonly name: string }): number {
  let hash = 0;
  for (const letter of `${object.schema}.${object.name}`.toLowerCase()) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return -(100_000 + (Math.abs(hash) % 899_900_000));
}

const CREATED = '2019-09-24T14:21:42.437';
const isView = (object: CatalogObject): boolean => object.kind === 'view';

/** Microsoft Learn, "sys.all_objects". */
const OBJECT_FIELDS: readonly Field<CatalogObject>[] = [
  need('name', sysname, (o) => o.name),
  need('object_id', int, objectId),
  field('principal_id', int, () => null),
  need('schema_id', int, (o) => (o.schema === 'sys' ? 4 : 1)),
  need('parent_object_id', int, () => 0),
  field('type', char(2), (o) => (isView(o) ? 'V ' : 'IF')),
  field('type_desc', nvarchar(60), (o) => (isView(o) ? 'VIEW' : 'SQL_INLINE_TABLE_VALUED_FUNCTION')),
  need('create_date', datetime, () => CREATED),
  need('modify_date', datetime, () => CREATED),
  field('is_ms_shipped', bit, () => true),
  field('is_published', bit, () => false),
  field('is_schema_published', bit, () => false),
];

interface ObjectColumn {
  readonly object: CatalogObject;
  readonly id: number;
  readonly name: string;
  readonly type: SqlType;
  readonly nullable: boolean;
}

/** system_type_id, bytes, precision and scale of a type, as sys.types has them. */
// oxfmt-ignore
function describeType(type: SqlType): readonly [id: number, bytes: number, precision: number, scale: number] {
  switch (type.name) {
    case 'bit': return [104, 1, 1, 0];
    case 'tinyint': return [48, 1, 3, 0];
    case 'smallint': return [52, 2, 5, 0];
    case 'int': return [56, 4, 10, 0];
    case 'bigint': return [127, 8, 19, 0];
    case 'real': return [59, 4, 24, 0];
    case 'float': return [62, 8, 53, 0];
    case 'uniqueidentifier': return [36, 16, 0, 0];
    case 'xml': return [241, -1, 0, 0];
    case 'sql_variant': return [98, 8016, 0, 0];
    case 'date': return [40, 3, 10, 0];
    case 'datetime': return [61, 8, 23, 3];
    case 'smalldatetime': return [58, 4, 16, 0];
    case 'time': return [41, 5, 9 + type.scale, type.scale];
    case 'datetime2': return [42, type.scale < 3 ? 6 : type.scale < 5 ? 7 : 8, 20 + type.scale, type.scale];
    case 'datetimeoffset': return [43, 10, 27 + type.scale, type.scale];
    case 'decimal': return [108, type.precision < 20 ? 9 : 13, type.precision, type.scale];
    case 'varbinary': return [165, type.length === 'max' ? -1 : type.length, 0, 0];
    case 'binary': return [173, type.length === 'max' ? -1 : type.length, 0, 0];
    case 'varchar': return [167, type.length === 'max' ? -1 : type.length, 0, 0];
    case 'char': return [175, type.length === 'max' ? -1 : type.length, 0, 0];
    case 'nvarchar': return [231, type.length === 'max' ? -1 : type.length * 2, 0, 0];
    case 'nchar': return [239, type.length === 'max' ? -1 : type.length * 2, 0, 0];
  }
}

const isText = (type: SqlType): boolean => /char$/.test(type.name);
const off = (name: string): Field<ObjectColumn> => field(name, bit, () => false);
const no = (name: string, type: SqlType): Field<ObjectColumn> => field(name, type, () => null);

/** Microsoft Learn, "sys.all_columns". */
const COLUMN_FIELDS: readonly Field<ObjectColumn>[] = [
  need('object_id', int, (c) => objectId(c.object)),
  field('name', sysname, (c) => c.name),
  need('column_id', int, (c) => c.id),
  need('system_type_id', tinyint, (c) => describeType(c.type)[0]),
  need('user_type_id', int, (c) => (c.type.name === 'nvarchar' && c.type.length === 128 ? 256 : describeType(c.type)[0])),
  need('max_length', smallint, (c) => describeType(c.type)[1]),
  need('precision', tinyint, (c) => describeType(c.type)[2]),
  need('scale', tinyint, (c) => describeType(c.type)[3]),
  field('collation_name', sysname, (c) => (isText(c.type) ? 'SQL_Latin1_General_CP1_CI_AS' : null)),
  field('is_nullable', bit, (c) => c.nullable),
  field('is_ansi_padded', bit, (c) => isText(c.type)),
  off('is_rowguidcol'),
  off('is_identity'),
  off('is_computed'),
  off('is_filestream'),
  off('is_replicated'),
  off('is_non_sql_subscribed'),
  off('is_merge_published'),
  off('is_dts_replicated'),
  off('is_xml_document'),
  field('xml_collection_id', int, () => 0),
  field('default_object_id', int, () => 0),
  field('rule_object_id', int, () => 0),
  off('is_sparse'),
  off('is_column_set'),
  ...since(
    2016,
    field('generated_always_type', tinyint, () => 0),
    field('generated_always_type_desc', nvarchar(60), () => 'NOT_APPLICABLE'),
    no('encryption_type', int),
    no('encryption_type_desc', nvarchar(64)),
    no('encryption_algorithm_name', sysname),
    no('column_encryption_key_id', int),
    no('column_encryption_key_database_name', sysname),
    off('is_hidden'),
    off('is_masked'),
  ),
  ...since(2017, no('graph_type', int), no('graph_type_desc', nvarchar(60))),
  ...since(
    2022,
    off('is_data_deletion_filter_column'),
    no('ledger_view_column_type', tinyint),
    no('ledger_view_column_type_desc', nvarchar(60)),
    off('is_dropped_ledger_column'),
  ),
  ...since(2025, no('vector_dimensions', int), no('vector_base_type', tinyint), no('vector_base_type_desc', nvarchar(10))),
];

/** Microsoft Learn, "sys.schemas". */
const SCHEMA_FIELDS: readonly Field<(typeof SCHEMAS)[number]>[] = [
  need('name', sysname, (s) => s.name),
  need('schema_id', int, (s) => s.id),
  field('principal_id', int, (s) => s.principal),
];

/** Views of the objects that are modelled, these views too, and nothing else. User databases have no objects of their own. */
export function makeObjectViews(others: readonly CatalogObject[], server: ServerDescription): readonly CatalogObject[] {
  const all: CatalogObject[] = [...others.filter((object) => object.schema === 'sys')];
  const columns = (): readonly ObjectColumn[] =>
    all.flatMap((object) =>
      object.columns.map((column, i) => ({ object, id: i + 1, name: column.name, type: column.type, nullable: column.nullable })),
    );
  const own = [
    view('sys.all_objects', OBJECT_FIELDS, () => all, CONSTANT),
    view('sys.all_columns', COLUMN_FIELDS, columns, CONSTANT),
    view('sys.system_objects', OBJECT_FIELDS, () => all, CONSTANT),
    view('sys.system_columns', COLUMN_FIELDS, columns, CONSTANT),
    view('sys.schemas', SCHEMA_FIELDS, () => SCHEMAS, CONSTANT),
  ].flatMap((object) => fitObject(object, server) ?? []);
  all.push(...own);
  return own;
}
