/** What an administrator forbids by settings of the editor, and why these rules forbid a server. */
import { t } from '../core/language';
import { ConnectionError, type OwnServer, type ServerAccess } from '../hosts/host';
import { readHost } from './address';

export interface ConnectionRules {
  readonly allowTrustServerCertificate: boolean;
  readonly allowStoredPasswords: boolean;
  readonly allowNtlm: boolean;
  /** Logins as yourself. Azure Data Studio makes them by its own connections, and loads no native code of ours. */
  readonly allowIntegrated: boolean | 'not in Azure Data Studio';
  /** Host names, also with `*`; empty allows any. */
  readonly allowedHosts: readonly string[];
}

/** A setting of the wrong type forbids. */
export function readRules(
  settings: Readonly<Record<keyof ConnectionRules, unknown>>,
  isAzureDataStudio = false,
): ConnectionRules {
  const { allowedHosts: hosts } = settings;
  const entries: readonly unknown[] = Array.isArray(hosts)
    ? hosts
    : hosts === undefined || hosts === null
      ? []
      : [hosts];
  return {
    allowTrustServerCertificate: settings.allowTrustServerCertificate === true,
    allowStoredPasswords: settings.allowStoredPasswords === true,
    allowNtlm: settings.allowNtlm === true,
    allowIntegrated: isAzureDataStudio ? 'not in Azure Data Studio' : settings.allowIntegrated === true,
    allowedHosts: entries.map((entry) => (typeof entry === 'string' ? entry.trim().toLowerCase() : '')),
  };
}

/** Why this server of our own may not be used, as one sentence; null if it may. */
export function explainForbidden(
  described: Omit<OwnServer, 'id' | 'name'>,
  rules: ConnectionRules,
): string | null {
  if (trustsAny(described) && !rules.allowTrustServerCertificate)
    return t(
      'The setting {0} does not allow trusting a server certificate unchecked. Ask the administrator of this editor.',
      'checkpointHealth.connections.allowTrustServerCertificate',
    );
  if (described.authentication === 'windows' && !rules.allowNtlm)
    return t(
      'The setting {0} does not allow Windows logins by NTLM. Ask the administrator of this editor.',
      'checkpointHealth.connections.allowNtlm',
    );
  if (described.authentication === 'integrated' && rules.allowIntegrated !== true)
    return explainIntegrated(rules.allowIntegrated);
  return explainForbiddenHost(described.server, rules);
}

function explainIntegrated(allowed: 'not in Azure Data Studio' | false): string {
  return allowed === false
    ? t(
        'The setting {0} does not allow logins as yourself. Ask the administrator of this editor.',
        'checkpointHealth.connections.allowIntegrated',
      )
    : t('In Azure Data Studio, log in as yourself by one of its own connections.');
}

/** Whether a certificate is accepted that no authority vouches for. A strict connection checks it in every case. */
export function trustsAny({
  encrypt,
  trustServerCertificate,
}: Pick<OwnServer, 'encrypt' | 'trustServerCertificate'>): boolean {
  return trustServerCertificate && encrypt !== 'strict';
}

/** Why nothing may connect to that address, in any way, as one sentence; null if it may. */
export function explainForbiddenHost(address: string, { allowedHosts }: ConnectionRules): string | null {
  const host = readHost(address);
  if (allowedHosts.length === 0 || allowedHosts.some((entry) => isMatch(entry, host))) return null;
  return t(
    'The setting {0} does not allow a connection to {1}. Ask the administrator of this editor.',
    'checkpointHealth.connections.allowedHosts',
    host === '' ? address : host,
  );
}

/**
 * The same access, but it checks before each connection whether it is still allowed.
 * @param explain why it is not, as one sentence; null if it is
 */
export function guardAccess(access: ServerAccess, explain: () => string | null): ServerAccess {
  const open: ServerAccess['open'] = async (...given) => {
    const reason = explain();
    if (reason !== null) throw new ConnectionError('permissionDenied', reason);
    return access.open(...given);
  };
  return { ...access, open };
}

/** A connection of another product: its login and certificate are its own, and only the host can be forbidden. */
export function guardHost(access: ServerAccess, address: string, rules: () => ConnectionRules): ServerAccess {
  return guardAccess(access, () => explainForbiddenHost(address, rules()));
}

/**
 * A `*` in front matches any name. In a numeric address it matches only numbers, because 10.1.example.com is a name.
 * Elsewhere it matches a part of a name without a dot.
 */
function isMatch(entry: string, host: string): boolean {
  const any = /^[\d.*]+$/.test(entry) && /\d/.test(entry) ? '[\\d.]*' : '[^.]*';
  const pattern = entry
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .reduce(
      (whole, part, at) => whole + (at === 1 && entry.startsWith('*') && any === '[^.]*' ? '.*' : any) + part,
    );
  return entry !== '' && new RegExp(`^${pattern}$`).test(host);
}
