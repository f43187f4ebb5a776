/** A checkpoint of a Delta log: all that its commits say, as one Parquet file with the protocol's nested columns. */
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { AddedFile, RemovedFile, Said, TableMetadata } from './delta-actions';
import { visitParquet } from './parquet-file';
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
  ...[group('add', 6), field('path', TEXT), ...map('partitionValues'), field('size', LONG)],
  ...[field('modificationTime', LONG), field('dataChange', FLAG), field('stats', TEXT)],
  ...[group('remove', 3), field('path', TEXT), field('deletionTimestamp', LONG), field('dataChange', FLAG)],
  ...[group('metaData', 8), field('id', TEXT), field('name', TEXT), field('description', TEXT)],
  ...[group('format', 2), field('provider', TEXT), ...map('options'), field('schemaString', TEXT)],
  ...[...list('partitionColumns'), ...map('configuration'), field('createdTime', LONG)],
  ...[group('protocol', 2), field('minReaderVersion', INT), field('minWriterVersion', INT)],
];

/** A table while its log is read. What was given out before stays as it is. */
export function beginState(before: LogState | null) {
  const [files, removed] = [new Map(before?.files), new Map(before?.removed)];
  const applications = new Map(before?.applications);
  let [protocol, metaData] = [before?.protocol ?? null, before?.metaData ?? null];
  return {
    /** Takes an action of a commit, or a row of a checkpoint. */
    take({ add, remove, txn, ...said }: Said): void {
      if (add != null) {
        files.set(add.path, add);
        removed.delete(add.path);
      }
      if (remove != null) {
        files.delete(remove.path);
        removed.set(remove.path, remove);
      }
      if (txn != null) applications.set(txn.appId, txn.version);
      [protocol, metaData] = [said.protocol ?? protocol, said.metaData ?? metaData];
    },
    /** @param lacking the sentence of an Error that is thrown if the log says too little */
    end(version: number, lacking: string): LogState {
      if (protocol === null || metaData === null) throw new Error(lacking);
      return { version, protocol, metaData, files, removed, applications };
    },
  };
}

export function writeCheckpoint({ protocol, metaData, files, removed, applications }: LogState): Uint8Array {
  const rows: readonly Readonly<Record<string, object>>[] = [
    { protocol },
    { metaData: { ...metaData, createdTime: BigInt(metaData.createdTime) } },
    ...[...applications].map(([appId, version]) => ({ txn: { appId, version: BigInt(version) } })),
    ...[...files.values()].map(({ size, modificationTime: changed, ...file }) => ({
      add: { ...file, size: BigInt(size), modificationTime: BigInt(changed), dataChange: false },
    })),
    ...[...removed.values()].map((file) => ({
      remove: { ...file, deletionTimestamp: BigInt(file.deletionTimestamp), dataChange: false },
    })),
  ];
  const target = new ByteWriter();
  const writer = new ParquetWriter({ writer: target, schema: SCHEMA, createdBy: 'checkpoint-health' });
  const columnData = ['txn', 'add', 'remove', 'metaData', 'protocol'].map((name) => {
    const data = rows.map((row) => row[name] ?? null);
    return { name, data, statistics: false, offsetIndex: false };
  });
  void writer.write({ rowGroupSize: 100_000, columnData });
  void writer.finish();
  return target.getBytes();
}

/** @param parts all its files @throws Error if it is none */
export async function readCheckpoint(version: number, parts: readonly Uint8Array[]): Promise<LogState> {
  const state = beginState(null);
  for (const { buffer, byteOffset, byteLength } of parts) {
    const bytes = (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength);
    await visitParquet(bytes, (row) => state.take(row as Said));
  }
  return state.end(
    version,
    t('The log of a table is damaged: its checkpoint {0} says neither protocol nor schema.', version),
  );
}
