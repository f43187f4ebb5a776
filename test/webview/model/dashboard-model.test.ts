import assert from 'node:assert/strict';
import { computeStatistics } from '../../core/finished';
import { computeBusyShare } from '../../core/task/busy-share';
import type { GapKind } from '../../../src/core/session/gap';
import type { Gap, ServerView, ToWebview, TrackingView } from '../../../src/protocol';
import {
  createModel,
  findBounds,
  receiveMessage,
  type DashboardModel,
} from '../../../src/webview/model/dashboard-model';
import { createFigures, selectDatabaseFigures } from '../../../src/webview/dashboard/figures';
import { describeTargetTime } from '../../../src/webview/dashboard/detail-panel';
import {
  describeAttention,
  writeAutomatic,
  describeLedger,
  describeTrackingState,
  findKnownTracking,
} from '../../../src/webview/dashboard/header';
import { describeRead, listRestRows } from '../../../src/webview/dashboard/rests-dialog';
import { createClock } from '../../../src/webview/model/clock';
import {
  findEvidenceNotice,
  findNotice,
  findReadingNotice,
} from '../../../src/webview/dashboard/state-notice';
import { StoredReadingTeller } from '../../../src/webview/dashboard/tellers';
import { INITIAL_VIEW, parseViewState } from '../../../src/webview/model/view-state';
import {
  BEGIN_UTC_MS,
  columnsMessage,
  END_UTC_MS,
  FAKE_CHECKPOINTS,
  FAKE_GAP,
  FAKE_OBSTACLE,
} from '../fake-capture';
import { FAKE_SERVER, fakeDatabases, fakeMessages, fakeTracking } from '../fake-capture';
import { fakeEvidence } from '../fake-evidence';
import { HeldWork } from '../held-work';

const CLOCK = createClock('server', { utcOffsetMinutes: 60, offsets: [] });
const UTC = createClock('utc', { utcOffsetMinutes: 0, offsets: [] });
const makeFigures = (work = () => new HeldWork()) => createFigures(work, () => undefined);
const modelOf = (messages: readonly ToWebview[]): DashboardModel =>
  messages.reduce((model, message) => receiveMessage(model, message).model, createModel());

describe('The model of the dashboard', () => {
  it('drops the rows of another capture as soon as its databases come, and keeps those of the same one', () => {
    const model = modelOf(fakeMessages());
    const send = (captureId: string) =>
      receiveMessage(model, { type: 'databases', captureId, databases: [] }).model.replica.columns.rows;
    assert.deepEqual([send('capture-1') > 0, send('capture-2')], [true, 0]);
  });

  it('shows every checkpoint that it holds, also one that ends after the observation was told, or without any', () => {
    const late = { database: 0, beginUtcMs: END_UTC_MS - 5, durationMs: 5000 };
    const model = modelOf([{ type: 'tracking', tracking: fakeTracking(1) }, columnsMessage([late])]);
    assert.equal(findBounds(model)?.endUtcMs, END_UTC_MS + 4996);
    const atOnce = modelOf([columnsMessage([{ database: 0, beginUtcMs: 7, durationMs: 0 }])]);
    assert.deepEqual(findBounds(atOnce), { beginUtcMs: 7, endUtcMs: 8 });
  });
});

