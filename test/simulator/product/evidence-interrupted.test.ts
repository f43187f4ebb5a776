import assert from 'node:assert/strict';
import { startSimulator } from '../../../simulator/index';
import { type Connection, ConnectionError, type ServerAccess } from '../../../src/hosts/host';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import { FakeServer, FakeTimers, surroundingsOf } from '../../monitor/fake-server';
import { reach } from './watched-server';

/** The connection is lost at the next text of that name. */
function loseAt(access: ServerAccess, name: string): ServerAccess {
  let isLost = false;
  const lose = (connection: Connection): Connection => ({
    capabilities: connection.capabilities,
    close: () => connection.close(),
    query: (text, options) => {
      if (isLost || !text.includes(`Checkpoint Health: ${name} `)) return connection.query(text, options);
      isLost = true;
      return Promise.reject(new ConnectionError('disconnected', 'The connection was lost.'));
    },
  });
  return { ...access, open: async (signal) => lose(await access.open(signal)) };
}

describe('the evidence about a server whose connection is lost behind its error log', function () {
  this.timeout(60_000);

  it('has every line of the log, and reads on a minute later', async () => {
    const simulator = await startSimulator({ rate: 0, tls: 'required', scenario: 'healthy', databases: 12 });
    const surroundings = surroundingsOf(new FakeServer(), new FakeTimers());
    let elapsedMs = 0;
    const monitor = createServerMonitor({
      ...surroundings,
      access: loseAt(reach(simulator), 'server-clock'),
      elapsedMs: () => elapsedMs,
      schedule: (delayMs, task) => {
        const timer = setTimeout(task, delayMs);
        return { dispose: () => clearTimeout(timer) };
      },
    });
    try {
      await monitor.refresh();
      const broken = await monitor.gatherEvidence();
      assert.ok(surroundings.logged.some((line) => line.includes('The connection was lost.')));
      elapsedMs += 61_000;
      const whole = await monitor.gatherEvidence();
      const countLines = ({ errorLog }: typeof whole): number =>
        Number(errorLog.notes.map((note) => /^Lines read: (\d+)/.exec(note)?.[1]).find((lines) => lines !== undefined));
      assert.ok(countLines(whole) > 30, String(countLines(whole)));
      assert.equal(countLines(broken), countLines(whole));
      assert.ok(!whole.beforeAfter.notes.some((note) => note.startsWith('Backups were not read')));
    } finally {
      await monitor.dispose();
      await simulator.close();
    }
  });
});
