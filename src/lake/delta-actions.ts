/** What commits of a Delta log say (Delta Lake's PROTOCOL.md, Actions). */

export interface AddedFile {
  /** Relative to the table, as a URI. */
  readonly path: string;
  readonly partitionValues: Readonly<Record<string, string>>;
  /** Exact: readers seek from the end. */
  readonly size: number;
  readonly modificationTime: number;
  readonly dataChange: boolean;
  /** JSON. Readers believe it. */
  readonly stats?: string;
}

export interface RemovedFile {
  readonly path: string;
  readonly deletionTimestamp: number;
  readonly dataChange: boolean;
}

export interface TableMetadata {
  readonly id: string;
  /** For people; another program may have given them. */
  readonly name?: string | null;
  readonly description?: string | null;
  readonly format: { readonly provider: string; readonly options: Readonly<Record<string, string>> };
  /** JSON of a struct type. */
  readonly schemaString: string;
  readonly partitionColumns: readonly string[];
  readonly configuration: Readonly<Record<string, string>>;
  readonly createdTime: number;
}

interface Actions {
  readonly add: AddedFile;
  readonly remove: RemovedFile;
  readonly metaData: TableMetadata;
  readonly protocol: { readonly minReaderVersion: number; readonly minWriterVersion: number };
  /** How far an application got: Delta's own way to write a thing once. */
  readonly txn: { readonly appId: string; readonly version: number; readonly lastUpdated?: number };
  readonly commitInfo: Readonly<Record<string, unknown>>;
}

export type Action = { [K in keyof Actions]: Pick<Actions, K> }[keyof Actions];

/** An action, or a row of a checkpoint: what it does not say is absent or null. */
export type Said = { readonly [K in keyof Actions]?: Actions[K] | null };
