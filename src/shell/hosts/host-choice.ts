/**
 * Decides in whose container the pane is, and whose connections come first. It looks at what is there, never at a
 * version (docs/facts.md, Hosts 0).
 */
import { t } from '../../core/language';
import { type HostName, NO_OTHER_HOST, type OtherHost, otherHostNames, otherHosts } from '../../hosts/host';

const OWN_VIEW = 'checkpointHealth.servers';

/**
 * The pane's view in each host. The ids differ because VS Code refuses a view id that is registered twice
 * (docs/facts.md, Hosts 2).
 */
export const viewIds = Object.fromEntries([
  ['own', OWN_VIEW],
  ...otherHostNames.map((name) => [name, `${OWN_VIEW}.${name}`]),
]) as Readonly<Record<HostName, string>>;

/** The context key by which the manifest shows exactly one of the views. */
export const HOST_CONTEXT_KEY = 'checkpointHealth.host';

export function nameWay(way: HostName | 'file'): string {
  if (way === 'own') return t('Own driver');
  return way === 'file' ? t('Saved capture') : otherHosts[way].name;
}

/** What we found out about one way to a server. */
export interface HostFinding {
  readonly name: OtherHost;
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
      why: t('The connections of {0} can be used.', nameWay(chosen.name)),
    };
  const [present] = findings.filter(({ isPresent }) => isPresent);
  return {
    name: 'own',
    place: 'own',
    why: present?.obstacle ?? NO_OTHER_HOST,
  };
}