describe('The figures of the dashboard', () => {
  it('tell no rate and no share without an observation', () => {
    const model = modelOf([
      { type: 'databases', captureId: 'a', databases: fakeDatabases(1, 1) },
      columnsMessage([{ database: 0, beginUtcMs: 7, durationMs: 3 }]),
    ]);
    const [only] = makeFigures().ofAll(model.replica, 1, null).databases;
    assert.deepEqual([only!.count, only!.totalMs, only!.perHour, only!.share], [1, 3, null, null]);
  });

  it('are the same whatever the pieces in which rows came, and however late the names of their databases', () => {
    const figures = makeFigures();
    let model = modelOf([{ type: 'tracking', tracking: fakeTracking(1) }]);
    for (let from = 0; from < FAKE_CHECKPOINTS.length; from += 500) {
      model = receiveMessage(model, columnsMessage(FAKE_CHECKPOINTS.slice(from, from + 500), from)).model;
      figures.ofAll(model.replica, Math.min(45, from / 50), model.tracking!.observation);
    }
    const observation = { beginUtcMs: BEGIN_UTC_MS, endUtcMs: END_UTC_MS, gaps: [FAKE_GAP] };
    const { columns } = model.replica;
    const { databases, busyShare, coverage } = figures.ofAll(model.replica, 45, model.tracking!.observation);
    assert.deepEqual(databases, computeStatistics(columns, 45, observation, observation));
    assert.equal(busyShare, computeBusyShare(columns, observation, observation));
    assert.equal(coverage.gapMs, 180_000);
  });

  it('of the table are of the time since the last change, where there was one, and of its hours alone', () => {
    const works: HeldWork[] = [];
    const figures = makeFigures(() => works[works.push(new HeldWork()) - 1]!);
    const hour = (at: number): number => BEGIN_UTC_MS + at * 600_000;
    const since = [hour(2), hour(4), hour(6), hour(8)];
    const checkpoints = [1, 3, 5, 7].map((at) => ({
      database: 0,
      beginUtcMs: hour(at),
      durationMs: 1_000 * at,
    }));
    const model = modelOf([
      { type: 'server', server: { ...FAKE_SERVER, sides: { before: [hour(0), hour(1)], since } } },
      { type: 'tracking', tracking: fakeTracking(4) },
      { type: 'databases', captureId: 'a', databases: fakeDatabases(1, 1) },
      columnsMessage(checkpoints, 0, 'a'),
    ]);
    const all = figures.ofAll(model.replica, 1, model.tracking!.observation);
    const bounds = { beginUtcMs: BEGIN_UTC_MS, endUtcMs: END_UTC_MS };
    const select = (view = INITIAL_VIEW) =>
      selectDatabaseFigures(figures, { model, view, clock: UTC, bounds, all });
    assert.match(select().table.scope, /^Whole capture/, 'until they are computed');
    works[1]!.finish();
    const { table, figures: shown } = select();
    assert.match(table.scope, /^Observed since the last change: /);
    const [only] = shown.databases;
    assert.deepEqual(
      [only?.count, only?.totalMs, only?.perHour, only?.share],
      [2, 10_000, 3, 10_000 / 2_400_000],
    );
    works[2]!.finish();
    assert.equal(select().before?.databases[0]?.count, 0, 'the details have those before beside them');
    const before = { ...INITIAL_VIEW, figuresOf: 'before' } as const;
    assert.match(select(before).table.scope, /^Observed before the first change: /);
    assert.deepEqual(
      [select(before).figures.databases[0]?.count, select(before).figures.coverage.observedMs],
      [0, 600_000],
    );
    assert.match(select({ ...INITIAL_VIEW, figuresOf: 'all' }).table.scope, /^Whole capture/);
  });

  it('are of the capture that is shown, also where another had as many rows', () => {
    const figures = makeFigures();
    const count = (captureId: string, durationMs: number): number => {
      const model = modelOf([columnsMessage([{ database: 0, beginUtcMs: 7, durationMs }], 0, captureId)]);
      return figures.ofAll(model.replica, 1, null).databases[0]!.totalMs;
    };
    assert.deepEqual([count('a', 5), count('b', 9)], [5, 9]);
  });
});

