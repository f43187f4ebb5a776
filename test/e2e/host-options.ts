/** What a test may ask of the VS Code that it starts. */
import type { Editor } from '../../tools/vscode/server';
import type { Theme } from './host';

/** A server for `addServer`, which Checkpoint Health exports to other extensions. */
export interface ServerToAdd {
  readonly name: string;
  readonly server: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database?: string;
  readonly encrypt: boolean;
  readonly trustServerCertificate: boolean;
}

export interface HostOptions {
  /** VSIX files to install beside the development extension. */
  readonly vsixFiles: readonly string[];
  readonly theme?: Theme;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Settings of the workspace; VS Code then asks whether it is trusted, and the page begins with that question. */
  readonly workspaceSettings?: Readonly<Record<string, unknown>>;
  /** See VsCodeOptions. */
  readonly completeExtensions?: (folder: string) => Promise<void>;
  /**
   * The browser keeps a profile on disk, as a user's does, instead of a private window: in that one a page of another origin, as an editor's webviews may be,
   * may store nothing and has no service worker. It is thrown away with the editor.
   */
  readonly hasBrowserProfile?: boolean;
  /** Another editor than the VS Code that is installed here, and settings of its machine. */
  readonly editor?: Editor;
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  /** Added to Checkpoint Health once VS Code is up, as npm start does. */
  readonly server?: ServerToAdd;
  /** More of what the extension host finds in its environment. */
  readonly env?: NodeJS.ProcessEnv;
  readonly widthPx?: number;
  readonly heightPx?: number;
  readonly devicePixelRatio?: number;
  /** Time zone of the reader's browser, as `Europe/Vienna`; that of this machine by default. */
  readonly timezoneId?: string;
}
