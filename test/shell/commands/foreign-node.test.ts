import assert from 'node:assert/strict';
import { createAnotherWayCommand } from '../../../src/shell/commands/another-way';
import { Dismissed } from '../../../src/shell/kit/command-table';
import { ConnectionHosts } from '../../../src/shell/hosts/connection-hosts';
import { takeUpNode } from '../../../src/shell/commands/command-context';
import type { Conversation } from '../../../src/shell/kit/conversation';
import { TrustedCertificates } from '../../../src/shell/servers/trusted-certificates';
import { CertificateChanged } from '../../../src/hosts/host';
import { agree, createDesk, type Desk, openDesk, run, savedServer, serverRow } from '../fake-editor';
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
    await desk.servers.save({ ...savedServer, id: hostServer.id });
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
      findChange: () => null,
      editServer: async () => undefined,
      showDiagnostics: async () => undefined,
    });
    assert.equal(await run(command, { serverId: 'mssql:11', databaseIds: [] }), undefined);
    assert.deepEqual(
      desk.conversation.offered[0]?.map(({ label }) => label),
      ['Connect Directly…', 'Allow or Deny Use of Its Connections…', 'Try Again', 'Show Connection Diagnostics'],
    );
  });

  it('offers to trust the new certificate of a server of our own only where that is what keeps us out', async () => {
    const change = { was: 'AB:CD', is: 'EF:01' };
    const standing = { kind: 'certificate', sentence: 'It is another one.', sinceMs: 0, retryInMs: null } as const;
    for (const [kept, shown, isOffered] of [
      [standing, change, true],
      [standing, null, false],
      [{ ...standing, kind: 'refused' }, change, false],
      [null, change, false],
    ] as const) {
      const desk = await openDesk({ ...found, standing: kept });
      await desk.servers.connect('server-1', agree);
      const command = createAnotherWayCommand(desk.context, {
        findHost: () => undefined,
        connectDirectly: async () => undefined,
        findChange: () => shown,
        editServer: async () => undefined,
        showDiagnostics: async () => undefined,
      });
      await run(command, serverRow);
      const labels = desk.conversation.offered[0]?.map(({ label }) => label);
      assert.deepEqual(labels, [
        ...(isOffered ? ['Trust the New Certificate…'] : []),
        'Edit Server…',
        'Try Again',
        'Show Connection Diagnostics',
      ]);
    }
  });

  it('keeps the new certificate that the user trusts, and connects again', async () => {
    const desk = await openDesk({ ...found, standing: { kind: 'certificate', sentence: '', sinceMs: 0, retryInMs: null } }, []);
    await desk.servers.save({ ...savedServer, trustServerCertificate: true });
    await desk.servers.saved.keepTrusted('server-1', 'AB:CD');
    await desk.servers.connect('server-1', agree);
    const certificates = new TrustedCertificates(desk.servers.saved);
    const shown = new CertificateChanged('It is another one.', 'AB:CD', 'EF:01');
    const access = certificates.watch({ id: 'server-1', open: () => Promise.reject(shown) } as never);
    await assert.rejects((access.open as () => Promise<unknown>)(), shown);
    const first: Conversation['chooseOne'] = async (_, choices) => (choices[0] as (typeof choices)[number]).value;
    const context = { ...desk.context, conversation: Object.assign(desk.conversation, { chooseOne: first, confirm: async () => '' }) };
    const command = createAnotherWayCommand(context as typeof desk.context, {
      findHost: () => undefined,
      connectDirectly: async () => undefined,
      findChange: (serverId) => certificates.findChange(serverId),
      editServer: async () => undefined,
      showDiagnostics: async () => undefined,
    });
    assert.equal(await run(command, serverRow), undefined);
    assert.deepEqual([certificates.find('server-1'), certificates.findChange('server-1')], ['EF:01', null]);
    assert.deepEqual(desk.monitors[0]?.asked.slice(-1), ['refresh']);
  });
});
