import type { ServerDescription } from '../../scenarios/scenario';
import { CONSTANT, fitObject, view, type CatalogObject } from './object';
import { field, int, need, sysname, unmodelled, type Field } from './relation';

/** Negative, like all ids of system objects, and the same on every run; real ones differ. */
export function objectId(object: { readonly schema: string; readonly name: string }): number {
  let hash = 0;
  for (const letter of `${object.schema}.${object.name}`.toLowerCase())
    hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return -(100_000 + (Math.abs(hash) % 899_900_000));
}

interface ObjectColumn {
  readonly object: CatalogObject;
  readonly name: string;
}

/** Microsoft Learn, "sys.all_columns". */
const COLUMN_FIELDS: readonly Field<ObjectColumn>[] = [
  need('object_id', int, (c) => objectId(c.object)),
  field('name', sysname, (c) => c.name),
  ...unmodelled(`column_id system_type_id user_type_id max_length precision scale collation_name is_nullable is_ansi_padded is_rowguidcol
    is_identity is_computed is_filestream is_replicated is_non_sql_subscribed is_merge_published is_dts_replicated is_xml_document
    xml_collection_id default_object_id rule_object_id is_sparse is_column_set 2016 generated_always_type generated_always_type_desc
    encryption_type encryption_type_desc encryption_algorithm_name column_encryption_key_id column_encryption_key_database_name is_hidden
    is_masked 2017 graph_type graph_type_desc 2022 is_data_deletion_filter_column ledger_view_column_type ledger_view_column_type_desc
    is_dropped_ledger_column 2025 vector_dimensions vector_base_type vector_base_type_desc`),
];

/**
 * The columns of the objects that are modelled, those of this view too, and of nothing else. User databases have no
 * objects of their own.
 */
export function makeObjectViews(
  others: readonly CatalogObject[],
  server: ServerDescription,
): readonly CatalogObject[] {
  const all: CatalogObject[] = [...others.filter((object) => object.schema === 'sys')];
  const columns = (): readonly ObjectColumn[] =>
    all.flatMap((object) => object.columns.map(({ name }) => ({ object, name })));
  const own = fitObject(view('sys.all_columns', COLUMN_FIELDS, columns, CONSTANT), server);
  if (own !== undefined) all.push(own);
  return own === undefined ? [] : [own];
}
