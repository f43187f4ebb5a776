/**
 * One of the three ways to a server, as a user goes it: what is installed, where the pane is, and what a script's
 * editor is connected to.
 */
import type { Locator } from 'playwright-core';
import type { Simulator } from '../../../simulator/index';
import type { Host, HostOptions, ServerToAdd } from '../host';

export interface Way {
  /** Ends the name of a test: "by our own driver". */
  readonly name: string;
  /** For names of files. */
  readonly short: string;
  /** What is installed beside Checkpoint Health. */
  vsixFiles(): Promise<readonly string[]>;
  /** How VS Code is started, where not as for the others. */
  host?(): Promise<Partial<HostOptions>>;
  /** What the extension host finds in its environment: where the simulated server is. */
  env?(simulator: Simulator): NodeJS.ProcessEnv;
  /** A server that is added to Checkpoint Health; absent where the other product knows it. */
  server?(simulator: Simulator): ServerToAdd;
  /** As the pane names it. */
  readonly serverName: string;
  /** Brings the pane to the screen, with the server connected. */
  openPane(host: Host, simulator: Simulator): Promise<void>;
  /** Scripts open in an editor that is connected to their server. */
  readonly connectsScripts: boolean;
  /** Name of the server that an editor is connected to; null: to none. @param uri of its document */
  connectedTo(host: Host, uri: string): Promise<string | null>;
}

/** Rows of one tree in the side bar, by the title of its pane. */
export function rowsOf(host: Host, pane: string, text: string | RegExp): Locator {
  const header = host.page.locator('.pane-header').filter({ hasText: pane });
  return host.page
    .locator('.sidebar .pane')
    .filter({ has: header })
    .locator('.pane-body .monaco-list-row')
    .filter({ hasText: text });
}
