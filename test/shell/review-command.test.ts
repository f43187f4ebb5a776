import assert from 'node:assert/strict';
import type { CommandHandler } from '../../src/shell/commands';
import { oneWave } from '../../src/core/advice/plan';
import { createReviewCommand, describeEmptyPlan } from '../../src/shell/review-command';
import { databaseRow, type Desk, openDesk, run, serverRow } from './fake-editor';
import { database, facts, snapshot, systemDatabases } from './sample';

const found = snapshot(facts([...systemDatabases, database(5, 'a'), database(6, 'b'), database(7, 'c', { targetSeconds: 60 })]));

describe('reviewing a script', () => {
  const review = (desk: Desk): { readonly handler: CommandHandler; readonly opened: unknown[] } => {
    const opened: unknown[] = [];
    return {
      handler: createReviewCommand(desk.context, {
        open: async (text, _title, _serverId, place) => void opened.push([text, place ?? 'in front']),
      }),
      opened,
    };
  };

  it('takes databases that were pointed at by name, and opens the change in front and the rollback beside it', async () => {
    const desk = await openDesk(found, ['60']);
    const { handler, opened } = review(desk);
    assert.equal(await run(handler, databaseRow(5), [databaseRow(5), databaseRow(7)]), undefined);
    assert.deepEqual(desk.monitors[0]?.asked.at(-1), ['reviewSwitch', [5, 7], true, 60]);
    assert.deepEqual(opened, [
      ['change', 'in front'],
      ['rollback', 'beside'],
    ]);
  });

  it('takes the databases worth switching from the server, without asking which', async () => {
    const verdicts = new Map(found.verdicts).set(6, { databaseId: 6, verdict: 'Switch', group: 'Switch', reason: '', confidence: 'high', wouldChange: '' });
    const desk = await openDesk({ ...found, verdicts }, ['60']);
    await run(review(desk).handler, serverRow);
    assert.deepEqual(desk.monitors[0]?.asked.at(-1), ['reviewSwitch', [6], false, 60]);
  });

  it('offers all automatic databases where no harm was measured, and none that is a system database', async () => {
    const desk = await openDesk(found, ['as offered', '90']);
    await run(review(desk).handler, serverRow);
    assert.deepEqual(
      desk.conversation.offered[0]?.map(({ label, isPicked }) => [label, isPicked]),
      [
        ['a', true],
        ['b', true],
      ],
    );
    assert.deepEqual(desk.monitors[0]?.asked.at(-1), ['reviewSwitch', [5, 6], false, 90]);
  });

  it('asks again before a target under 20 seconds, and writes nothing unless that is confirmed', async () => {
    const refused = await openDesk(found, ['10', false]);
    await run(review(refused).handler, databaseRow(5));
    assert.deepEqual(refused.monitors[0]?.asked, ['refresh']);
    const desk = await openDesk(found, ['10', true]);
    await run(review(desk).handler, databaseRow(5));
    assert.deepEqual(desk.monitors[0]?.asked.at(-1), ['reviewSwitch', [5], true, 10]);
  });

  it('accepts no target that is not a whole number of seconds in range', async () => {
    for (const typed of ['', 'soon', '0', '1.5', '3601', '-1']) {
      const desk = await openDesk(found, [typed]);
      assert.match((await run(review(desk).handler, databaseRow(5))) ?? '', /^not accepted: The target recovery time is /);
    }
  });

  it('says why when nothing can be switched, and opens nothing', async () => {
    const desk = await openDesk(found, ['60']);
    await desk.servers.connect('server-1');
    const plan = { targetSeconds: 60, steps: [], exclusions: [{ name: 'master', reason: 'is a system database' }] };
    (desk.monitors[0] as { review: unknown }).review = { plan, scripts: null };
    const { handler, opened } = review(desk);
    await run(handler, databaseRow(1));
    assert.deepEqual([opened, desk.conversation.said.at(-1)], [[], 'There is nothing to switch: master is a system database.']);
  });

  it('names three reasons and counts the rest', () => {
    const exclusions = ['a', 'b', 'c', 'd'].map((name, databaseId) => ({ databaseId, name, reason: 'is offline', elsewhere: null }));
    assert.equal(
      describeEmptyPlan({ targetSeconds: 60, waves: oneWave, steps: [], exclusions }),
      'There is nothing to switch: a is offline; b is offline; c is offline; and 1 more.',
    );
  });

  it('says so when no database of the server is automatic', async () => {
    const desk = await openDesk(snapshot(facts([database(5, 'a', { targetSeconds: 60 })])));
    assert.match((await run(review(desk).handler, serverRow)) ?? '', /there is nothing to switch\.$/);
  });
});
