import assert from 'node:assert/strict';
import { createAnotherWayCommand } from '../../../src/shell/hosts/another-way';
import { Dismissed } from '../../../src/shell/commands';
import { ConnectionHosts } from '../../../src/shell/hosts/connection-hosts';
import { takeUpNode } from '../../../src/shell/hosts/foreign-node';
import { createDesk, type Desk, run, savedServer } from '../fake-editor';
import { FakeHost, hostServer } from '../fake-host';
import { database, facts, snapshot, systemDatabases } from '../sample';

const found = snapshot(facts([...systemDatabases, database(5, 'Payroll'), database(6, 'PAYROLL'), database(7, 'a]b')]));

describe("a node of another product's tree", () => {
  let host: FakeHost;
  let desk: Desk;
  let taken: string[];
  let revealed: string[];

  beforeEach(() => {
    host = new FakeHost();
    host.pointedAt = { server: hostServer, databaseName: null };
    [taken, revealed] = [[], []];
    desk = createDesk(found, []);
  });

  const takeUp = (node: unknown = 'its node'): ReturnType<typeof takeUpNode> => {
    const hosts = new ConnectionHosts({ hosts: [host], onLooked: () => undefined, onFailure: () => undefined }, () => undefined);
    const nodes = {
      hosts,
      connectAnotherWay: async (server: { id: string }) => void taken.push(server.id),
      reveal: (id: string) => void revealed.push(id),
    };
    return takeUpNode(desk.context, nodes, node);
  };
  const pointAt = (databaseName: string): void => void (host.pointedAt = { server: hostServer, databaseName });

  it('puts its server into the list, without connecting, and shows it', async () => {
    assert.deepEqual(await takeUp(), { serverId: 'mssql:11', databaseIds: [], group: null });
    assert.deepEqual([desk.servers.list.find('mssql:11')?.name, revealed, desk.monitors.length], ['Payroll', ['mssql:11'], 0]);
  });

  it('keeps its own database, by the exact name first', async () => {
    pointAt('PAYROLL');
    assert.deepEqual((await takeUp()).databaseIds, [6]);
    pointAt('A]B');
    assert.deepEqual((await takeUp()).databaseIds, [7]);
  });

  it('is explained where its database is gone, or could be one of two', async () => {
    for (const name of ['gone', 'payroll']) {
      pointAt(name);
      await assert.rejects(takeUp(), new Error(`Database ${name} is not on Payroll any more, or this login may not see it.`));
    }
  });

  it('is explained where it is no server', async () => {
    await assert.rejects(takeUp('a folder'), /^Error: This is no server and no database of SQL Server/);
  });

  it('leads to another way where its connection cannot be used', async () => {
    desk = createDesk(found, [true]);
    host.obstacle = 'It shares its connections no longer.';
    await assert.rejects(takeUp(), Dismissed);
    assert.deepEqual([desk.conversation.said, taken], [['It shares its connections no longer.'], ['mssql:11']]);
  });

  it('needs that product no longer where our own driver has taken its server over', async () => {
    host.obstacle = 'It shares its connections no longer.';
    await desk.servers.save({ ...savedServer, id: hostServer.id }, 'p4ssword');
    assert.equal((await takeUp()).serverId, 'mssql:11');
  });
});

describe('connecting another way', () => {
  it('offers our own driver, the taking back of a refusal, another try and the diagnostics', async () => {
    const desk = createDesk(found);
    desk.servers.point(hostServer);
    const host = new FakeHost();
    host.editPermission = async () => undefined;
    const command = createAnotherWayCommand(desk.context, {
      findHost: () => host,
      connectDirectly: async () => undefined,
      showDiagnostics: async () => undefined,
    });
    assert.equal(await run(command, { serverId: 'mssql:11', databaseIds: [] }), undefined);
    assert.deepEqual(
      desk.conversation.offered[0]?.map(({ label }) => label),
      ['Connect Directly…', 'Allow or Deny Use of Its Connections…', 'Try Again', 'Show Connection Diagnostics'],
    );
  });
});
