/** Another product's connections in the hands of a test. */
import type { ConnectionHost, HostChange, HostServer, PointedAt, ServerListing } from '../../src/hosts/host';

export const hostServer: HostServer = { id: 'mssql:11', name: 'Payroll', server: 'sql11,1433', user: 'dba' };

export class FakeHost implements ConnectionHost {
  obstacle: string | null = null;
  listing: ServerListing = { servers: [hostServer], untrusted: 0 };
  pointedAt: PointedAt | null = null;
  present = true;
  looks = 0;
  editPermission: (() => Promise<void>) | null = null;
  isDisposed = false;
  readonly restoresPanels = true;
  caution: ConnectionHost['caution'] = null;
  readonly editor = { open: async (): Promise<void> => undefined };
  private readonly listeners = new Set<(change: HostChange) => void>();

  constructor(readonly name: 'azdata' | 'mssql' = 'mssql') {}

  isPresent(): boolean {
    return this.present;
  }

  async findObstacle(): Promise<string | null> {
    this.looks++;
    return this.obstacle;
  }

  async listServers(): Promise<ServerListing> {
    return this.listing;
  }

  onDidChange(listener: (change: HostChange) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  change(change: HostChange): void {
    for (const listener of this.listeners) listener(change);
  }

  readTarget(node: unknown): PointedAt | null {
    return node === 'its node' ? this.pointedAt : null;
  }

  access(): never {
    throw new Error('not asked for here');
  }

  async describe(): Promise<readonly string[]> {
    return ['Version 1.42.0'];
  }

  dispose(): void {
    this.isDisposed = true;
  }
}
