import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReportOptions, runReport } from '../../../cli/src/commands/report';
import { BadUsage } from '../../../cli/src/kit/exit';
import { startTracking } from '../product/watched-server';
import { GONE, openFleet, type SimulatedFleet } from './simulated-fleet';
import { MINUTE_MS } from '../../../src/core/time';

describe('A report of servers', () => {
  let fleet: SimulatedFleet;

  beforeEach(async () => {
    fleet = await openFleet(2, {}, 220);
    for (const simulator of fleet.simulators) await startTracking(simulator);
  });
  afterEach(() => fleet.dispose());

  async function report(
    more: Partial<ReportOptions> = {},
  ): Promise<{ readonly code: number; readonly text: string }> {
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
      fleet.advance(20 * MINUTE_MS);
      assert.equal(await fleet.collect(), 0);
    }
    const { lake } = fleet;
    const [read, both, alone] = [
      await report(),
      await report({ lake: [lake] }),
      await report({ lake: [lake], servers: undefined as never }),
    ];
    assert.deepEqual([read.code, both.code, alone.code], [0, 0, 0]);
    assert.deepEqual(linesOf(both.text), linesOf(read.text));
    assert.deepEqual(linesOf(alone.text), linesOf(read.text));
    assert.match(alone.text, /No server was queried\./);
  });

  it('shows a server that was not read as it was last seen in the lake, and says since when and why', async () => {
    fleet.advance(60 * MINUTE_MS);
    await fleet.collect();
    fleet.list(([first, second]) => [first!, { ...second, ...GONE }]);
    assert.equal(await fleet.collect({ tryAll: true }), 3);
    const { code, text } = await report({ lake: [fleet.lake], servers: undefined as never });
    assert.equal(code, 3);
    assert.match(text, /\| S1 \| The checkpoint task .* Last run: not reached\. .* \| \d+ % \|/);
    const live = await report();
    assert.equal(live.code, 3);
    assert.match(live.text, /\| S1 \| No data\. This time: not reached\. /);
  });

  it('takes of each server the lake that reached it last, also if another one tried it since', async () => {
    fleet.advance(60 * MINUTE_MS);
    await fleet.collect();
    const other = join(fleet.folder, 'other');
    fleet.list(([first, second]) => [{ ...first, ...GONE }, second!]);
    fleet.advance(20 * MINUTE_MS);
    assert.equal(await fleet.collect({ lake: other }), 3);
    const { lake, said } = fleet;
    const { code, text } = await report({
      lake: [other, lake, join(other, '.')],
      servers: undefined as never,
    });
    assert.equal(code, 0);
    assert.match(text, /\| S0 \| The checkpoint task /);
    assert.ok(
      said.error.includes(`S0: ${lake} read it last, and counts. What ${other} has of it is left out.`),
    );
    assert.ok(
      said.error.includes(`S1: ${other} read it last, and counts. What ${lake} has of it is left out.`),
    );
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
    await assert.rejects(report({ servers: undefined as never, lake: [fleet.lake] }), /is not a lake/);
    fleet.list((servers) => servers.map((each) => ({ ...each, ...GONE })));
    await assert.rejects(report(), /No data about any server, so no report was written\./);
  });
});
