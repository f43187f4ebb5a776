/** A checkpoint of a Delta log: all that its commits say, as one Parquet file with the protocol's nested columns. */
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { AddedFile, RemovedFile, TableMetadata } from './delta-actions';
import { type ReadRow, visitParquet } from './parquet-file';
import { t } from '../core/language';

/** A table as of one commit. */
export interface LogState {
  readonly version: number;
  readonly protocol: { readonly minReaderVersion: number; readonly minWriterVersion: number };
  readonly metaData: TableMetadata;
  /** By path. */
  readonly files: ReadonlyMap<string, AddedFile>;
  /** No longer part of the table, and perhaps still being read. By path. */
  readonly removed: ReadonlyMap<string, RemovedFile>;
  /** How far each application got, by its id. */
  readonly applications: ReadonlyMap<string, number>;
}

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const LONG = { type: 'INT64' } as const;
const INT = { type: 'INT32' } as const;
const FLAG = { type: 'BOOLEAN' } as const;

const field = (name: string, element: Omit<SchemaElement, 'name'>): SchemaElement => ({
  name,
  repetition_type: 'OPTIONAL',
  ...element,
});
const group = (name: string, fields: number): SchemaElement => field(name, { num_children: fields });
const map = (name: string): readonly SchemaElement[] => [
  field(name, { converted_type: 'MAP', logical_type: { type: 'MAP' }, num_children: 1 }),
  { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 },
  { name: 'key', repetition_type: 'REQUIRED', ...TEXT },
  field('value', TEXT),
];
const list = (name: string): readonly SchemaElement[] => [
  field(name, { converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 }),
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  field('element', TEXT),
];

const SCHEMA: SchemaElement[] = [
  { name: 'spark_schema', num_children: 5 },
  ...[group('txn', 2), field('appId', TEXT), field('version', LONG)],
  ...[
    group('add', 6),
    field('path', TEXT),
    ...map('partitionValues'),
    field('size', LONG),
    field('modificationTime', LONG),
  ],
  ...[field('dataChange', FLAG), field('stats', TEXT)],
  ...[group('remove', 3), field('path', TEXT), field('deletionTimestamp', LONG), field('dataChange', FLAG)],
  ...[
    group('metaData', 8),
    field('id', TEXT),
    field('name', TEXT),
    field('description', TEXT),
    group('format', 2),
    field('provider', TEXT),
    ...map('options'),
    field('schemaString', TEXT),
  ],
  ...[...list('partitionColumns'), ...map('configuration'), field('createdTime', LONG)],
  ...[group('protocol', 2), field('minReaderVersion', INT), field('minWriterVersion', INT)],
];

type Row = Readonly<Record<string, object>>;

export function writeCheckpoint({ protocol, metaData, files, removed, applications }: LogState): Uint8Array {
  const rows: readonly Row[] = [
    { protocol },
    { metaData: { ...metaData, createdTime: BigInt(metaData.createdTime) } },
    ...[...applications].map(([appId, version]) => ({ txn: { appId, version: BigInt(version) } })),
    ...[...files.values()].map((file) => ({
      add: {
        ...file,
        size: BigInt(file.size),
        modificationTime: BigInt(file.modificationTime),
        dataChange: false,
      },
    })),
    ...[...removed.values()].map((file) => ({
      remove: { ...file, deletionTimestamp: BigInt(file.deletionTimestamp), dataChange: false },
    })),
  ];
  const target = new ByteWriter();
  const writer = new ParquetWriter({ writer: target, schema: SCHEMA, createdBy: 'checkpoint-health' });
  const columnData = ['txn', 'add', 'remove', 'metaData', 'protocol'].map((name) => ({
    name,
    data: rows.map((row) => row[name] ?? null),
    statistics: false,
    offsetIndex: false,
  }));
  void writer.write({ rowGroupSize: 100_000, columnData });
  void writer.finish();
  return target.getBytes();
}

/** @param parts all its files @throws Error if it is none */
export async function readCheckpoint(version: number, parts: readonly Uint8Array[]): Promise<LogState> {
  const files = new Map<string, AddedFile>();
  const removed = new Map<string, RemovedFile>();
  const applications = new Map<string, number>();
  const found: { protocol: LogState['protocol'] | null; metaData: TableMetadata | null } = {
    protocol: null,
    metaData: null,
  };
  const take = (row: ReadRow): void => {
    if (row.add != null) files.set((row.add as AddedFile).path, row.add as AddedFile);
    if (row.remove != null) removed.set((row.remove as RemovedFile).path, row.remove as RemovedFile);
    if (row.txn != null)
      applications.set((row.txn as { appId: string }).appId, (row.txn as { version: number }).version);
    if (row.metaData != null) found.metaData = row.metaData as TableMetadata;
    if (row.protocol != null) found.protocol = row.protocol as LogState['protocol'];
  };
  for (const part of parts) {
    const { buffer, byteOffset, byteLength } = part;
    await visitParquet((buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength), take);
  }
  const { protocol, metaData } = found;
  if (protocol === null || metaData === null)
    throw new Error(
      t('The log of a table is damaged: its checkpoint {0} says neither protocol nor schema.', version),
    );
  return { version, protocol, metaData, files, removed, applications };
}
