import assert from 'node:assert/strict';
import { AlreadySo } from '../../../src/monitor/queries/failure';
import type { SessionElsewhere } from '../../../src/monitor/tracking/session-owner';
import { createTrackingCommands } from '../../../src/shell/commands/tracking-commands';
import { agree, databaseRow, type Desk, openDesk, run, serverRow } from '../fake-editor';
import { partsOf, shop } from '../sample';

const found = shop();
const trackingOf = (
  trackedDatabaseIds: readonly number[] | null,
  more: Partial<typeof found> = {},
): typeof found => ({
  ...found,
  tracking: { ...found.tracking, state: 'tracking' },
  trackedDatabaseIds,
  ...more,
});
const outside = { serverId: 'server-1', databaseIds: [7], group: null };
const failed = { connection: 'failed', failure: 'Could not reach sql07.' } as const;
type Step = keyof ReturnType<typeof createTrackingCommands>;

/** Runs one of the commands; the row alone is selected unless others are given. */
function track(
  desk: Desk,
  step: Step,
  row?: unknown,
  selection?: readonly unknown[],
): Promise<string | undefined> {
  return run(createTrackingCommands(desk.context)[step], row, selection);
}

/** A desk whose server has been read, so that it is known what is tracked. */
async function openKnown(given: typeof found, answers: unknown[] = []): Promise<Desk> {
  const desk = await openDesk(given, answers);
  await desk.servers.connect('server-1', agree);
  return desk;
}

describe('The commands about tracked databases', () => {
  it('start at once from our own pane: with all databases from the server, and with the selected ones from databases', async () => {
    const desk = await openDesk(found);
    await track(desk, 'startTracking', serverRow, [serverRow]);
    await track(desk, 'startTracking', databaseRow(6), [databaseRow(5), databaseRow(6)]);
    assert.deepEqual(
      [desk.conversation.said, desk.asked()],
      [[], ['look', ['startTracking', null], ['startTracking', [5, 6]]]],
    );
  });

  it('offer the automatic databases first when they are chosen', async () => {
    const desk = await openDesk(found, ['as offered']);
    await track(desk, 'startTrackingChosen', serverRow);
    assert.deepEqual(partsOf(desk.conversation.offered[0], 'label', 'isPicked').slice(4), [
      ['a', true],
      ['b', true],
      ['c', false],
    ]);
    assert.deepEqual(desk.changed(), [['startTracking', [5, 6]]]);
  });

  it('start nothing when no database is chosen', async () => {
    const desk = await openDesk(found, [[]]);
    assert.equal(
      await track(desk, 'startTrackingChosen', serverRow),
      'No database was chosen, so tracking was not started.',
    );
    assert.deepEqual(desk.changed(), []);
  });

  it('add databases to what is tracked, take some out, and stop, at once from our own pane', async () => {
    const desk = await openDesk(trackingOf([5, 6]));
    await track(desk, 'addToTracking', databaseRow(7), [databaseRow(6), databaseRow(7)]);
    await track(desk, 'removeFromTracking', databaseRow(6));
    await track(desk, 'stopTracking', serverRow);
    const changed = [['changeTrackedDatabases', [5, 6, 7]], ['changeTrackedDatabases', [5]], 'stopTracking'];
    assert.deepEqual([desk.conversation.said, desk.changed()], [[], changed]);
  });

  const fifty = Array.from({ length: 50 }, (_, at) => 100 + at);
  for (const [what, given, step, rows, sentence] of [
    [
      'are tracked already',
      trackingOf([5, 6]),
      'addToTracking',
      [databaseRow(5)],
      /They are already tracked on Production 7/,
    ],
    ['are not tracked', trackingOf([5, 6]), 'removeFromTracking', [databaseRow(7)], /They are not tracked/],
    [
      'are the last',
      trackingOf([5, 6]),
      'removeFromTracking',
      [databaseRow(5), databaseRow(6)],
      /Stop tracking instead/,
    ],
    ['were not chosen', trackingOf([5, 6]), 'addToTracking', [serverRow], /Choose one or more databases/],
    ['could join nothing', found, 'addToTracking', [databaseRow(5)], /are not being tracked/],
    [
      'are more than a predicate holds',
      trackingOf(fifty),
      'addToTracking',
      [databaseRow(5)],
      /That would be 51 databases of Production 7\. An event session can record at most 50 chosen databases, or all of them/,
    ],
    [
      'cannot be reached',
      { ...found, ...failed, facts: null },
      'startTracking',
      [serverRow],
      /^Could not reach sql07\.$/,
    ],
  ] as const)
    it(`change nothing and say why where databases ${what}`, async () => {
      const desk = await openDesk(given);
      assert.match(String(await track(desk, step, rows[0], rows)), sentence);
      assert.deepEqual(desk.changed(), []);
    });

  it('ask before the session is removed, and name the files that stay', async () => {
    const refused = await openDesk(found, [false]);
    await track(refused, 'removeTracking', serverRow);
    assert.deepEqual(refused.asked(), ['look']);
    const desk = await openKnown(found, [true]);
    desk.monitor.leftFiles = ['a_0_*.xel (up to 250 MB)', 'a_2*.xel'];
    await track(desk, 'removeTracking', serverRow);
    assert.equal(
      desk.conversation.said.at(-1),
      'The tracking session was removed from Production 7. Its event files stay on the server: a_0_*.xel (up to 250 MB); a_2*.xel. Delete them there when they are no longer needed.',
    );
    assert.match(desk.logged.join('\n'), /a_0_\*\.xel \(up to 250 MB\), a_2\*\.xel/);
  });
});

