/** What the SQL Server extension (mssql) is reached by: the few things of VS Code that this adapter uses, passed in so that it runs in plain Node. */

interface Disposable {
  dispose(): void;
}

/** The installed extension `ms-mssql.mssql`. It has no published typings (docs/facts.md, Hosts 1). */
export interface MssqlExtension {
  readonly version: string;
  readonly isActive: boolean;
  /** Its manifest has the view container that a pane of ours can live in. */
  readonly hasContainer: boolean;
  /** Starts it where it is not started yet. @returns what it exports */
  activate(): Promise<unknown>;
  /** What it exports; undefined while it is not active. */
  exports(): unknown;
}

/** A setting by where it was written; as the files have it, so anything. */
export interface WrittenSetting {
  readonly user: unknown;
  readonly workspace: unknown;
}

export interface OpenedDocument {
  readonly uri: string;
  readonly languageId: string;
  readonly isUntitled: boolean;
  readonly isEmpty: boolean;
}

/** VS Code's text editors. */
export interface TextEditors {
  /** Addresses of all open documents, hidden ones too. */
  listDocuments(): ReadonlySet<string>;
  /** The document of the editor in front; null where there is none. */
  active(): OpenedDocument | null;
  onDidChangeActive(listener: () => void): Disposable;
  /** Writes a text into the editor in front. @returns false where that editor shows another document by now, or one that is not empty */
  fill(uri: string, text: string): Promise<boolean>;
  /** Shows an unsaved SQL document with this text. */
  open(text: string, place: 'in front' | 'beside'): Promise<void>;
  /** Moves the document, as long as it is in front, into the group at its right, and gives the front back to the one that had it. */
  moveBeside(uri: string, frontUri: string): Promise<void>;
}

export interface MssqlWorld {
  /** Our own extension, as mssql names it to the user when it asks for approval. */
  readonly extensionId: string;
  findExtension(): MssqlExtension | undefined;
  executeCommand(id: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Ids of all commands, those of extensions that have not registered them yet left out. */
  listCommands(): Promise<readonly string[]>;
  /** The setting `mssql.connections`. */
  readConnections(): WrittenSetting;
  /** The setting `mssql.connectionGroups`: mssql ignores a connection that is in none of them. */
  readGroups(): WrittenSetting;
  /** The setting `mssql.connectionManagement.rememberPasswordsUntilRestart` (since 1.38): a password that was typed once is not asked for again. */
  remembersPasswords(): boolean;
  /** The setting `mssql.query.maxCharsToStore`: SQL Tools Service cuts longer cells, ours too, without a word about it. */
  readCellLimit(): unknown;
  /** Whether the user trusts the workspace that is open. */
  isTrusted(): boolean;
  /** Extensions came or went, the setting changed, or the workspace was trusted. */
  onDidChange(listener: () => void): Disposable;
  schedule(delayMs: number, task: () => void): Disposable;
  /** Whether something accepts a connection at that address, without a login; null: that cannot be told, as of a named instance. */
  canReach(server: string): Promise<boolean | null>;
  /** Whether a server answers there; null: that cannot be told. */
  readonly answersAt: (server: string) => Promise<boolean | null>;
  readonly editors: TextEditors;
}