describe('What is said where there is no picture', () => {
  const server: ToWebview = { type: 'server', server: FAKE_SERVER };
  const idle = (part: Partial<TrackingView>): readonly ToWebview[] => [
    server,
    { type: 'tracking', tracking: fakeTracking(0, part) },
  ];
  const notice = (messages: readonly ToWebview[], filter = '', lanes = 0) =>
    findNotice(modelOf(messages), filter, lanes);
  const reading = (isPaused: boolean) => idle({ observation: null, reading: { events: 67_784, isPaused } });
  const unverified = { toUtcMs: END_UTC_MS, utcOffsetMinutes: null };
  const message = 'The login may not read sessions.';
  const [nothing, grant] = [undefined, FAKE_OBSTACLE.grant];

  const NOTICES: readonly (readonly [
    title: string,
    messages: readonly ToWebview[],
    kind: string,
    does: string | undefined,
    statement?: string,
  ])[] = [
    ['that the server is being read, until it has answered', [], 'loading', nothing],
    ['how to pause what is read of a session', reading(false), 'reading', 'pauseReading'],
    ['how to go on with what is read of a session', reading(true), 'reading', 'readOn'],
    [
      'that the server has not answered, where what was kept holds no checkpoint',
      idle({ state: 'stopped', unverified }),
      'loading',
      nothing,
    ],
    [
      'how to start where nothing is tracked',
      idle({ state: 'not tracking' }),
      'not tracking',
      'startTracking',
    ],
    [
      'how to start again after a stop without a checkpoint',
      idle({ state: 'stopped' }),
      'no data',
      'startTracking',
    ],
    ['that tracking waits for the first checkpoint', idle({}), 'no data', nothing],
    ['why tracking failed', idle({ state: 'failed', message }), 'failed', 'refresh'],
    ['how to clear a filter that leaves no lane', fakeMessages(), 'filtered', 'clearFilter'],
    ...(['not tracking', 'stopped', 'failed'] as const).map(
      (state) =>
        [
          `what a login may not, where it is ${state}`,
          idle({ state, obstacle: FAKE_OBSTACLE }),
          'not permitted',
          nothing,
          grant,
        ] as const,
    ),
    [
      'what cannot be granted, either',
      idle({ state: 'not tracking', obstacle: { ...FAKE_OBSTACLE, grant: null } }),
      'not permitted',
      nothing,
    ],
    [
      'nothing of what a login may not where somebody else started the session',
      idle({ obstacle: FAKE_OBSTACLE }),
      'no data',
      nothing,
    ],
  ];
  for (const [title, messages, kind, does, statement] of NOTICES)
    it(`is ${title}`, () => {
      const said = notice(messages, kind === 'filtered' ? 'zzz' : '');
      assert.deepEqual([said?.kind, said?.action?.does, said?.statement], [kind, does, statement]);
    });

  it('is nothing where there are lanes', () => {
    assert.equal(notice(fakeMessages(), '', 45), null);
  });

  it('says all of it in words', () => {
    const words = (messages: readonly ToWebview[]): string =>
      `${notice(messages)?.title}|${notice(messages)?.text}`;
    assert.equal(words(reading(false)), 'Reading what the session recorded|67,784 events so far');
    assert.match(words(idle({ state: 'stopped', unverified })), /\|Waiting for the server to answer\.$/);
    const asked = 'the password of dba on SQL07';
    assert.match(
      words(idle({ state: 'stopped', unverified, asked })),
      /^Waiting for you\|Waiting for the password of dba on SQL07$/,
    );
    assert.match(words(idle({ state: 'failed', message })), /\|The login may not read sessions\.$/);
    assert.match(
      words(idle({ state: 'stopped', obstacle: FAKE_OBSTACLE })),
      /\|Tracking needs ALTER ANY EVENT SESSION, which .* choose Refresh:$/,
    );
    assert.match(
      words(idle({ state: 'stopped', obstacle: { ...FAKE_OBSTACLE, grant: null } })),
      /^Tracking is not possible here\|/,
    );
  });

  it('is told to a reader of screens at its begin and end, when it pauses, and now and then between', () => {
    let nowMs = 0;
    const told: string[] = [];
    const teller = new StoredReadingTeller(
      { performance: { now: () => nowMs } } as unknown as Window,
      (text) => told.push(text),
    );
    const read = (events: number, isPaused = false): void =>
      teller.update(findReadingNotice(fakeTracking(0, { reading: { events, isPaused } })));
    teller.update(null);
    for (let page = 1; page <= 100; page++, nowMs += 250) read(page * 1_000);
    read(100_000, true);
    read(100_000);
    teller.update(findReadingNotice(fakeTracking(3)));
    teller.update(null);
    assert.deepEqual(told, [
      ...[1, 41, 81].map((thousands) => `Reading what the session recorded: ${thousands},000 events so far.`),
      'Reading what the session recorded is paused: 100,000 events so far.',
      'Reading what the session recorded: 100,000 events so far.',
      'All recorded events were read.',
    ]);
  });

  it('says above the pages that have a picture, too, why Start is not offered, beside what needs attention', () => {
    const stopped = fakeTracking(3, {
      state: 'stopped',
      message: 'This capture is from an earlier session.',
      obstacle: FAKE_OBSTACLE,
    });
    assert.equal(
      describeAttention(stopped),
      `This capture is from an earlier session. ${FAKE_OBSTACLE.sentence}`,
    );
    assert.equal(describeAttention(fakeTracking(3, { obstacle: FAKE_OBSTACLE })), null);
  });

  it('is nothing over evidence that came, else that it is awaited, or why it cannot come', () => {
    const of = (messages: readonly ToWebview[]) => findEvidenceNotice(modelOf(messages));
    assert.equal(of([{ type: 'evidence', evidence: fakeEvidence() }]), null);
    assert.equal(of([server])?.kind, 'loading');
    const failed = of(idle({ state: 'failed', message }));
    assert.deepEqual([failed?.text, failed?.action?.does], [message, 'refresh']);
  });
});

