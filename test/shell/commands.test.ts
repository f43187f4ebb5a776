import assert from 'node:assert/strict';
import { readTarget } from '../../src/shell/command-target';
import { type CommandHandler, commandIds, type CommandTable, Dismissed, registerCommands } from '../../src/shell/commands';
import { createLog } from '../../src/shell/log';
import { createLookCommands } from '../../src/shell/look-commands';
import { OpenServers } from '../../src/shell/open-servers';
import { createReviewCommand, describeEmptyPlan } from '../../src/shell/review-command';
import { SavedServers } from '../../src/shell/saved-servers';
import { addGivenServer, createServerCommands, type ServerForm } from '../../src/shell/server-commands';
import { createTrackingCommands, describeLeftFiles } from '../../src/shell/tracking-commands';
import { createRow, type Row } from '../../src/shell/tree/row';
import { createDesk, type Desk, FakeMonitor, FakeSecrets, FakeState, savedServer } from './fake-editor';
import { database, facts, snapshot, systemDatabases } from './sample';

const serverRow = createRow({ kind: 'server', id: 'server-1', serverId: 'server-1', label: 'Production 7' });
const databaseRow = (databaseId: number, serverId = 'server-1'): Row => createRow({ kind: 'database', id: `${databaseId}`, serverId, label: `db${databaseId}`, databaseId });
const found = snapshot(facts([...systemDatabases, database(5, 'a'), database(6, 'b'), database(7, 'c', { targetSeconds: 60 })]));

async function openDesk(answers: unknown[] = [], given = found): Promise<Desk> {
  const desk = createDesk(given, answers);
  await desk.servers.save(savedServer, 'p4ssword');
  return desk;
}

/** Runs a handler and says how it ended: undefined where it went well or the user left. */
async function run(handler: CommandHandler, ...args: readonly unknown[]): Promise<string | undefined> {
  try {
    await handler(...args);
    return undefined;
  } catch (error) {
    return error instanceof Dismissed ? undefined : (error as Error).message;
  }
}

describe('the command table', () => {
  const wire = (handler: CommandHandler): { readonly call: () => unknown; readonly errors: string[]; readonly logged: string[] } => {
    const [errors, logged, handlers] = [[] as string[], [] as string[], new Map<string, CommandHandler>()];
    const write = (line: string): void => void logged.push(line);
    const table = Object.fromEntries(commandIds.map((id) => [id, handler])) as CommandTable;
    registerCommands(table, {
      register: (id, registered) => {
        handlers.set(id, registered);
        return { dispose: () => undefined };
      },
      showError: (sentence) => errors.push(sentence),
      log: createLog({ info: write, warn: write, error: write }),
    });
    return { call: () => handlers.get('checkpointHealth.refresh')?.(), errors, logged };
  };

  it('turns an error into one sentence and a log entry without secrets', async () => {
    const bench = wire(() => Promise.reject(new Error('It broke: Password=p4ssword')));
    await bench.call();
    assert.deepEqual(bench.errors, ['It broke: Password=***']);
    assert.equal(bench.logged.length, 1);
    assert.match(bench.logged[0] ?? '', /^checkpointHealth\.refresh: Error: It broke: Password=\*\*\*/);
  });

  it('is silent when the user changed their mind', async () => {
    const bench = wire(() => {
      throw new Dismissed();
    });
    await bench.call();
    assert.deepEqual([bench.errors, bench.logged], [[], []]);
  });
});

