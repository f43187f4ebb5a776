import assert from 'node:assert/strict';
import { createTrackingCommands } from '../../../src/shell/commands/tracking-commands';
import { databaseRow, type Desk, openDesk, run, serverRow, agree, createDesk, savedServer } from '../fake-editor';
import { database, facts, snapshot, systemDatabases } from '../sample';
import { createAnotherWayCommand } from '../../../src/shell/commands/another-way';
import { Dismissed, NotReached } from '../../../src/shell/kit/command-table';
import { ConnectionHosts } from '../../../src/shell/hosts/connection-hosts';
import { connectTo, takeUpNode } from '../../../src/shell/commands/command-context';
import type { Conversation } from '../../../src/shell/kit/conversation';
import { TrustedCertificates } from '../../../src/shell/servers/trusted-certificates';
import { CertificateChanged } from '../../../src/hosts/host';
import { FakeHost, hostServer } from '../fake-host';

const found = snapshot(facts([...systemDatabases, database(5, 'a'), database(6, 'b'), database(7, 'c', { targetSeconds: 60 })]));

describe('A command that connects', () => {
  it('is left without a word when the user cancels it, and the server is read all the same', async () => {
    const desk = await openDesk(found);
    const cancel = new AbortController();
    desk.conversation.showWork = (_, work) => {
      const working = work(cancel.signal);
      cancel.abort();
      return working;
    };
    await assert.rejects(connectTo(desk.context, 'server-1'), Dismissed);
    await new Promise(setImmediate);
    assert.equal(desk.servers.snapshot('server-1').connection, 'connected');
  });

  it('leads to the other ways where the server is not reached', async () => {
    const sentence = 'Not allowed to use the connections of the SQL Server extension.';
    const desk = await openDesk({ ...found, connection: 'failed', failure: sentence, facts: null });
    await assert.rejects(connectTo(desk.context, 'server-1'), new NotReached(sentence, 'server-1'));
  });
});

describe('Commands that change a server', () => {
  const tracking = { ...found, tracking: { ...found.tracking, state: 'tracking' as const }, trackedDatabaseIds: [5, 6] };
  const looksLikeOurs = [
    ['a copy of a row of ours', { ...databaseRow(6) }],
    ['a target as our dashboard has one', { serverId: 'server-1', databaseIds: [6], group: null }],
  ] as const;
  const steps = [
    ['startTracking', /^Track checkpoints of one database on Production 7 \(sql07\)\?$/],
    ['startTrackingChosen', /^Track checkpoints of databases that you choose on Production 7 \(sql07\)\?$/],
    ['stopTracking', /^Stop tracking checkpoints on Production 7 \(sql07\)\?$/],
    ['removeTracking', /^Remove the tracking session from Production 7 \(sql07\)\?$/],
    ['addToTracking', /^Track more databases of Production 7 \(sql07\)\?$/],
    ['removeFromTracking', /^Track fewer databases of Production 7 \(sql07\)\?$/],
  ] as const;
  const changed = (desk: Desk): readonly unknown[] => (desk.monitors[0]?.asked ?? []).filter((each) => each !== 'look');

  for (const [step, question] of steps)
    it(`ask once, with the server's name and address, where not our own pane asked for it: ${step}`, async () => {
      for (const [what, given] of looksLikeOurs) {
        const target = step === 'addToTracking' ? { ...given, databaseId: 7, databaseIds: [7] } : given;
        const before = step.startsWith('start') ? found : tracking;
        const refused = await openDesk(before, [false]);
        await run(createTrackingCommands(refused.context)[step], target);
        assert.deepEqual([refused.conversation.said.length, changed(refused)], [1, []], what);
        assert.match(refused.conversation.said[0] ?? '', question);
        const agreed = await openDesk(before, [true, [6]]);
        assert.equal(await run(createTrackingCommands(agreed.context)[step], target), undefined);
        assert.deepEqual([agreed.conversation.details.length, changed(agreed).length], [1, 1], what);
      }
    });

  it('run at once from a row of our own pane', async () => {
    const desk = await openDesk(tracking);
    const { stopTracking, addToTracking, removeFromTracking } = createTrackingCommands(desk.context);
    await run(addToTracking, databaseRow(7));
    await run(removeFromTracking, databaseRow(6));
    await run(stopTracking, serverRow);
    assert.deepEqual([desk.conversation.said, changed(desk).length], [[], 3]);
    const idle = await openDesk(found);
    await run(createTrackingCommands(idle.context).startTracking, serverRow);
    assert.deepEqual([idle.conversation.said, changed(idle).length], [[], 1]);
  });

  for (const [step, deed] of [
    ['startTracking', /CheckpointHealth is created and started on that server\./],
    ['stopTracking', /CheckpointHealth is read to its end and stopped\./],
  ] as const)
    it(`ask where a node of another product's tree was pointed at, which anything can make up: ${step}`, async () => {
      const desk = await openDesk(tracking, [false]);
      const takeUpNode = async () => ({ serverId: 'server-1', databaseIds: [], group: null });
      await run(createTrackingCommands({ ...desk.context, takeUpNode })[step], { connectionProfile: { serverName: 'sql07' } });
      assert.deepEqual([desk.conversation.said.length, desk.monitors.length], [1, 0]);
      assert.match(desk.conversation.details[0] ?? '', deed);
      assert.match(desk.conversation.details[0] ?? '', /The request did not come from the Checkpoint/);
    });

  it('only look without a question, whoever runs them', async () => {
    const desk = await openDesk(found);
    await run(createTrackingCommands(desk.context).showTrackingSql, { ...serverRow });
    assert.deepEqual([desk.conversation.said, desk.conversation.shown.length], [[], 1]);
  });
});

const payroll = snapshot(facts([...systemDatabases, database(5, 'Payroll'), database(6, 'PAYROLL'), database(7, 'a]b')]));

describe("a node of another product's tree", () => {
  let host: FakeHost;
  let desk: Desk;
  let taken: string[];
  let revealed: string[];

  beforeEach(() => {
    host = new FakeHost();
    host.pointedAt = { server: hostServer, databaseName: null };
    [taken, revealed] = [[], []];
    desk = createDesk(payroll, []);
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
      await assert.rejects(takeUp(), new Error(`Database ${name} is no longer on Payroll, or this login may not see it.`));
    }
  });

  it('is explained where it is no server', async () => {
    await assert.rejects(takeUp('a folder'), /^Error: This is not a SQL Server or one of its databases/);
  });

  it('leads to another way where its connection cannot be used', async () => {
    desk = createDesk(payroll, [true]);
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
    const desk = createDesk(payroll);
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
      const desk = await openDesk({ ...payroll, standing: kept });
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
    const desk = await openDesk({ ...payroll, standing: { kind: 'certificate', sentence: '', sinceMs: 0, retryInMs: null } }, []);
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
