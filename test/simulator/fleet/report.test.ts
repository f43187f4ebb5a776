import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCollect } from '../../../cli/src/commands/collect';
import { type ReportOptions, runReport } from '../../../cli/src/commands/report';
import { BadUsage } from '../../../cli/src/kit/exit';
import { watch } from '../product/watched-server';
import { openFleet, type SimulatedFleet } from './simulated-fleet';

const MINUTE_MS = 60_000;

describe('A report of servers', function () {
  this.timeout(120_000);
  let fleet: SimulatedFleet;
  let lake: string;

  beforeEach(async () => {
    fleet = await openFleet(2, {}, true, 220);
    lake = join(fleet.folder, 'lake');
    for (const simulator of fleet.simulators) {
      const monitor = watch(simulator);
      await monitor.refresh();
      await monitor.startTracking(null);
      await monitor.dispose();
    }
  });
  afterEach(() => fleet.dispose());

  async function collect(): Promise<number> {
    return runCollect(
      { ...fleet.options, lake, concurrency: 2, serverSeconds: 60, samples: true, errorLogHours: 1, logInAgain: false, tryAll: true },
      fleet.output,
    );
  }

  async function report(more: Partial<ReportOptions> = {}): Promise<{ readonly code: number; readonly text: string }> {
    const output = join(fleet.folder, 'report.out');
    const code = await runReport(
      { ...fleet.options, days: 7, concurrency: 2, serverSeconds: 60, format: 'markdown', output, ...more },
      fleet.output,
    );
    return { code, text: readFileSync(output, 'utf8') };
  }

  /** All but where it is from and when: the table of the fleet, and each section. */
  const linesOf = (text: string): readonly string[] =>
    text
      .split('\n')
      .slice(4)
      .map((line) => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/, '(seen)'));

  it('says of the lake alone what it says of the servers', async () => {
    for (let run = 0; run < 3; run++) {
      for (const simulator of fleet.simulators) simulator.server.advance(20 * MINUTE_MS);
      assert.equal(await collect(), 0);
    }
    const [read, both, alone] = [await report(), await report({ lake }), await report({ lake, servers: undefined as never })];
    assert.deepEqual([read.code, both.code, alone.code], [0, 0, 0]);
    assert.deepEqual(linesOf(both.text), linesOf(read.text));
    assert.deepEqual(linesOf(alone.text), linesOf(read.text));
    assert.match(alone.text, /No server was asked\./);
  });

  it('shows a server that was not read as it was last seen in the lake, and says since when and why', async () => {
    for (const simulator of fleet.simulators) simulator.server.advance(60 * MINUTE_MS);
    await collect();
    const file = fleet.options.servers!;
    const whole = JSON.parse(readFileSync(file, 'utf8')) as object[];
    writeFileSync(file, JSON.stringify([whole[0], { ...whole[1], port: 1 }]));
    assert.equal(await collect(), 3);
    const { code, text } = await report({ lake, servers: undefined as never });
    assert.equal(code, 3);
    assert.match(text, /\| S1 \| The checkpoint task .* Last run: not reached\. .* \| \d+ % \|/);
    const live = await report();
    assert.equal(live.code, 3);
    assert.match(live.text, /\| S1 \| Nothing is known of it\. This time: not reached\. /);
  });

  it('is one file, in a folder under a name of its own', async () => {
    fleet.simulators[0]!.server.advance(30 * MINUTE_MS);
    const folder = join(fleet.folder, 'reports');
    mkdirSync(folder);
    const options = { ...fleet.options, days: 7, concurrency: 2, serverSeconds: 60, output: folder } as const;
    assert.equal(await runReport({ ...options, format: 'html' }, fleet.output), 0);
    assert.equal(await runReport({ ...options, format: 'markdown' }, fleet.output), 0);
    assert.deepEqual(readdirSync(folder).sort(), ['checkpoint-health.html', 'checkpoint-health.md']);
    const html = readFileSync(join(folder, 'checkpoint-health.html'), 'utf8');
    assert.match(html, /<svg viewBox/);
    assert.ok(html.length < 1_000_000);
  });

  it('is not made of nothing', async () => {
    await assert.rejects(report({ servers: undefined as never }), BadUsage);
    await assert.rejects(report({ servers: undefined as never, lake }), /is not a lake/);
    const file = fleet.options.servers!;
    const whole = JSON.parse(readFileSync(file, 'utf8')) as object[];
    writeFileSync(file, JSON.stringify(whole.map((one) => ({ ...one, port: 1 }))));
    await assert.rejects(report(), /Nothing is known of any server, so no report was written\./);
  });
});
