import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { startSimulator, type Simulator } from '../../simulator/index';
import { vsixFile } from '../../tools/build/vsix';
import { stopAtFailure } from '../e2e/chain';
import { type Host, serverFigure, startHost } from '../e2e/host';
import { listenInSilence } from '../e2e/silent-server';
import { describeConnection, ourRows, saveConnections } from '../e2e/ways/mssql';
import { realMssql } from './real-mssql';

const automatic = '312 of 400 automatic';
/** Polls come every 5 seconds, samples every 15. */
const BACKGROUND_MS = 20_000;

/** Logins that the server refused. */
const countRefused = ({ server }: Simulator): number => server.ledger.logins.filter(({ error }) => error !== null).length;

describe("A bad day by way of the unmodified SQL Server extension's connection", function () {
  this.timeout(300_000);
  stopAtFailure(this);
  const { serverName } = realMssql;
  let simulator: Simulator;
  let host: Host;

  before(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required' });
    host = await startHost({
      vsixFiles: [vsixFile, ...(await realMssql.vsixFiles())],
      ...(await realMssql.host?.()),
    });
    await realMssql.openPane(host, simulator);
    await ourRows(host, serverName).filter({ hasText: automatic }).waitFor();
    await host.takeContextMenuItem(ourRows(host, serverName), 'Start Tracking Checkpoints');
    await ourRows(host, /^\s*Tracking\s*\d/).waitFor();
  });

  after(async () => {
    await host?.dispose();
    await simulator?.close();
  });

  afterEach(async function () {
    await host?.screenshot(`real-mssql-${this.currentTest?.title.slice(0, 40).replace(/\W+/g, '-')}`);
  });

  const goesOn = async (): Promise<void> => {
    await ourRows(host, /^\s*Tracking\s*\d/).waitFor({ timeout: 120_000 });
    await ourRows(host, serverName).filter({ hasText: serverFigure }).waitFor();
  };

  it('a server that goes down is not reached, and all is well soon after it is back', async () => {
    await simulator.replicas[0].door.stop();
    await ourRows(host, serverName)
      .filter({ hasText: /not reached since \d\d:\d\d/ })
      .waitFor();
    await ourRows(host, 'Last seen running').waitFor();
    await simulator.replicas[0].door.start();
    await goesOn();
    assert.equal(countRefused(simulator), 0);
  });

  it('a server that accepts connections and says nothing has not answered, which is no refused login', async () => {
    await simulator.replicas[0].door.stop();
    const silent = await listenInSilence(simulator.port);
    await ourRows(host, serverName)
      .filter({ hasText: /(no answer|not reached) since \d\d:\d\d/ })
      .waitFor();
    await ourRows(host, 'Last seen running').waitFor();
    await host.page.waitForTimeout(60_000);
    assert.equal(await ourRows(host, 'login refused').count(), 0);
    await silent.close();
    await simulator.replicas[0].door.start();
    await goesOn();
    assert.equal(countRefused(simulator), 0);
  });

  it('a password that is changed while it is tracking is refused twice at most, and by nothing after that', async () => {
    simulator.server.changePassword('dba', 'N3w!Passw0rd');
    await ourRows(host, serverName).filter({ hasText: 'login refused' }).waitFor();
    const refused = countRefused(simulator);
    assert.ok(refused >= 1 && refused <= 2, `${refused} logins were refused`);
    await host.page.waitForTimeout(BACKGROUND_MS);
    assert.equal(countRefused(simulator), refused);
    await ourRows(host, 'Last seen running').waitFor();
    simulator.server.changePassword('dba', simulator.administrator.password);
    await host.takeContextMenuItem(ourRows(host, serverName), 'Refresh');
    await goesOn();
  });

  it('a service that is killed is told within seconds, blames no server and no login, and a new window goes on', async () => {
    const refused = countRefused(simulator);
    execFileSync('pkill', ['-9', '-f', 'MicrosoftSqlToolsServiceLayer']);
    await ourRows(host, serverName)
      .filter({ hasText: /not reached since/ })
      .waitFor();
    await ourRows(host, /Trying again .*SQL Tools Service, .* has ended: reload the window/).waitFor();
    await ourRows(host, 'Last seen running').waitFor();
    await host.reload();
    await ourRows(host, serverName).filter({ hasText: 'tracked when last seen' }).waitFor();
    await host.screenshot('real-mssql-tracked-when-last-seen');
    // The password was kept when it was typed.
    await ourRows(host, /^\s*Open/).click();
    await goesOn();
    assert.equal(countRefused(simulator), refused);
  });

  it('two servers whose passwords are not saved ask for none after a reload until a click, and an Escape costs one refused login', async () => {
    const unsaved = (id: string, name: string) => ({ ...describeConnection(id, name, simulator), savePassword: false });
    const ids = ['22222222-2222-3333-4444-555555555555', '33333333-2222-3333-4444-555555555555'] as const;
    await saveConnections(host, [unsaved(ids[0], 'SECRET-1'), unsaved(ids[1], 'SECRET-2')]);
    await ourRows(host, 'SECRET-2').waitFor();
    await host.reload();
    const box = host.page.locator('.quick-input-widget:visible input[type=password]');
    await ourRows(host, 'SECRET-1').waitFor();
    await host.runCommand('Checkpoint Health: Refresh');
    await host.page.waitForTimeout(BACKGROUND_MS);
    assert.equal(await box.count(), 0);

    const refused = countRefused(simulator);
    await ourRows(host, 'SECRET-1').locator('.monaco-tl-twistie').click();
    await ourRows(host, 'Waiting for the password of dba on SECRET-1 (mssql asks at the top of the window)').waitFor();
    await box.waitFor();
    await host.screenshot('real-mssql-waits-for-password');
    await box.press('Escape');
    await ourRows(host, 'SECRET-1').filter({ hasText: 'login refused' }).waitFor();
    await host.page.waitForTimeout(BACKGROUND_MS);
    assert.equal(countRefused(simulator) - refused, 1);
    assert.equal(await box.count(), 0);
  });
});
