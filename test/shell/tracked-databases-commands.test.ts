import assert from 'node:assert/strict';
import { createTrackingCommands } from '../../src/shell/tracking-commands';
import { databaseRow, openDesk, run, serverRow } from './fake-editor';
import { database, facts, snapshot, systemDatabases } from './sample';

const found = snapshot(facts([...systemDatabases, database(5, 'a'), database(6, 'b'), database(7, 'c', { targetSeconds: 60 })]));

describe('The commands about tracked databases', () => {
  it('add databases to what is tracked and take some out, and say why where that is no change', async () => {
    const tracked = { tracking: { ...found.tracking, state: 'tracking' as const }, trackedDatabaseIds: [5, 6] };
    const desk = await openDesk({ ...found, ...tracked });
    const { addToTracking, removeFromTracking } = createTrackingCommands(desk.context);
    await run(addToTracking, databaseRow(7), [databaseRow(6), databaseRow(7)]);
    await run(removeFromTracking, databaseRow(6));
    const asked = desk.monitors[0]?.asked.filter((each) => Array.isArray(each));
    assert.deepEqual(asked, [
      ['changeTrackedDatabases', [5, 6, 7]],
      ['changeTrackedDatabases', [5]],
    ]);
    assert.match(String(await run(addToTracking, databaseRow(5))), /They are tracked on Production 7 already/);
    assert.match(String(await run(removeFromTracking, databaseRow(7))), /They are not tracked/);
    assert.match(String(await run(removeFromTracking, databaseRow(5), [databaseRow(5), databaseRow(6)])), /stop tracking instead/);
    assert.match(String(await run(addToTracking, serverRow)), /Choose one or more databases/);
    const idle = await openDesk(found);
    assert.match(String(await run(createTrackingCommands(idle.context).addToTracking, databaseRow(5))), /are not being tracked/);
  });

  it('refuse more databases than a predicate holds, and name the number', async () => {
    const trackedDatabaseIds = Array.from({ length: 50 }, (_, i) => 100 + i);
    const desk = await openDesk({ ...found, tracking: { ...found.tracking, state: 'tracking' }, trackedDatabaseIds });
    assert.match(
      String(await run(createTrackingCommands(desk.context).addToTracking, databaseRow(5))),
      /That would be 51 databases of Production 7; an event session records 50 chosen ones at most, or all of them/,
    );
    assert.deepEqual(desk.monitors[0]?.asked, ['look']);
  });
});
