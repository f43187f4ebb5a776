import assert from 'node:assert/strict';
import { startSimulator, type Simulator } from '../../simulator/index';
import { vsixFile } from '../../tools/build/vsix';
import { collectInto } from '../cli/collecting';
import { reach, watch } from '../simulator/product/watched-server';
import { lookAfter, stopAtFailure } from './chain';
import { type Host, startHost } from './host';
import { MINUTE_MS } from '../../src/core/time';
import { makeFolder } from '../temporary-folder';

describe('A lake, in an editor without a server', function () {
  stopAtFailure(this);
  let host: Host;
  lookAfter(this, 'lake', () => host);
  let folder: string;

  before(async () => {
    folder = makeFolder();
    const simulators: Simulator[] = [];
    for (const databases of [40, 4]) {
      const simulator = await startSimulator({ rate: 0, tls: 'required', databases });
      simulators.push(simulator);
      const monitor = watch(simulator);
      await monitor.refresh();
      await monitor.startTracking(null);
      await monitor.dispose();
    }
    for (let run = 0; run < 2; run++) {
      for (const { server } of simulators) server.advance(30 * MINUTE_MS);
      await collectInto(folder, { 'SQL\\LARGE': reach(simulators[0]!), 'SQL-small': reach(simulators[1]!) });
    }
    for (const simulator of simulators) await simulator.close();
    host = await startHost({ vsixFiles: [vsixFile] });
  });

  it('lists its servers with the busiest checkpoint task first', async () => {
    await host.runCommand('Checkpoint Health: Open a Lake…');
    const input = host.page.locator('.quick-input-widget input[type="text"]');
    await input.fill(`${folder}/`);
    await host.page.getByRole('button', { name: 'Open Lake' }).click();
    await host.page.getByText('Servers of the lake, the busiest checkpoint task first').waitFor();
    const rows = await host.page.locator('.quick-input-list .monaco-list-row').allInnerTexts();
    assert.equal(rows.length, 2);
    assert.match(rows[0]!, /SQL\\LARGE.*task \d.* busy · \d+ of \d+ automatic · longest/s);
    assert.match(rows[1]!, /SQL-small/);
    await host.screenshot('lake-servers-dark');
  });

  it('opens one as a dashboard, with its verdict, and nothing is asked of a server', async () => {
    await host.page.locator('.quick-input-list .monaco-list-row').first().click();
    await host.webview().locator('tr[data-database-id]').first().waitFor();
    await host.webview().getByText('no server behind it').first().waitFor();
    await host.webview().getByRole('heading', { name: 'SQL\\LARGE' }).waitFor();
    assert.match((await host.webview().locator('header').innerText()) ?? '', /\d+ of \d+ automatic/);
    await host.screenshot('lake-server-dark');
  });
});
