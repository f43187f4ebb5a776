/** The certificates that servers showed first and that the user trusts, and others that were shown later. */
import { CertificateChanged, type ServerAccess } from '../../hosts/host';
import type { SavedServers } from './saved-servers';

/** Fingerprints, as `AB:CD:...` (SHA-256). */
export interface CertificateChange {
  readonly was: string;
  readonly is: string;
}

export class TrustedCertificates {
  /** By id of the server, until a connection succeeds again. */
  private readonly changes = new Map<string, CertificateChange>();

  constructor(private readonly saved: Pick<SavedServers, 'find' | 'keepTrusted'>) {}

  find(serverId: string): string | undefined {
    return this.saved.find(serverId)?.trustedCertificate;
  }

  keep(serverId: string, fingerprint: string): Promise<void> {
    return this.saved.keepTrusted(serverId, fingerprint);
  }

  /**
   * The certificate that the server showed last instead of the remembered one; null if there is none, or if the
   * remembered one has changed since.
   */
  findChange(serverId: string): CertificateChange | null {
    const change = this.changes.get(serverId);
    return change !== undefined && change.was === this.find(serverId) ? change : null;
  }

  /** The same access, which also remembers if the server showed another certificate. */
  watch(access: ServerAccess): ServerAccess {
    const open: ServerAccess['open'] = async (...given) => {
      try {
        const connection = await access.open(...given);
        this.changes.delete(access.id);
        return connection;
      } catch (error) {
        if (error instanceof CertificateChanged && error.is !== '')
          this.changes.set(access.id, { was: error.was, is: error.is });
        throw error;
      }
    };
    return { ...access, open };
  }
}
