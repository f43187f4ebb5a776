import assert from 'node:assert/strict';
import { createTrackingCommands } from '../../../src/shell/commands/tracking-commands';
import { databaseRow, type Desk, openDesk, run, serverRow } from '../fake-editor';
import { database, facts, snapshot, systemDatabases } from '../sample';

const found = snapshot(facts([...systemDatabases, database(5, 'a'), database(6, 'b'), database(7, 'c', { targetSeconds: 60 })]));

describe('Commands that change a server', () => {
  const tracking = { ...found, tracking: { ...found.tracking, state: 'tracking' as const }, trackedDatabaseIds: [5, 6] };
  const looksLikeOurs = [
    ['a copy of a row of ours', { ...databaseRow(6) }],
    ['a target as our dashboard has one', { serverId: 'server-1', databaseIds: [6], group: null }],
  ] as const;
  const steps = [
    ['startTracking', /^Track checkpoints of one database on Production 7 \(sql07\)\?$/],
    ['startTrackingChosen', /^Track checkpoints of databases that you choose on Production 7 \(sql07\)\?$/],
    ['stopTracking', /^Stop tracking checkpoints on Production 7 \(sql07\)\?$/],
    ['removeTracking', /^Remove the tracking session from Production 7 \(sql07\)\?$/],
    ['addToTracking', /^Track more databases of Production 7 \(sql07\)\?$/],
    ['removeFromTracking', /^Track fewer databases of Production 7 \(sql07\)\?$/],
  ] as const;
  const changed = (desk: Desk): readonly unknown[] => (desk.monitors[0]?.asked ?? []).filter((each) => each !== 'look');

  for (const [step, question] of steps)
    it(`ask once, with the server's name and address, where not our own pane asked for it: ${step}`, async () => {
      for (const [what, given] of looksLikeOurs) {
        const target = step === 'addToTracking' ? { ...given, databaseId: 7, databaseIds: [7] } : given;
        const before = step.startsWith('start') ? found : tracking;
        const refused = await openDesk(before, [false]);
        await run(createTrackingCommands(refused.context)[step], target);
        assert.deepEqual([refused.conversation.said.length, changed(refused)], [1, []], what);
        assert.match(refused.conversation.said[0] ?? '', question);
        const agreed = await openDesk(before, [true, [6]]);
        assert.equal(await run(createTrackingCommands(agreed.context)[step], target), undefined);
        assert.deepEqual([agreed.conversation.details.length, changed(agreed).length], [1, 1], what);
      }
    });

  it('run at once from a row of our own pane', async () => {
    const desk = await openDesk(tracking);
    const { stopTracking, addToTracking, removeFromTracking } = createTrackingCommands(desk.context);
    await run(addToTracking, databaseRow(7));
    await run(removeFromTracking, databaseRow(6));
    await run(stopTracking, serverRow);
    assert.deepEqual([desk.conversation.said, changed(desk).length], [[], 3]);
    const idle = await openDesk(found);
    await run(createTrackingCommands(idle.context).startTracking, serverRow);
    assert.deepEqual([idle.conversation.said, changed(idle).length], [[], 1]);
  });

  for (const [step, deed] of [
    ['startTracking', /CheckpointHealth is created and started on that server\./],
    ['stopTracking', /CheckpointHealth is read to its end and stopped;/],
  ] as const)
    it(`ask where a node of another product's tree was pointed at, which anything can make up: ${step}`, async () => {
      const desk = await openDesk(tracking, [false]);
      const takeUpNode = async () => ({ serverId: 'server-1', databaseIds: [], group: null });
      await run(createTrackingCommands({ ...desk.context, takeUpNode })[step], { connectionProfile: { serverName: 'sql07' } });
      assert.deepEqual([desk.conversation.said.length, desk.monitors.length], [1, 0]);
      assert.match(desk.conversation.details[0] ?? '', deed);
      assert.match(desk.conversation.details[0] ?? '', /This was not asked for in the Checkpoint/);
    });

  it('only look without a question, whoever runs them', async () => {
    const desk = await openDesk(found);
    await run(createTrackingCommands(desk.context).showTrackingSql, { ...serverRow });
    assert.deepEqual([desk.conversation.said, desk.conversation.shown.length], [[], 1]);
  });
});
