/** Azure Data Studio, found by what it offers. Its connections are not used yet: the pane then lives in our own container. */

/** Whether this extension runs in Azure Data Studio: only there a module `azdata` with a version can be loaded (docs/facts.md, Hosts 2). */
export function isAzureDataStudio(): boolean {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a module that only Azure Data Studio has
    return (require('azdata') as { version?: string }).version !== undefined;
  } catch {
    return false;
  }
}