describe('Commands that change a server', () => {
  for (const [step, question] of [
    ['startTracking', 'Track checkpoints of one database on Production 7 (sql07)?'],
    ['startTrackingChosen', 'Track checkpoints of databases that you choose on Production 7 (sql07)?'],
    ['stopTracking', 'Stop tracking checkpoints on Production 7 (sql07)?'],
    ['removeTracking', 'Remove the tracking session from Production 7 (sql07)?'],
    ['addToTracking', 'Track more databases of Production 7 (sql07)?'],
    ['removeFromTracking', 'Track fewer databases of Production 7 (sql07)?'],
  ] as const)
    for (const [what, copied] of [
      ['a copy of a row of ours', { ...databaseRow(6) }],
      ['a target as our dashboard has one', { serverId: 'server-1', databaseIds: [6], group: null }],
    ] as const)
      it(`ask once, with the server's name and address, where ${what} asked for it: ${step}`, async () => {
        const target = step === 'addToTracking' ? { ...copied, databaseId: 7, databaseIds: [7] } : copied;
        const before = step.startsWith('start') ? found : trackingOf([5, 6]);
        const refused = await openDesk(before, [false]);
        await track(refused, step, target);
        assert.deepEqual([refused.conversation.said, refused.changed()], [[question], []]);
        const agreed = await openDesk(before, [true, [6]]);
        assert.equal(await track(agreed, step, target), undefined);
        assert.deepEqual([agreed.conversation.details.length, agreed.changed().length], [1, 1]);
      });

  for (const [step, deed] of [
    ['startTracking', /CheckpointHealth is created and started on that server\./],
    ['stopTracking', /CheckpointHealth is read to its end and stopped\./],
  ] as const)
    it(`ask where a node of another product's tree was pointed at, which anything can make up: ${step}`, async () => {
      const desk = await openDesk(trackingOf([5, 6]), [false]);
      const takeUpNode = async () => ({ serverId: 'server-1', databaseIds: [], group: null });
      await run(createTrackingCommands({ ...desk.context, takeUpNode })[step], {
        connectionProfile: { serverName: 'sql07' },
      });
      assert.deepEqual([desk.conversation.said.length, desk.monitors.length], [1, 0]);
      assert.match(desk.conversation.details[0] ?? '', deed);
      assert.match(desk.conversation.details[0] ?? '', /The request did not come from the Checkpoint/);
    });

  it('only look without a question, whoever runs them', async () => {
    const desk = await openDesk(found);
    await track(desk, 'showTrackingSql', { ...serverRow });
    assert.deepEqual([desk.conversation.said, desk.conversation.shown.length], [[], 1]);
  });
});

