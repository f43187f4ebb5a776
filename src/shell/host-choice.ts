/** In whose tree the pane lives. Found by what is there, never by a version (docs/facts.md, Hosts 0). */

export type HostName = 'azdata' | 'mssql' | 'own';

/** The pane's view in each host; ids differ because a view id registered twice is refused (docs/facts.md, Hosts 2). */
export const viewIds: Readonly<Record<HostName, string>> = {
  azdata: 'checkpointHealth.servers.azdata',
  mssql: 'checkpointHealth.servers.mssql',
  own: 'checkpointHealth.servers',
};

/** The context key by which the manifest shows exactly one of the three views. */
export const hostContextKey = 'checkpointHealth.host';

/** @param present hosts found here @param adapters hosts whose connections we can use */
export function chooseHost(present: ReadonlySet<HostName>, adapters: ReadonlySet<HostName>): HostName {
  const order: readonly HostName[] = ['azdata', 'mssql'];
  return order.find((host) => present.has(host) && adapters.has(host)) ?? 'own';
}