describe('what a command is about', () => {
  it('is all databases selected with the one that was clicked, of its server', () => {
    const selection = [databaseRow(5), databaseRow(6), databaseRow(9, 'server-2'), serverRow];
    assert.deepEqual(readTarget(databaseRow(6), selection), { kind: 'target', target: { serverId: 'server-1', databaseIds: [5, 6], group: null } });
  });

  it('is the server when the server was clicked, whatever else is selected', () => {
    assert.deepEqual(readTarget(serverRow, [serverRow, databaseRow(5)]), { kind: 'target', target: { serverId: 'server-1', databaseIds: [], group: null } });
  });

  it('is nothing of ours for nodes of Azure Data Studio and of the mssql extension', () => {
    assert.equal(readTarget({ isConnectionNode: true, connectionProfile: { id: 'x', serverName: 's' } }, undefined).kind, 'foreign');
    assert.equal(readTarget({ nodeType: 'Server', connectionProfile: { server: 's' }, label: 's' }, []).kind, 'foreign');
    assert.equal(readTarget({ serverId: 's', databaseIds: ['5'] }, undefined).kind, 'foreign');
    assert.equal(readTarget(undefined, undefined).kind, 'none');
  });

  it('is explained in one sentence for a node that cannot be used, with a way on', async () => {
    const desk = await openDesk([true]);
    assert.equal(await run(createTrackingCommands(desk.context).startTracking, { isConnectionNode: true, connectionProfile: {} }), undefined);
    assert.deepEqual(desk.conversation.said, ['Connections of other extensions cannot be used yet: add this server in the Checkpoint Health pane.']);
    assert.deepEqual([desk.added, desk.monitors.length], [1, 0]);
  });

  it('is the only server from the palette, and asked for where there are several', async () => {
    const desk = await openDesk([]);
    await run(createTrackingCommands(desk.context).startTracking);
    assert.deepEqual([desk.conversation.said, desk.monitors[0]?.asked], [[], ['refresh', ['startTracking', null]]]);
    await desk.servers.save({ ...savedServer, id: 'server-2', name: 'Two' }, undefined);
    await run(createTrackingCommands(desk.context).startTracking);
    assert.deepEqual(desk.conversation.offered[0]?.map(({ label }) => label), ['Production 7', 'Two']);
  });
});

describe('tracking commands', () => {
  it('start with all databases from the server and with the selected ones from databases', async () => {
    const desk = await openDesk();
    const { startTracking } = createTrackingCommands(desk.context);
    await run(startTracking, serverRow, [serverRow]);
    await run(startTracking, databaseRow(6), [databaseRow(5), databaseRow(6)]);
    assert.deepEqual(desk.monitors[0]?.asked, ['refresh', ['startTracking', null], ['startTracking', [5, 6]]]);
  });

  it('offer the automatic databases first when they are chosen', async () => {
    const desk = await openDesk(['as offered']);
    await run(createTrackingCommands(desk.context).startTrackingChosen, serverRow);
    assert.deepEqual(desk.conversation.offered[0]?.map(({ label, isPicked }) => [label, isPicked]).slice(4), [
      ['a', true],
      ['b', true],
      ['c', false],
    ]);
    assert.deepEqual(desk.monitors[0]?.asked.at(-1), ['startTracking', [5, 6]]);
  });

  it('start nothing when no database is chosen', async () => {
    const desk = await openDesk([[]]);
    assert.equal(await run(createTrackingCommands(desk.context).startTrackingChosen, serverRow), 'No database was chosen, so tracking was not started.');
    assert.deepEqual(desk.monitors[0]?.asked, ['refresh']);
  });

  it('ask before the session is removed, and name the files that stay', async () => {
    const refused = await openDesk([false]);
    await run(createTrackingCommands(refused.context).removeTracking, serverRow);
    assert.deepEqual(refused.monitors[0]?.asked, ['refresh']);
    const desk = await openDesk([true]);
    await desk.servers.connect('server-1');
    (desk.monitors[0] as { leftFiles: readonly string[] }).leftFiles = ['C:\\log\\a_0_1.xel'];
    await run(createTrackingCommands(desk.context).removeTracking, serverRow);
    assert.equal(desk.conversation.said.at(-1), 'The tracking session was removed from Production 7. This file stays on the server: C:\\log\\a_0_1.xel.');
    assert.match(desk.logged.join('\n'), /a_0_1\.xel/);
  });

  it('name three files and count the rest', () => {
    assert.match(describeLeftFiles('P', ['a', 'b', 'c', 'd', 'e']), /on the server: a, b, c and 2 more, all named in the log\.$/);
  });

  it('say why when the server cannot be reached, and ask nothing of it', async () => {
    const desk = await openDesk([], { ...found, connection: 'failed', failure: 'Could not reach sql07,1433.', facts: null });
    assert.equal(await run(createTrackingCommands(desk.context).startTracking, serverRow), 'Could not reach sql07,1433.');
    assert.deepEqual(new Set(desk.monitors[0]?.asked), new Set(['refresh']));
  });
});

