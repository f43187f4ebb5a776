/**
 * Whether a text is the address of a server, which host it names, and whether that host may get an access token of
 * Microsoft Entra.
 */
import { readServerAddress } from '../hosts/direct/address';
import type { OwnServer } from '../hosts/host';

export { holdsMore } from '../hosts/direct/address';
export { isWindowsLogin } from '../hosts/direct/login';

/** Why this is no server address, as one sentence that does not repeat it; null if it is one. */
export function explainAddress(server: string, port?: number): string | null {
  try {
    readServerAddress(server, port);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * The host in the form in which hosts are compared, read as our driver reads it: without protocol, instance and port,
 * in lower case.
 */
export function readHost(address: string): string {
  const [, host = ''] = /^(\[[^\]]+\]|[^,\\]+)/.exec(address.trim().replace(/^tcp:/i, '')) ?? [];
  const name = host
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '');
  return name === '.' || name === '(local)' ? 'localhost' : name.replace(/\.$/, '');
}

/** Hosts of Azure SQL, Managed Instance, Fabric and Synapse, in the public cloud and the two sovereign ones. */
const AZURE_HOST =
  /.\.(database\.(windows\.net|usgovcloudapi\.net|chinacloudapi\.cn|fabric\.microsoft\.com)|sql\.azuresynapse\.net|datawarehouse\.fabric\.microsoft\.com)$/;

/**
 * A token for Azure SQL opens every database of the account, so it goes only to Azure's own hosts and to one that the
 * user named for it.
 */
export function mayTakeToken({ server, tokenHost }: Pick<OwnServer, 'server' | 'tokenHost'>): boolean {
  const host = readHost(server);
  return AZURE_HOST.test(host) || (host !== '' && host === tokenHost);
}
