/** The few things of VS Code through which we reach mssql. Passed in, so that this adapter runs in plain Node. */

interface Disposable {
  dispose(): void;
}

/** The installed extension `ms-mssql.mssql`. It has no published typings (docs/facts.md, Hosts 1). */
export interface MssqlExtension {
  readonly version: string;
  readonly isActive: boolean;
  /** Its manifest has the view container in which our pane can be. */
  readonly hasContainer: boolean;
  /** Starts it if it is not running. @returns what it exports */
  activate(): Promise<unknown>;
  /** What it exports; undefined while it is not active. */
  exports(): unknown;
}

/** A setting by the place where it was written. As in the files, so anything. */
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
  /** Addresses of all open documents, including hidden ones. */
  listDocuments(): Set<string>;
  /** The document of the editor in front; null if there is none. */
  active(): OpenedDocument | null;
  onDidChangeActive(listener: () => void): Disposable;
  /**
   * Writes a text into the editor in front.
   * @returns false if that editor shows another document now, or one that is not empty
   */
  fill(uri: string, text: string): Promise<boolean>;
  /**
   * If the document is in front, moves it into the group at its right and activates the document that was in front
   * before.
   */
  moveBeside(uri: string, frontUri: string): Promise<void>;
}

export interface MssqlWorld {
  /** Our own extension. mssql shows this id to the user when it asks for approval. */
  readonly extensionId: string;
  findExtension(): MssqlExtension | undefined;
  executeCommand(id: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Ids of all registered commands. */
  listCommands(): Promise<readonly string[]>;
  /** The setting `mssql.connections`. */
  readConnections(): WrittenSetting;
  /** The setting `mssql.connectionGroups`. mssql ignores a connection that is in none of them. */
  readGroups(): WrittenSetting;
  /**
   * The setting `mssql.connectionManagement.rememberPasswordsUntilRestart` (since 1.38): a password that was typed once
   * is not asked for again.
   */
  remembersPasswords(): boolean;
  /** Whether any window was connected to that server: then a password that mssql is to have saved is there. */
  wasReached(serverId: string): boolean;
  /** The setting `mssql.query.maxCharsToStore`. SQL Tools Service silently cuts longer cells, ours too. */
  readCellLimit(): unknown;
  /** Whether the user trusts the open workspace. */
  isTrusted(): boolean;
  /** Extensions came or went, the setting changed, or the workspace was trusted. */
  onDidChange(listener: () => void): Disposable;
  schedule(delayMs: number, task: () => void): Disposable;
  /**
   * Whether something accepts a connection at that address, without a login. null if that cannot be told, as for a
   * named instance.
   */
  canReach(server: string): Promise<boolean | null>;
  /** Whether a server answers there; null if that cannot be told. */
  readonly answersAt: (server: string) => Promise<boolean | null>;
  readonly editors: TextEditors;
}
