/** Another product's connections in the hands of a test. */
import assert from 'node:assert/strict';
import type { ConnectionHost, HostChange, HostServer, PointedAt, ServerListing } from '../../src/hosts/host';
import { Emitter } from '../emitter';

export const hostServer: HostServer = { id: 'mssql:11', name: 'Payroll', server: 'sql11,1433', user: 'dba' };

export class FakeHost implements ConnectionHost {
  readonly name = 'mssql';
  obstacle: string | null = null;
  listing: ServerListing = { servers: [hostServer], untrusted: 0 };
  pointedAt: PointedAt | null = null;
  present = true;
  looks = 0;
  editPermission: (() => Promise<void>) | null = null;
  isDisposed = false;
  caution: ConnectionHost['caution'] = null;
  readonly restoresPanels = true;
  readonly editor = { open: async (): Promise<null> => null };
  private readonly changes = new Emitter<HostChange>();

  readonly isPresent = (): boolean => this.present;
  findObstacle: ConnectionHost['findObstacle'] = async () => (this.looks++, this.obstacle);
  readonly listServers = async (): Promise<ServerListing> => this.listing;
  readonly onDidChange = this.changes.event;
  readonly change = this.changes.fire;
  readonly readTarget = (node: unknown): PointedAt | null => (node === 'its node' ? this.pointedAt : null);
  readonly access = (): never => assert.fail('not asked for here');
  readonly describe = async (): Promise<readonly string[]> => ['Version 1.42.0'];
  readonly dispose = (): void => void (this.isDisposed = true);
}