describe('reviewing a script', () => {
  const review = (desk: Desk): { readonly handler: CommandHandler; readonly opened: unknown[] } => {
    const opened: unknown[] = [];
    return { handler: createReviewCommand(desk.context, { open: async (text, _title, _serverId, place) => void opened.push([text, place ?? 'in front']) }), opened };
  };

  it('takes databases that were pointed at by name, and opens the change in front and the rollback beside it', async () => {
    const desk = await openDesk(['60']);
    const { handler, opened } = review(desk);
    assert.equal(await run(handler, databaseRow(5), [databaseRow(5), databaseRow(7)]), undefined);
    assert.deepEqual(desk.monitors[0]?.asked.at(-1), ['reviewSwitch', [5, 7], true, 60]);
    assert.deepEqual(opened, [
      ['change', 'in front'],
      ['rollback', 'beside'],
    ]);
  });

  it('takes the databases worth switching from the server, without asking which', async () => {
    const verdicts = new Map(found.verdicts).set(6, { databaseId: 6, verdict: 'Switch', group: 'Switch', reason: '', confidence: 'high' });
    const desk = await openDesk(['60'], { ...found, verdicts });
    await run(review(desk).handler, serverRow);
    assert.deepEqual(desk.monitors[0]?.asked.at(-1), ['reviewSwitch', [6], false, 60]);
  });

  it('offers all automatic databases where no harm was measured, and none that is a system database', async () => {
    const desk = await openDesk(['as offered', '90']);
    await run(review(desk).handler, serverRow);
    assert.deepEqual(desk.conversation.offered[0]?.map(({ label, isPicked }) => [label, isPicked]), [
      ['a', true],
      ['b', true],
    ]);
    assert.deepEqual(desk.monitors[0]?.asked.at(-1), ['reviewSwitch', [5, 6], false, 90]);
  });

  it('asks again before a target under 20 seconds, and writes nothing unless that is confirmed', async () => {
    const refused = await openDesk(['10', false]);
    await run(review(refused).handler, databaseRow(5));
    assert.deepEqual(refused.monitors[0]?.asked, ['refresh']);
    const desk = await openDesk(['10', true]);
    await run(review(desk).handler, databaseRow(5));
    assert.deepEqual(desk.monitors[0]?.asked.at(-1), ['reviewSwitch', [5], true, 10]);
  });

  it('accepts no target that is not a whole number of seconds in range', async () => {
    for (const typed of ['', 'soon', '0', '1.5', '3601', '-1']) {
      const desk = await openDesk([typed]);
      assert.match((await run(review(desk).handler, databaseRow(5))) ?? '', /^not accepted: The target recovery time is /);
    }
  });

  it('says why when nothing can be switched, and opens nothing', async () => {
    const desk = await openDesk(['60']);
    await desk.servers.connect('server-1');
    const plan = { targetSeconds: 60, steps: [], exclusions: [{ name: 'master', reason: 'is a system database' }] };
    (desk.monitors[0] as { review: unknown }).review = { plan, scripts: null };
    const { handler, opened } = review(desk);
    await run(handler, databaseRow(1));
    assert.deepEqual([opened, desk.conversation.said.at(-1)], [[], 'There is nothing to switch: master is a system database.']);
  });

  it('names three reasons and counts the rest', () => {
    const exclusions = ['a', 'b', 'c', 'd'].map((name) => ({ name, reason: 'is offline' }));
    assert.equal(describeEmptyPlan({ targetSeconds: 60, steps: [], exclusions }), 'There is nothing to switch: a is offline; b is offline; c is offline; and 1 more.');
  });

  it('says so when no database of the server is automatic', async () => {
    const desk = await openDesk([], snapshot(facts([database(5, 'a', { targetSeconds: 60 })])));
    assert.match((await run(review(desk).handler, serverRow)) ?? '', /there is nothing to switch\.$/);
  });
});