describe('The state of tracking in words', () => {
  const gap = (reason: GapKind, fromMinute: number, toMinute: number): Gap => {
    const [beginUtcMs, endUtcMs] = [BEGIN_UTC_MS + fromMinute * 60_000, BEGIN_UTC_MS + toMinute * 60_000];
    return { kind: reason, beginUtcMs, endUtcMs, reason };
  };
  const withGaps = (gaps: readonly Gap[]): TrackingView =>
    fakeTracking(3, { observation: { beginUtcMs: BEGIN_UTC_MS, endUtcMs: END_UTC_MS, gaps } });
  const lastRow = (tracking: TrackingView) => listRestRows({ words: null, tracking, clock: CLOCK }).at(-1);

  it('tells how long', () => {
    assert.equal(describeTrackingState(fakeTracking(3), UTC), 'Tracking for 2 h 14 min');
    assert.equal(
      describeTrackingState(fakeTracking(3, { state: 'stopped' }), UTC),
      'Stopped after 2 h 14 min',
    );
  });

  it('says that it is being read until the server answered, whatever is said of tracking', () => {
    const tracking = fakeTracking(3, { state: 'not tracking' });
    assert.equal(describeTrackingState(findKnownTracking({ server: null, tracking }), UTC), 'Reading…');
    const server = { name: 'PROD-SQL07' } as ServerView;
    assert.equal(describeTrackingState(findKnownTracking({ server, tracking }), UTC), 'Not tracking');
  });

  it('says what could not be observed instead of counting it as none', () => {
    assert.equal(describeLedger(fakeTracking(3)), '9 events, none lost · 1 gap, 3 min');
    assert.equal(
      describeLedger(fakeTracking(3, { lostEvents: null, lostBuffers: null, malformed: 2 })),
      '9 events · lost events not observable · 2 malformed · 1 gap, 3 min',
    );
  });

  it('keeps events and buffers that the server lost apart', () => {
    const lost = (lostEvents: number | null, lostBuffers: number | null): string | undefined =>
      describeLedger(fakeTracking(3, { lostEvents, lostBuffers })).split(' · ')[1];
    assert.equal(lost(1, 0), '1 event lost, 0 buffers lost');
    assert.equal(lost(1200, 1), '1,200 events lost, 1 buffer lost');
    assert.equal(lost(0, null), '0 events lost, lost buffers not observable');
    assert.match(
      describeRead(fakeTracking(3, { lostEvents: 7, lostBuffers: null })),
      /Lost by the server: 7 events, buffers not observable\.$/,
    );
  });

  it('accounts for observed time and for gaps by their kind', () => {
    const tracking = withGaps([
      gap('session stopped', 10, 12),
      gap('events lost', 11, 14),
      gap('session stopped', 20, 21),
    ]);
    assert.ok(
      describeLedger(tracking).endsWith('3 gaps, 5 min'),
      'the minute that two gaps share counts once',
    );
    assert.deepEqual(lastRow(tracking), {
      name: 'Observed',
      text:
        '2 h 9 min of 2 h 14 min observed; missing: session stopped 2 gaps, 3 min; events lost 3 min. ' +
        'Nothing was observed between 12:55 and 12:57 (session stopped). Events may be missing between 12:56 and 12:59 (events lost). ' +
        'Nothing was observed between 13:05 and 13:06 (session stopped).',
    });
    assert.equal(lastRow(withGaps([]))?.text, '2 h 14 min, without a gap.');
  });

  it('names the first gaps, and how many there are besides', () => {
    const gaps = Array.from({ length: 9 }, (_, at) => ({
      ...gap('failover', at * 10, at * 10 + 1),
      reason: `${at}`,
    }));
    assert.match(lastRow(withGaps(gaps))?.text ?? '', /\(5\)\. 3 more gaps\.$/);
  });

  it('accounts for every event that was read: two for a checkpoint, and what is left', () => {
    assert.equal(
      describeRead(fakeTracking(27_050, { rowsRead: 54_375, unpaired: 0, otherEvents: 275 })),
      '54,375 events: 54,100 from 27,050 checkpoints, 275 other events. 0 unpaired, 0 duplicates, 0 malformed. Lost by the server: 0 events, 0 buffers.',
    );
  });

  it('keeps how many databases are automatic in sight, and says nothing where they could not be read', () => {
    assert.equal(writeAutomatic(FAKE_SERVER), '312 of 400 automatic');
    assert.equal(writeAutomatic({ ...FAKE_SERVER, automatic: 0 }), '0 of 400 automatic');
    assert.deepEqual(
      [writeAutomatic(null), writeAutomatic({ ...FAKE_SERVER, automatic: 0, databases: 0 })],
      ['', ''],
    );
  });

  it('tells automatic from indirect, and neither where the setting was not readable', () => {
    assert.deepEqual([0, 60, null].map(describeTargetTime), [
      '0 s, automatic',
      '60 s, indirect',
      'could not be read',
    ]);
  });
});