describe('Start where checkpoints are tracked already', () => {
  it('opens the timeline, at the database that was pointed at, which says all', async () => {
    const desk = await openDesk(trackingOf(null));
    for (const row of [serverRow, databaseRow(6)])
      assert.equal(await track(desk, 'startTracking', row), undefined);
    assert.deepEqual(desk.timelines, [
      ['server-1', null],
      ['server-1', 6],
    ]);
    assert.deepEqual([desk.conversation.said, desk.changed()], [[], []]);
  });

  it('asks nothing where that is known, whoever asked', async () => {
    const desk = await openKnown(trackingOf(null));
    await track(desk, 'startTracking', { ...outside });
    assert.deepEqual(
      [desk.conversation.details, desk.timelines, desk.changed()],
      [[], [['server-1', 7]], []],
    );
  });

  it('opens the timeline also where the session is found running only by the second of two clicks', async () => {
    const desk = await openKnown(found);
    desk.monitor.startTracking = () =>
      Promise.reject(new AlreadySo('Checkpoints are already being tracked.'));
    assert.equal(await track(desk, 'startTracking', serverRow), undefined);
    assert.deepEqual(desk.timelines, [['server-1', null]]);
  });

  it('claims nothing of a server that is not reached now: it says why', async () => {
    const desk = await openKnown(trackingOf(null, failed));
    assert.equal(await track(desk, 'startTracking', serverRow), failed.failure);
    assert.deepEqual([desk.conversation.said, desk.timelines], [[], []]);
  });

  it('adds a database that is not tracked yet: at once from our own pane, else after a question', async () => {
    const desk = await openKnown(trackingOf([5, 6]), [true]);
    await track(desk, 'startTracking', databaseRow(7));
    assert.deepEqual(
      [desk.conversation.said, desk.changed(), desk.timelines],
      [[], [['changeTrackedDatabases', [5, 6, 7]]], []],
    );
    await track(desk, 'startTracking', { ...outside });
    assert.deepEqual(
      [desk.conversation.said, desk.changed().length],
      [['Track more databases of Production 7 (sql07)?'], 2],
    );
  });

  it('says how many are tracked where all were asked for, and what changes that', async () => {
    const desk = await openDesk(trackingOf([5]), [true, [5, 6]]);
    await track(desk, 'startTracking', serverRow);
    assert.deepEqual([desk.timelines, desk.changed()], [[['server-1', null]], []]);
    assert.equal(desk.conversation.said[0], 'Already tracked on Production 7: 1 database.');
    await new Promise(setImmediate);
    assert.deepEqual(
      desk.changed(),
      [['changeTrackedDatabases', [5, 6]]],
      'the button asks which, and nothing else',
    );
  });

  it('names the session of somebody else that is followed, whose databases are not ours to change', async () => {
    const desk = await openDesk(trackingOf([5], { adoptedSession: 'team_session' }));
    for (const step of ['startTracking', 'startTrackingChosen'] as const)
      assert.equal(await track(desk, step, databaseRow(7)), undefined);
    assert.deepEqual([desk.timelines.length, desk.changed()], [2, []]);
    for (const said of desk.conversation.said)
      assert.match(
        said,
        /^The event session team_session already records .* Checkpoint Health only reads it\. To stop reading, stop tracking\.$/,
      );
  });

  it('with databases to choose, shows those that are tracked as chosen, and tracks what was chosen instead', async () => {
    const desk = await openDesk(trackingOf([5]), ['as offered', [5, 7], [], [1, 2, 3, 4, 5, 6, 7]]);
    const choose = (): Promise<string | undefined> => track(desk, 'startTrackingChosen', serverRow);
    await choose();
    const picked = desk.conversation.offered[0]?.filter(({ isPicked }) => isPicked);
    assert.deepEqual([partsOf(picked, 'label'), desk.changed(), desk.timelines.length], [['a'], [], 1]);
    await choose();
    assert.match(String(await choose()), /the tracked ones stay\. To track none, stop tracking\.$/);
    await choose();
    assert.deepEqual(desk.changed(), [
      ['changeTrackedDatabases', [5, 7]],
      ['changeTrackedDatabases', null],
    ]);
  });
});

