import assert from 'node:assert/strict';
import { AlreadySo } from '../../../src/monitor/queries/failure';
import { createTrackingCommands } from '../../../src/shell/commands/tracking-commands';
import { agree, databaseRow, type Desk, type FakeMonitor, openDesk, run, serverRow } from '../fake-editor';
import { database, facts, snapshot, systemDatabases } from '../sample';
import type { SessionElsewhere } from '../../../src/monitor/tracking/session-owner';

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
    assert.match(String(await run(addToTracking, databaseRow(5))), /They are already tracked on Production 7/);
    assert.match(String(await run(removeFromTracking, databaseRow(7))), /They are not tracked/);
    assert.match(String(await run(removeFromTracking, databaseRow(5), [databaseRow(5), databaseRow(6)])), /Stop tracking instead/);
    assert.match(String(await run(addToTracking, serverRow)), /Choose one or more databases/);
    const idle = await openDesk(found);
    assert.match(String(await run(createTrackingCommands(idle.context).addToTracking, databaseRow(5))), /are not being tracked/);
  });

  it('refuse more databases than a predicate holds, and name the number', async () => {
    const trackedDatabaseIds = Array.from({ length: 50 }, (_, i) => 100 + i);
    const desk = await openDesk({ ...found, tracking: { ...found.tracking, state: 'tracking' }, trackedDatabaseIds });
    assert.match(
      String(await run(createTrackingCommands(desk.context).addToTracking, databaseRow(5))),
      /That would be 51 databases of Production 7\. An event session can record at most 50 chosen databases, or all of them/,
    );
    assert.deepEqual(desk.monitors[0]?.asked, ['look']);
  });
});

describe('Start where checkpoints are tracked already', () => {
  const of = (trackedDatabaseIds: readonly number[] | null, more: Partial<typeof found> = {}) => ({
    ...found,
    tracking: { ...found.tracking, state: 'tracking' as const },
    trackedDatabaseIds,
    ...more,
  });
  const changed = (desk: Desk): readonly unknown[] => (desk.monitors[0]?.asked ?? []).filter((each) => each !== 'look');
  const outside = { serverId: 'server-1', databaseIds: [7], group: null };

  it('opens the timeline, at the database that was pointed at, which says all', async () => {
    const desk = await openDesk(of(null));
    const { startTracking } = createTrackingCommands(desk.context);
    for (const row of [serverRow, databaseRow(6)]) assert.equal(await run(startTracking, row), undefined);
    assert.deepEqual(desk.timelines, [
      ['server-1', null],
      ['server-1', 6],
    ]);
    assert.deepEqual([desk.conversation.said, changed(desk)], [[], []]);
  });

  it('asks nothing where that is known, whoever asked', async () => {
    const desk = await openDesk(of(null));
    await desk.servers.connect('server-1', agree);
    await run(createTrackingCommands(desk.context).startTracking, { ...outside });
    assert.deepEqual([desk.conversation.details, desk.timelines, changed(desk)], [[], [['server-1', 7]], []]);
  });

  it('opens the timeline also where the session is found running only by the second of two clicks', async () => {
    const desk = await openDesk(found);
    await desk.servers.connect('server-1', agree);
    (desk.monitors[0] as FakeMonitor).startTracking = () => Promise.reject(new AlreadySo('Checkpoints are already being tracked.'));
    assert.equal(await run(createTrackingCommands(desk.context).startTracking, serverRow), undefined);
    assert.deepEqual(desk.timelines, [['server-1', null]]);
  });

  it('claims nothing of a server that is not reached now: it says why', async () => {
    const desk = await openDesk(of(null, { connection: 'failed', failure: 'Could not reach sql07.' }));
    await desk.servers.connect('server-1', agree);
    assert.equal(await run(createTrackingCommands(desk.context).startTracking, serverRow), 'Could not reach sql07.');
    assert.deepEqual([desk.conversation.said, desk.timelines], [[], []]);
  });

  it('adds a database that is not tracked yet: at once from our own pane, else after a question', async () => {
    const desk = await openDesk(of([5, 6]), [true]);
    const { startTracking } = createTrackingCommands(desk.context);
    await desk.servers.connect('server-1', agree);
    await run(startTracking, databaseRow(7));
    assert.deepEqual([desk.conversation.said, changed(desk), desk.timelines], [[], [['changeTrackedDatabases', [5, 6, 7]]], []]);
    await run(startTracking, { ...outside });
    assert.deepEqual(desk.conversation.said, ['Track more databases of Production 7 (sql07)?']);
    assert.equal(changed(desk).length, 2);
  });

  it('says how many are tracked where all were asked for, and what changes that', async () => {
    const desk = await openDesk(of([5]), [true, [5, 6]]);
    await run(createTrackingCommands(desk.context).startTracking, serverRow);
    assert.deepEqual([desk.timelines, changed(desk)], [[['server-1', null]], []]);
    assert.equal(desk.conversation.said[0], 'Already tracked on Production 7: 1 database.');
    await new Promise(setImmediate);
    assert.deepEqual(changed(desk), [['changeTrackedDatabases', [5, 6]]], 'the button asks which, and nothing else');
  });

  it('names the session of somebody else that is followed, whose databases are not ours to change', async () => {
    const desk = await openDesk(of([5], { adoptedSession: 'team_session' }));
    const { startTracking, startTrackingChosen } = createTrackingCommands(desk.context);
    for (const start of [startTracking, startTrackingChosen]) assert.equal(await run(start, databaseRow(7)), undefined);
    assert.deepEqual([desk.timelines.length, changed(desk)], [2, []]);
    for (const said of desk.conversation.said)
      assert.match(said, /already, by the event session team_session\. It is only read\. To end that, stop tracking\.$/);
  });

  it('with databases to choose, shows those that are tracked as chosen, and tracks what was chosen instead', async () => {
    const desk = await openDesk(of([5]), ['as offered', [5, 7], [], [1, 2, 3, 4, 5, 6, 7]]);
    const { startTrackingChosen } = createTrackingCommands(desk.context);
    await run(startTrackingChosen, serverRow);
    assert.deepEqual(
      desk.conversation.offered[0]?.filter(({ isPicked }) => isPicked).map(({ label }) => label),
      ['a'],
    );
    assert.deepEqual([changed(desk), desk.timelines.length], [[], 1]);
    await run(startTrackingChosen, serverRow);
    assert.match(String(await run(startTrackingChosen, serverRow)), /the tracked ones stay\. To track none, stop tracking\.$/);
    await run(startTrackingChosen, serverRow);
    assert.deepEqual(changed(desk), [
      ['changeTrackedDatabases', [5, 7]],
      ['changeTrackedDatabases', null],
    ]);
  });
});