describe('The kept view', () => {
  it('comes back as it was', () => {
    const view = {
      ...INITIAL_VIEW,
      page: 'errorLog' as const,
      evidenceSorts: { backups: { column: 'duration', descending: true } },
      window: { beginUtcMs: 1, endUtcMs: 2 },
      follows: false,
      selectedDatabaseId: 7,
      filter: 'x',
      figuresOf: 'view',
      sort: { column: 'perHour' as const, descending: false },
      clock: 'local' as const,
      laneHeight: 'compact' as const,
      pinned: [7, 5],
      strips: ['dataWrite' as const],
      measured: { beginUtcMs: 1, endUtcMs: 2, databaseIds: [5] },
    };
    assert.deepEqual(parseViewState(JSON.parse(JSON.stringify(view))), view);
  });

  it('takes initial values for whatever does not fit', () => {
    const UNFIT: readonly object[] = [
      {
        window: { beginUtcMs: 2, endUtcMs: 1 },
        sort: { column: 'x' },
        selectedDatabaseId: '7',
        filter: 3,
        follows: null,
      },
      {
        clock: 'mine',
        laneHeight: 3,
        pinned: ['5', 1.5],
        strips: 'busy',
        measured: { beginUtcMs: 1, endUtcMs: 2, databaseIds: [] },
      },
      { page: 'database', evidenceSorts: { a: null, b: { column: 3 }, c: 'x' } },
    ];
    for (const kept of [undefined, ...UNFIT]) assert.deepEqual(parseViewState(kept), INITIAL_VIEW);
    const half = parseViewState({ pinned: [5, 5], strips: ['x', 'pages', 'busy'] });
    assert.deepEqual(half, { ...INITIAL_VIEW, pinned: [5], strips: ['busy', 'pages'] });
  });
});
