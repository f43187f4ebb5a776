import assert from 'node:assert/strict';
import { openScriptedServer, type ScriptedServer, textOf } from './scripted-server';

describe('Checkpoints before a failover of availability groups, executed', function () {
  this.timeout(60_000);
  let served: ScriptedServer;
  before(async () => (served = await openScriptedServer({ scenario: 'availability-group' }, 'SALES-SQL01')));
  after(() => served?.dispose());

  it('shows the redo queue first, says what it cannot promise, and does nothing once the primary is elsewhere', async () => {
    const { simulator } = served;
    simulator.server.advance(60_000);
    const scripts = await served.write({ kind: 'before failover', databaseIds: null, windows: 1, stopAfterMinutes: 0 });
    const script = textOf(scripts);
    assert.match(script, /It cannot promise: a shorter failover of an availability group/);
    assert.match(script, /Apps_Web is a secondary replica here\./);
    const printed = await served.run(script);
    assert.match(printed, /REDO QUEUE {2}\[Sales_\w+\] on SALES-\w+: \d+ KB not redone yet, \d+ KB not sent yet, \w+/);
    assert.ok(printed.indexOf('REDO QUEUE') < printed.indexOf('BEGINS'));
    assert.match(printed, /^TOPOLOGY {4}availability groups are enabled: .* no checkpoint here promises a shorter failover to it\.$/m);
    assert.match(printed, /DONE {8}\[Sales_Orders\]/);

    const inMs = simulator.failover('Sales', 'SALES-SQL02');
    simulator.server.advance(inMs + 10_000);
    const after = await served.run(script);
    assert.match(
      after,
      /LEFT ALONE {2}\[Sales_Orders\] is not the primary replica here, where CHECKPOINT would write nothing: connect to the primary/,
    );
    assert.doesNotMatch(after, /DONE {8}\[Sales_/);
    assert.match(await served.run(script, { server: 'SALES-SQL02' }), /Stopped: this is not the server/);
  });

  it('leaves databases in a group alone where the login cannot see their role', async () => {
    const scripts = await served.write({ kind: 'before failover', databaseIds: null, windows: 1, stopAfterMinutes: 0 });
    const orders = served.monitor.snapshot.facts?.databases.find(({ name }) => name === 'Apps_Web');
    assert.ok(orders !== undefined);
    const byHand = textOf(scripts).replace(/^INSERT @chosen .*$/m, "INSERT @chosen (database_name) VALUES (N'Sales_Orders');");
    const printed = await served.run(byHand, { user: 'reader' });
    assert.match(printed, /REDO QUEUE {2}cannot be seen by this login: \d+ /);
    assert.match(printed, /LEFT ALONE {2}\[Sales_Orders\] is (in an availability group and its role here cannot be seen|not )/);
    assert.match(printed, /0 checkpointed, /);
    const unseen = byHand.replaceAll('WHERE r.replica_id = @replica', 'WHERE r.replica_id = NULL');
    const left = await served.run(unseen);
    assert.match(
      left,
      /LEFT ALONE {2}\[\w+\] is in an availability group that cannot be seen, so it may be a system database of it \(VIEW ANY DEFINITION is needed\)\./,
    );
  });
});