describe('server commands', () => {
  const form = (revealed: string[] = []): ServerForm => ({
    input: { askText: async () => undefined, askChoice: async () => undefined },
    checkAddress: (server) => (server.startsWith('np:') ? 'Only TCP.' : null),
    reveal: async (serverId) => void revealed.push(serverId),
  });

  it('add a given server once, show it, and change it when it is given again', async () => {
    const desk = createDesk(found);
    const revealed: string[] = [];
    const given = { name: 'Prod', server: 'sql01', user: 'sa', password: 'p4ssword', encrypt: true, trustServerCertificate: false };
    const id = await addGivenServer(desk.context, form(revealed), given);
    assert.equal(await addGivenServer(desk.context, form(revealed), { ...given, password: 'n3wer' }), id);
    assert.deepEqual([desk.servers.saved.list().length, await desk.servers.saved.password(id), revealed], [1, 'n3wer', [id, id]]);
    await assert.rejects(addGivenServer(desk.context, form(), { ...given, server: 'np:x' }), /^Error: Only TCP\.$/);
  });

  it('change nothing when the form is left', async () => {
    const desk = await openDesk();
    const commands = createServerCommands(desk.context, form());
    await run(commands.addServer);
    await run(commands.editServer, serverRow);
    assert.deepEqual([desk.servers.saved.list(), await desk.servers.saved.password('server-1')], [[savedServer], 'p4ssword']);
  });

  it('remove a server only when that is confirmed, and end its monitor', async () => {
    const desk = await openDesk([false, true]);
    await desk.servers.connect('server-1');
    const { removeServer } = createServerCommands(desk.context, form());
    await run(removeServer, serverRow);
    assert.equal(desk.servers.saved.list().length, 1);
    await run(removeServer, serverRow);
    assert.deepEqual([desk.servers.saved.list().length, desk.monitors[0]?.isDisposed, desk.secrets.values.size], [0, true, 0]);
  });

  it('refresh the servers that were opened and leave the others alone', async () => {
    const desk = await openDesk();
    await desk.servers.save({ ...savedServer, id: 'server-2' }, undefined);
    await desk.servers.connect('server-1');
    assert.equal(await run(createServerCommands(desk.context, form()).refresh), undefined);
    assert.deepEqual([desk.monitors.length, desk.monitors[0]?.asked], [1, ['refresh', 'refresh']]);
  });

  it('say what failed after a refresh', async () => {
    const desk = await openDesk([], { ...found, connection: 'failed', failure: 'Login failed.' });
    assert.equal(await run(createServerCommands(desk.context, form()).refresh, serverRow), 'Login failed.');
  });
});

describe('commands that look', () => {
  it('open the dashboard at the database that was clicked, and connect', async () => {
    const desk = await openDesk(['or']);
    const shown: unknown[] = [];
    const filters: unknown[] = [];
    const commands = createLookCommands(desk.context, {
      tree: { filterOf: () => '', filter: (...args) => void filters.push(args), showMore: () => undefined },
      dashboards: { show: (...args) => void shown.push(args) },
      showLog: () => undefined,
    });
    await run(commands.openDashboard, databaseRow(6), [databaseRow(6)]);
    await run(commands.filterDatabases, serverRow);
    assert.deepEqual([shown, filters, desk.monitors[0]?.asked], [[['server-1', 6]], [['server-1', 'or']], ['refresh']]);
  });
});

describe('the open servers', () => {
  it('make one monitor for a server, however often it is asked for', async () => {
    const desk = await openDesk();
    await Promise.all([desk.servers.monitor('server-1'), desk.servers.monitor('server-1'), desk.servers.connect('server-1')]);
    assert.equal(desk.monitors.length, 1);
  });

  it('show a server that was not opened without touching it', async () => {
    const desk = await openDesk();
    assert.deepEqual(desk.servers.snapshots().map(({ label, connection }) => [label, connection]), [['Production 7', 'not connected']]);
    assert.equal(desk.monitors.length, 0);
  });

  it('give up the monitor of a server whose settings changed', async () => {
    const desk = await openDesk();
    await desk.servers.connect('server-1');
    await desk.servers.save({ ...savedServer, user: 'other' }, undefined);
    assert.equal(desk.monitors[0]?.isDisposed, true);
    await desk.servers.connect('server-1');
    assert.equal(desk.monitors.length, 2);
  });

  it('tell which server changed, and end all monitors at the end', async () => {
    const desk = await openDesk();
    const told: unknown[] = [];
    desk.servers.onDidChange((...args) => told.push(args));
    await desk.servers.connect('server-1');
    await desk.servers.dispose();
    assert.deepEqual([told, desk.monitors[0]?.isDisposed], [[['server-1', 'facts']], true]);
  });

  it('make a monitor anew after one could not be made', async () => {
    const saved = new SavedServers(new FakeState(), new FakeSecrets());
    await saved.save(savedServer, undefined);
    let attempts = 0;
    const servers = new OpenServers(saved, {
      createMonitor: async () => {
        if (++attempts === 1) throw new Error('The chunk could not be loaded.');
        return new FakeMonitor('server-1', found);
      },
      summarizeCapture: () => null,
    });
    await assert.rejects(servers.monitor('server-1'), /could not be loaded/);
    assert.equal((await servers.monitor('server-1')).id, 'server-1');
    await assert.rejects(servers.monitor('nobody'), /no longer in the list/);
  });
});