describe('Stop where nothing is tracked', () => {
  const sentence = 'Checkpoints of Production 7 are not tracked from here, so there is nothing to stop.';

  it('says so without a question and without an error', async () => {
    const desk = await openDesk(found);
    await desk.servers.connect('server-1', agree);
    for (const target of [serverRow, { serverId: 'server-1', databaseIds: [], group: null }])
      assert.equal(await run(createTrackingCommands(desk.context).stopTracking, target), undefined);
    assert.deepEqual([desk.conversation.said, desk.monitors[0]?.asked], [[sentence, sentence], ['look']]);
  });

  it('says the same where that is found out only when the server answered', async () => {
    const desk = await openDesk(found);
    assert.equal(await run(createTrackingCommands(desk.context).stopTracking, serverRow), undefined);
    assert.deepEqual([desk.conversation.said, desk.monitors[0]?.asked], [[sentence], ['look']]);
  });
});

describe('A session that was started elsewhere', () => {
  const byColleague: SessionElsewhere = {
    serverName: 'PROD-SQL07',
    definitionId: 65_537,
    configuredFile: 'CheckpointHealth_20260302T080000Z_0badcafe.xel',
    isRunning: true,
    startedLocalMs: Date.UTC(2026, 2, 2, 9),
  };
  const tracking = { ...found, tracking: { ...found.tracking, state: 'tracking' as const }, trackedDatabaseIds: [5, 6] };
  const steps = [
    ['startTracking', serverRow, 'Drop it and create it again'],
    ['stopTracking', serverRow, 'Stop it'],
    ['removeTracking', serverRow, 'Drop it'],
    ['addToTracking', databaseRow(7), 'Change its databases'],
  ] as const;

  /** The answers come behind that to the question with which Remove always begins. */
  const meet = async (step: (typeof steps)[number], answers: readonly boolean[], elsewhere: SessionElsewhere[]): Promise<Desk> => {
    const desk = await openDesk(step[0] === 'startTracking' ? found : tracking, [
      ...(step[0] === 'removeTracking' ? [true] : []),
      ...answers,
    ]);
    await desk.servers.connect('server-1', agree);
    (desk.monitors[0] as FakeMonitor).elsewhere = elsewhere;
    assert.equal(await run(createTrackingCommands(desk.context)[step[0]], step[1]), undefined);
    return desk;
  };

  for (const step of steps)
    it(`is named before ${step[0]}, and changed or left as the user says`, async () => {
      const question = `The event session CheckpointHealth on Production 7 was started elsewhere. ${step[2]} all the same?`;
      for (const isAgreed of [false, true]) {
        const desk = await meet(step, [isAgreed], [byColleague]);
        assert.equal(desk.conversation.said.filter((said) => said === question).length, 1);
        assert.equal(desk.monitors[0]?.asked.length, isAgreed ? 2 : 1);
        assert.match(
          desk.conversation.details.at(-1) ?? '',
          /^Another installation .* running since 2026-03-02 09:00:00 by the server's clock\. Somebody may be reading it\. Its files stay on the server in any case: CheckpointHealth_20260302T080000Z_0badcafe\.xel\.$/,
        );
      }
    });

  it('is asked about again where another one is in its place by then, and says what is lost of one in memory', async () => {
    const inMemory = { ...byColleague, configuredFile: null, isRunning: false, startedLocalMs: null };
    const desk = await meet(steps[1], [true, false], [byColleague, inMemory]);
    assert.deepEqual([desk.conversation.details.length, desk.monitors[0]?.asked], [2, ['look']]);
    assert.match(
      desk.conversation.details[1] ?? '',
      /It does not run\. .* It records in memory\. When it stops, what nobody has read is gone\.$/,
    );
  });
});
