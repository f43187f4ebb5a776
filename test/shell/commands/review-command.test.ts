import assert from 'node:assert/strict';
import { nothingSeen } from '../../../src/core/advice/instance';
import type { Proposal } from '../../../src/core/advice/proposal';
import { createReviewCommand } from '../../../src/shell/commands/script-command';
import { databaseRow, openDesk, run, serverRow } from '../fake-editor';
import { database, facts, snapshot, systemDatabases } from '../sample';

const found = snapshot(facts([...systemDatabases, database(5, 'a'), database(6, 'b'), database(7, 'c', { targetSeconds: 60 })]));

describe('asking for a review of scripts', () => {
  const shown: [string, Proposal][] = [];
  const reviews = { show: (serverId: string, proposal: Proposal) => void shown.push([serverId, proposal]) };
  beforeEach(() => shown.splice(0));

  it('begins with the databases that were pointed at, by name, and asks the server for nothing but its facts', async () => {
    const desk = await openDesk(found);
    assert.equal(await run(createReviewCommand(desk.context, reviews), databaseRow(5), [databaseRow(5), databaseRow(7)]), undefined);
    assert.deepEqual(shown, [['server-1', { databaseIds: [5, 7], namedIds: [5, 7], isCanaryRun: false }]]);
    assert.deepEqual(desk.monitors[0]?.asked, ['look']);
  });

  it('begins with what the verdict on the server advises, and with nothing where it was not judged', async () => {
    const nobody = { automatic: 2, databases: 3, hurting: [], forecast: null, sinceUtcMs: null, busyBefore: null };
    for (const [instance, databaseIds] of [
      [{ ...nothingSeen, ...nobody, advised: [6] }, [6]],
      [null, []],
    ] as const) {
      const desk = await openDesk({ ...found, instance });
      await run(createReviewCommand(desk.context, reviews), serverRow);
      assert.deepEqual(shown.splice(0), [['server-1', { databaseIds, namedIds: [], isCanaryRun: false }]]);
    }
  });

  it('shows a server on which there is nothing to switch too: the review says why', async () => {
    const desk = await openDesk(snapshot(facts([database(5, 'a', { targetSeconds: 60 })])));
    await run(createReviewCommand(desk.context, reviews), serverRow);
    assert.deepEqual(shown, [['server-1', { databaseIds: [], namedIds: [], isCanaryRun: false }]]);
  });

  it('proposes no canary once a first wave was run since the forecast was made', async () => {
    const switched = { databaseId: 5, atUtcMs: 2_000, notBeforeUtcMs: 2_000, source: 'user', fromSeconds: 0, toSeconds: 60 } as const;
    const waves = [5, 6].map((databaseId) => ({ low: 0.1, high: 0.2, databaseIds: [databaseId] }));
    const forecast = { madeUtcMs: 1_000, fromUtcMs: 0, toUtcMs: 1_000, now: 0.9, bound: 0.3, waves };
    for (const [changes, isCanaryRun] of [
      [[], false],
      [[switched], true],
    ] as const) {
      const desk = await openDesk({ ...found, forecast, changes });
      await run(createReviewCommand(desk.context, reviews), databaseRow(6), [databaseRow(6)]);
      assert.deepEqual(shown.splice(0), [['server-1', { databaseIds: [6], namedIds: [6], isCanaryRun }]]);
    }
  });

  it('shows nothing of a server that does not answer, and says why', async () => {
    const desk = await openDesk({ ...found, facts: null, connection: 'failed', failure: 'No route to the server.' });
    assert.equal(await run(createReviewCommand(desk.context, reviews), serverRow), 'No route to the server.');
    assert.deepEqual(shown, []);
  });
});
