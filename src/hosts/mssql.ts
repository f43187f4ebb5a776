/** The SQL Server extension of VS Code, found by what it offers. Its connections are not used yet: the pane then lives in our own container. */
import * as vscode from 'vscode';

/** The parts of its manifest that we look at; it has no published typings (docs/facts.md, Hosts 1). */
interface MssqlManifest {
  readonly contributes?: { readonly viewsContainers?: { readonly activitybar?: readonly { readonly id?: string }[] } };
}

/** Whether the SQL Server extension is installed and has the view container that a pane of ours can live in. */
export function hasMssqlContainer(): boolean {
  const manifest = vscode.extensions.getExtension('ms-mssql.mssql')?.packageJSON as MssqlManifest | undefined;
  return manifest?.contributes?.viewsContainers?.activitybar?.some(({ id }) => id === 'objectExplorer') === true;
}
