import assert from 'node:assert/strict';
import { Dismissed } from '../../../src/shell/kit/command-table';
import type { Standing } from '../../../src/monitor/queries/login-standing';
import { newAnswers } from '../../../src/shell/servers/server-answers';
import {
  connectDirectly,
  createServerCommands,
  type ServerForm,
  trustCertificate,
} from '../../../src/shell/commands/server-commands';
import {
  agree,
  createDesk,
  createForm,
  type Desk,
  nothingForbidden,
  openDesk,
  run,
  savedServer,
  serverRow,
} from '../fake-editor';
import { hostServer } from '../fake-host';
import { FakeInput } from '../servers/form-bench';
import { facts, partsOf, snapshot, systemDatabases } from '../sample';

const found = snapshot(facts(systemDatabases));
const whole = 'Server=tcp:SQL01,1433;User ID=sa;Password=p4ssword;Encrypt=True;TrustServerCertificate=True';

describe('server commands', () => {
  let dashboards: unknown[];
  beforeEach(() => (dashboards = []));

  const form = (desk: Desk, ...answers: string[]): ServerForm =>
    createForm(desk, answers, { showDashboard: (...shown) => void dashboards.push(shown) });
  const commands = (desk: Desk, ...answers: string[]) =>
    createServerCommands(desk.context, form(desk, ...answers));
  const addServer = (desk: Desk, ...answers: string[]): Promise<string | undefined> =>
    run(commands(desk, ...answers).addServer);
  const kept = (desk: Desk, at = 0) =>
    desk.servers.saved.list()[at] ?? assert.fail('there is no such server');

  it('add a server by its connection string: the password is stored once the server took it, and nothing of the string', async () => {
    const desk = createDesk(found);
    assert.equal(await addServer(desk, whole), undefined);
    const added = kept(desk);
    assert.deepEqual([added.name, added.server, added.authentication], ['SQL01', 'tcp:SQL01,1433', 'sql']);
    assert.deepEqual(
      [desk.secrets.values.size, await desk.passwords.password(added, false)],
      [0, 'p4ssword'],
    );
    await desk.passwords.accepted(added, 'p4ssword');
    assert.equal(await desk.servers.saved.password(added.id), 'p4ssword');
    desk.context.log.error('the driver says p4ssword');
    assert.doesNotMatch(JSON.stringify([...desk.state.values, ...desk.logged]), /p4ssword|User ID/);
  });

  it('change the server that is added a second time, keep its name, and make no second row', async () => {
    const desk = createDesk(found);
    await addServer(desk, whole);
    await desk.servers.save({ ...kept(desk), name: 'Prod', asksPassword: true });
    await addServer(desk, whole.replace('tcp:SQL01,1433', 'sql01').replace('p4ssword', 'n3wer'));
    assert.deepEqual(
      [kept(desk).name, kept(desk).asksPassword, await desk.passwords.password(kept(desk), false)],
      ['Prod', true, 'n3wer'],
    );
    await addServer(desk, whole.replace('ID=sa', 'ID=dba'));
    assert.deepEqual(partsOf(desk.servers.saved.list(), 'name'), ['Prod', 'SQL01']);
  });

  it('send tokens to a host that is not of Azure only if the user says so, and keep that answer for that host', async () => {
    const entra = 'Server=sql01;Authentication=Active Directory Default;Encrypt=Strict';
    const left = createDesk(found, [false]);
    assert.equal(await addServer(left, entra), undefined);
    assert.deepEqual(
      [left.servers.saved.list(), left.conversation.said],
      [[], ['Send Microsoft Entra tokens to sql01?']],
    );
    assert.match(
      left.conversation.details[0] ?? '',
      /^sql01 is not an Azure host\. A token for Azure SQL is sent to it/,
    );

    const desk = createDesk(found, [true, true]);
    await addServer(desk, entra);
    assert.equal(kept(desk).tokenHost, 'sql01');
    const row = { ...serverRow, serverId: kept(desk).id };
    await run(commands(desk, 'sql01', '', '', '', 'Renamed').editServer, row);
    assert.deepEqual([kept(desk).name, desk.conversation.said.length], ['Renamed', 1]);
    await run(commands(desk, 'sql02', '', '', '', 'Moved').editServer, row);
    assert.deepEqual([kept(desk).tokenHost, desk.conversation.said.length], ['sql02', 2]);
    await addServer(desk, entra.replace('sql01', 'shop.database.windows.net'));
    assert.deepEqual([kept(desk, 1).name, desk.conversation.said.length], ['shop.database.windows.net', 2]);
  });

  it('keep nothing of a server that an administrator forbids meanwhile', async () => {
    const desk = createDesk(found);
    let asked = 0;
    const rules: ServerForm['rules'] = () => ({ ...nothingForbidden, allowNtlm: asked++ === 0 });
    const form = createForm(desk, ['sql01', 'C\\ann', 'p4ss'], { rules });
    const said = await run(createServerCommands(desk.context, form).addServer);
    assert.match(String(said), /connections\.allowNtlm/);
    assert.deepEqual(desk.servers.saved.list(), []);
  });

  it('ask at once whether to trust a certificate that nobody vouches for, and connect again if the user does', async () => {
    const standing: Standing = { kind: 'certificate', sentence: 'Unknown.', sinceMs: 0, retryInMs: null };
    const failed = { ...found, connection: 'failed', failure: standing.sentence, standing } as const;
    const desk = createDesk(failed, [false, true]);
    const question = 'Trust the certificate of sql01?';
    assert.equal(await addServer(desk, 'sql01', 'sa', 'p4ss'), undefined);
    assert.deepEqual([desk.conversation.said, kept(desk).trustServerCertificate], [[question], false]);
    // The fake server is not to be reached the second time either: that is told, and not asked once more.
    assert.equal(await addServer(desk, 'sql01', 'sa', 'p4ss'), standing.sentence);
    assert.deepEqual([desk.conversation.said.length, kept(desk).trustServerCertificate], [2, true]);
    assert.equal(await desk.passwords.password(kept(desk), false), 'p4ss');
  });

  it('accept a new certificate only if the user does, who sees both, and leave what goes on alone', async () => {
    const desk = await openDesk(found, [false, true]);
    await desk.servers.save({ ...savedServer, trustServerCertificate: true });
    await desk.servers.saved.keepTrusted('server-1', 'AB:CD');
    await desk.servers.connect('server-1', agree);
    const change = { was: 'AB:CD', is: 'EF:01' };
    const trust = (): Promise<void> =>
      trustCertificate(desk.context, () => nothingForbidden, kept(desk), change);
    await assert.rejects(trust, Dismissed);
    assert.equal(kept(desk).trustedCertificate, 'AB:CD');
    assert.match(
      desk.conversation.details[0] ?? '',
      /^Remembered: AB:CD\nShown now: EF:01\n[^]*makes itself a new certificate at each start[^]*would look the same/,
    );
    await trust();
    assert.deepEqual([kept(desk).trustedCertificate, desk.monitor.isDisposed], ['EF:01', false]);
    await assert.rejects(trust, /has changed in the meantime\. Connect again/);
  });

  it('accept no certificate for a server that was removed, moved or forbidden to do so during the question', async () => {
    for (const was of ['', 'AB:CD'])
      for (const [change, after] of [
        [(desk: Desk) => desk.servers.remove(savedServer.id), nothingForbidden],
        [(desk: Desk) => desk.servers.save({ ...kept(desk), server: 'elsewhere' }), nothingForbidden],
        [async () => undefined, { ...nothingForbidden, allowTrustServerCertificate: false }],
      ] as const) {
        const desk = await openDesk(found, [true]);
        await desk.servers.save({ ...savedServer, trustServerCertificate: was !== '' });
        if (was !== '') await desk.servers.saved.keepTrusted('server-1', was);
        const { confirm } = desk.conversation;
        let rules = nothingForbidden;
        desk.conversation.confirm = async (...asked) => {
          await change(desk);
          rules = after;
          return confirm(...asked);
        };
        const next = was === '' ? null : { was, is: 'EF:01' };
        const accepted = trustCertificate(desk.context, () => rules, kept(desk), next);
        await assert.rejects(accepted, /has changed in the meantime/);
        assert.equal(desk.conversation.said.length, 1);
        for (const server of desk.servers.saved.list())
          assert.ok(was === '' ? !server.trustServerCertificate : server.trustedCertificate !== 'EF:01');
      }
  });

  it('keep the id of a server that another product led to', async () => {
    const desk = createDesk(found);
    await connectDirectly(desk.context, form(desk, 'sa', 'p4ssword'), {
      id: 'mssql:7',
      name: 'Prod',
      server: 'sql01',
      user: null,
    });
    assert.deepEqual(partsOf(desk.servers.saved.list(), 'id'), ['mssql:7']);
  });

  it('ask only for the password of a server whose connection is known, and for none where it has none', async () => {
    const server = { id: 'mssql:7', name: 'Payroll', server: 'sql07', user: null, login: 'Windows login' };
    const known = { ...newAnswers, server: 'SQL07,1433', trustServerCertificate: true, database: 'app' };
    for (const [login, asked] of [
      [{ authentication: 'windows', user: 'CONTOSO\\ann' }, ['Password']],
      [{ authentication: 'sql', user: 'dba' }, ['Password']],
      [{ authentication: 'integrated', user: '' }, []],
      [{ authentication: 'entra', user: '' }, []],
    ] as const) {
      const desk = createDesk(found, [true]);
      const input = new FakeInput(['p4ss']);
      await connectDirectly(desk.context, createForm(desk, [], { input }), server, { ...known, ...login });
      assert.deepEqual(input.asked, asked);
      const { id, name, authentication, user, database } = kept(desk);
      assert.deepEqual(
        { id, name, authentication, user, database },
        { id: 'mssql:7', name: 'Payroll', ...login, database: 'app' },
      );
      assert.equal(kept(desk).trustServerCertificate, login.authentication !== 'entra');
    }
    const desk = createDesk(found);
    await connectDirectly(desk.context, form(desk, 'sa', 'p4ss'), server, { ...known, server: 'lab' });
    assert.deepEqual([kept(desk).trustServerCertificate, kept(desk).database], [false, undefined]);
  });

  it('change nothing when the form is left', async () => {
    const desk = await openDesk(found);
    await addServer(desk);
    await run(commands(desk).editServer, serverRow);
    assert.deepEqual(
      [desk.servers.saved.list(), await desk.servers.saved.password('server-1')],
      [[savedServer], 'p4ssword'],
    );
  });

  it('remove a server only when that is confirmed, and end its monitor', async () => {
    const desk = await openDesk(found, [false, true]);
    await desk.servers.connect('server-1', agree);
    await run(commands(desk).removeServer, serverRow);
    assert.equal(desk.servers.saved.list().length, 1);
    await run(commands(desk).removeServer, serverRow);
    assert.deepEqual(
      [desk.servers.saved.list().length, desk.monitor.isDisposed, desk.secrets.values.size],
      [0, true, 0],
    );
  });

  it('remove no server that another product lists, and one that it lists no more', async () => {
    const desk = await openDesk(found, [true]);
    const { removeServer } = commands(desk);
    const row = { ...serverRow, serverId: hostServer.id };
    desk.servers.list.takeIn({ servers: [hostServer], untrusted: 0 });
    assert.match(String(await run(removeServer, row)), /Remove it where it comes from/);
    assert.deepEqual(desk.conversation.said, []);
    desk.servers.list.takeIn({ servers: [], untrusted: 0 });
    desk.servers.point(hostServer);
    await run(removeServer, row);
    assert.equal(desk.servers.list.find(hostServer.id), undefined);
  });

  it('show the dashboard beside the pane, which may be too low to read', async () => {
    const desk = await openDesk(found);
    assert.equal(await run(commands(desk).openServer, serverRow), undefined);
    assert.deepEqual(dashboards, [['server-1', null]]);
  });

  describe('that refresh', () => {
    /** A desk whose server failed at its first look, and how many times the user is asked to log in. */
    async function openFailed(
      kind: Standing['kind'],
      more: Partial<typeof found> = {},
      answers: unknown[] = [],
    ): Promise<Desk> {
      const standing: Standing = {
        kind,
        sentence: 'It failed.',
        sinceMs: 0,
        retryInMs: kind === 'unreachable' ? 1 : null,
      };
      const desk = await openDesk(
        { ...found, connection: 'failed', failure: standing.sentence, standing, ...more },
        answers,
      );
      await desk.servers.look('server-1');
      return desk;
    }

    it('read the servers that were opened and leave the others alone', async () => {
      const desk = await openDesk(found);
      await desk.servers.save({ ...savedServer, id: 'server-2' });
      await desk.servers.connect('server-1', agree);
      assert.equal(await run(commands(desk).refresh), undefined);
      assert.deepEqual([desk.monitors.length, desk.asked()], [1, ['look', 'refresh']]);
    });

    it('read a server that refused a login only from its own row, or once the user said so: anything can run a command', async () => {
      const desk = await openFailed('refused', {}, [false, true]);
      const { refresh } = commands(desk);
      const again = 'Log in to Production 7 again?';
      for (const [invoked, said, asked] of [
        [undefined, [again], []],
        [{ ...serverRow }, [again, again], ['refresh']],
        [serverRow, [again, again], ['refresh', 'refresh']],
      ] as const) {
        await run(refresh, invoked);
        assert.deepEqual([desk.conversation.said, desk.changed()], [said, asked]);
      }
    });

    it('leave a server alone that was never open and would ask the user, or whose login was refused', async () => {
      for (const kind of ['waiting', 'refused'] as const) {
        const desk = await openFailed(kind, { facts: null });
        await run(commands(desk).refresh);
        assert.deepEqual([desk.asked(), desk.conversation.said], [['look'], []], kind);
      }
    });

    it('try a server again that was not reached yet, but without asking the user anything for it, and say what failed', async () => {
      const desk = await openFailed('unreachable', { facts: null });
      const { refresh } = commands(desk);
      assert.equal(await run(refresh), 'It failed.');
      assert.deepEqual(desk.asked(), ['look', 'look now']);
      assert.equal(await run(refresh, serverRow), 'It failed.');
      assert.deepEqual(desk.asked(), ['look', 'look now', 'refresh']);
    });
  });
});
