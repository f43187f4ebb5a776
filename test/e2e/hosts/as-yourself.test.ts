import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '../../../simulator/index';
import { packagePlatforms, platformFile, vsixFile } from '../../../tools/build/vsix';
import { type KerberosDomain, startKerberos } from '../../../tools/clients/kerberos';
import { checkTicket } from '../../clients/ticket-check';
import { prepareOrSkip } from '../../pending';
import { lookAfter } from '../chain';
import { type Host, startHost } from '../host';
import { makeFolder } from '../../temporary-folder';

describe('A domain administrator in VS Code, with no other extension', function () {
  let domain: KerberosDomain | undefined;
  let simulator: Simulator;
  let host: Host;
  let logins = 0;
  let env: Readonly<Record<string, string>>;
  const folder = makeFolder();
  lookAfter(this, 'as-yourself', () => host);

  before(async function () {
    domain = await prepareOrSkip(this, startKerberos);
    await packagePlatforms(['linux-x64']);
    const counted: typeof checkTicket = (...given) => {
      logins++;
      return checkTicket(...given);
    };
    simulator = await startSimulator({ rate: 4, tls: 'required', checkTicket: counted });
    process.env.KRB5_KTNAME = await domain.add(`MSSQLSvc/localhost:${simulator.port}`);
    // The authority of the domain, which the computers in it trust.
    const authority = join(folder, 'authority.pem');
    writeFileSync(authority, simulator.certificate ?? '');
    env = {
      KRB5_CONFIG: domain.configFile,
      KRB5CCNAME: await domain.logIn('svc-monitor', await domain.add('svc-monitor')),
      NODE_EXTRA_CA_CERTS: authority,
    };
  });
  after(async () => {
    delete process.env.KRB5_KTNAME;
    await simulator?.close();
    await domain?.stop();
  });

  /** Adds the server as a user does, by the two questions. */
  async function addServer(vsix: string, given = env): Promise<void> {
    host = await startHost({ vsixFiles: [vsix], env: given });
    await host.openViewContainer('Checkpoint Health');
    await host.runCommand('Checkpoint Health: Add Server');
    const box = host.page.locator('.quick-input-widget:visible');
    await box.getByText('(1/').waitFor();
    await box.locator('input').fill(`localhost,${simulator.port}`);
    await host.page.keyboard.press('Enter');
    await box.getByText('(2/').waitFor();
    await host.choose('As Yourself');
    await host.treeRows(`localhost,${simulator.port}`).first().waitFor();
    assert.equal(await box.count(), 0);
  }

  it('is told by the plain package which one to install, and no login is sent', async () => {
    await addServer(vsixFile);
    await host.treeRows(/cannot log in as yourself: install the one for linux-x64\./).waitFor();
    assert.equal(logins, 0);
    await host.dispose();
  });

  it('has a server in the pane after two questions and without a password, by one login', async () => {
    await addServer(platformFile('linux-x64'));
    await host.treeRows(/\d+ of \d+ automatic/).waitFor();
    assert.deepEqual([logins, await host.notifications()], [1, []]);
    await host.dispose();
  });

  it('has it after three where no authority vouches for the certificate, by one login', async () => {
    logins = 0;
    await addServer(platformFile('linux-x64'), { ...env, NODE_EXTRA_CA_CERTS: '' });
    await host.answerDialog('Trust the Certificate');
    await host.treeRows(/\d+ of \d+ automatic/).waitFor();
    assert.deepEqual([logins, await host.notifications()], [1, []]);
  });
});