describe('Stop where nothing is tracked', () => {
  const sentence = 'Checkpoints of Production 7 are not tracked from here, so there is nothing to stop.';

  it('says so without a question and without an error', async () => {
    const desk = await openKnown(found);
    for (const target of [serverRow, outside])
      assert.equal(await track(desk, 'stopTracking', target), undefined);
    assert.deepEqual([desk.conversation.said, desk.asked()], [[sentence, sentence], ['look']]);
  });

  it('says the same where that is found out only when the server answered', async () => {
    const desk = await openDesk(found);
    assert.equal(await track(desk, 'stopTracking', serverRow), undefined);
    assert.deepEqual([desk.conversation.said, desk.asked()], [[sentence], ['look']]);
  });
});

describe('A session that was started elsewhere', () => {
  const configuredFile = 'CheckpointHealth_20260302T080000Z_0badcafe.xel';
  const startedLocalMs = Date.UTC(2026, 2, 2, 9);
  const byColleague: SessionElsewhere = {
    serverName: 'PROD-SQL07',
    definitionId: 65_537,
    configuredFile,
    isRunning: true,
    startedLocalMs,
  };

  /** The answers come behind that to the question with which Remove always begins. */
  async function meet(
    step: Step,
    row: unknown,
    answers: readonly boolean[],
    ...elsewhere: SessionElsewhere[]
  ): Promise<Desk> {
    const before = step === 'startTracking' ? found : trackingOf([5, 6]);
    const desk = await openKnown(before, [...(step === 'removeTracking' ? [true] : []), ...answers]);
    desk.monitor.elsewhere = elsewhere;
    assert.equal(await track(desk, step, row), undefined);
    return desk;
  }

  for (const [step, row, deed] of [
    ['startTracking', serverRow, 'Drop it and create it again'],
    ['stopTracking', serverRow, 'Stop it'],
    ['removeTracking', serverRow, 'Drop it'],
    ['addToTracking', databaseRow(7), 'Change its databases'],
  ] as const)
    it(`is named before ${step}, and changed or left as the user says`, async () => {
      const question = `The event session CheckpointHealth on Production 7 was started elsewhere. ${deed} all the same?`;
      for (const isAgreed of [false, true]) {
        const desk = await meet(step, row, [isAgreed], byColleague);
        assert.equal(desk.conversation.said.filter((said) => said === question).length, 1);
        assert.equal(desk.changed().length, isAgreed ? 1 : 0);
        assert.match(
          desk.conversation.details.at(-1) ?? '',
          /^Another installation .* running since 2026-03-02 09:00:00 by the server's clock\. It may be in use\. Its files stay on the server in any case: CheckpointHealth_20260302T080000Z_0badcafe\.xel\.$/,
        );
      }
    });

  it('is asked about again where another one is in its place by then, and says what is lost of one in memory', async () => {
    const inMemory = { ...byColleague, configuredFile: null, isRunning: false, startedLocalMs: null };
    const desk = await meet('stopTracking', serverRow, [true, false], byColleague, inMemory);
    assert.deepEqual([desk.conversation.details.length, desk.changed()], [2, []]);
    assert.match(
      desk.conversation.details[1] ?? '',
      /It is not running\. .* It records in memory\. When it stops, anything not read is lost\.$/,
    );
  });
});
