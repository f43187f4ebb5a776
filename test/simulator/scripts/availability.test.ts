import assert from 'node:assert/strict';
import type { Cells } from '../../e2e/query-window';
import { textOf } from '../../core/script/scripts-of';
import { openScriptedServer, type ScriptedServer } from './scripted-server';

describe('Checkpoints before a failover of availability groups, executed', () => {
  let served: ScriptedServer;
  before(
    async () => (served = await openScriptedServer({ scenario: 'availability-group' }, 'SALES-SQL01', 100)),
  );
  after(() => served?.dispose());

  const write = async (): Promise<string> => {
    const scripts = await served.write({
      kind: 'before failover',
      databaseIds: null,
      windows: 1,
      stopAfterMinutes: 0,
    });
    return textOf(scripts).replace('@least_log_mb int = 16;', '@least_log_mb int = 0;');
  };
  const outcomeOf = (rows: readonly Cells[], name: string): string =>
    String(rows.find((row) => row['name'] === name)?.['outcome']);

  it('shows the redo queues, says what it cannot promise, and does nothing once the primary is elsewhere', async () => {
    const { simulator } = served;
    simulator.server.advance(60_000);
    const script = await write();
    assert.match(script, /It does not shorten the redo of the new primary/);
    assert.match(script, /Left out: .*1 \(secondary replica here\)/);
    const { tables: [rows = []] = [] } = await served.show(script);
    assert.match(outcomeOf(rows, 'Sales_Orders'), /^DONE in \d+ ms/);
    const queues = rows
      .filter((row) => String(row['name']).startsWith('Sales_'))
      .map((row) => Number(row['redo_queue_kb'] ?? -1));
    assert.ok(queues.length > 2 && queues.every((kb) => kb >= 0), String(queues));
    assert.equal(rows.find((row) => row['name'] === 'Tools')?.['redo_queue_kb'], null, 'in no group');

    const inMs = simulator.failover('Sales', 'SALES-SQL02');
    simulator.server.advance(inMs + 10_000);
    const { tables: [after = []] = [] } = await served.show(script);
    assert.equal(
      outcomeOf(after, 'Sales_Orders'),
      'LEFT ALONE: not writable here now (ONLINE; a secondary or a forwarder, where CHECKPOINT writes nothing)',
    );
    for (const row of after)
      if (String(row['name']).startsWith('Sales_')) assert.doesNotMatch(String(row['outcome']), /^DONE/);
    assert.match(await served.run(script, { server: 'SALES-SQL02' }), /Stopped: this is not the server/);
  });

  it('goes on without the redo queues where the login cannot see them, and says so', async () => {
    const script = await write();
    const { printed, tables } = await served.show(script, { user: 'reader' });
    assert.match(printed, /^The redo queues cannot be seen: /m);
    assert.equal(tables.length, 1);
    assert.match(printed, /\n0 checkpointed, 0 failed; /);
  });
});
