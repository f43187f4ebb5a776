/**
 * Decides in whose container the pane is, and whose connections come first. It looks at what is there, never at a
 * version (docs/facts.md, Hosts 0).
 */
import { t } from '../../core/language';
import type { HostName } from '../../hosts/host';

/**
 * The pane's view in each host. The ids differ because VS Code refuses a view id that is registered twice
 * (docs/facts.md, Hosts 2).
 */
export const viewIds: Readonly<Record<HostName, string>> = {
  azdata: 'checkpointHealth.servers.azdata',
  mssql: 'checkpointHealth.servers.mssql',
  own: 'checkpointHealth.servers',
};

/** The context key by which the manifest shows exactly one of the three views. */
export const HOST_CONTEXT_KEY = 'checkpointHealth.host';

export const hostNames: Readonly<Record<HostName | 'file', string>> = {
  azdata: 'Azure Data Studio',
  mssql: t('SQL Server extension (mssql)'),
  own: t('Own driver'),
  file: t('Saved capture'),
};

/** What we found out about one way to a server. */
export interface HostFinding {
  readonly name: Exclude<HostName, 'own'>;
  readonly isPresent: boolean;
  /** Why its connections cannot be used, as one sentence; null if they can. */
  readonly obstacle: string | null;
}

export interface HostChoice {
  readonly name: HostName;
  /** In whose container the pane is. It is our own if the product whose connections we use has no container for it. */
  readonly place: HostName;
  /** One sentence. */
  readonly why: string;
}

/** @param findings in order of preference */
export function chooseHost(findings: readonly HostFinding[]): HostChoice {
  const chosen = findings.find(({ obstacle }) => obstacle === null);
  if (chosen !== undefined)
    return {
      name: chosen.name,
      place: chosen.isPresent ? chosen.name : 'own',
      why: t('The connections of {0} can be used.', hostNames[chosen.name]),
    };
  const [present] = findings.filter(({ isPresent }) => isPresent);
  return {
    name: 'own',
    place: 'own',
    why: present?.obstacle ?? t('Neither Azure Data Studio nor the SQL Server extension was found.'),
  };
}
