import assert from 'node:assert/strict';
import { describeUnverified, notTracking } from '../../../src/core/capture/tracking-status';
import type { Standing } from '../../../src/monitor/queries/login-standing';
import { createClock } from '../../../src/webview/model/clock';
import { describeTrackingState } from '../../../src/webview/dashboard/header';
import type { Facts } from '../../../src/core/advice/facts';
import type { InstanceVerdict } from '../../../src/core/advice/instance';
import type { ServerSnapshot } from '../../../src/monitor/server-monitor';
import type { Row } from '../../../src/shell/tree/row';
import {
  facts,
  instanceWith,
  nowUtcMs,
  partsOf,
  rowsUnder,
  serverRow,
  snapshot,
  systemDatabases,
  tracking,
  upgradedServer,
  withoutState,
} from '../sample';
import { longestRunOf } from '../../core/advice/task-of';

const UTC = createClock('utc', { utcOffsetMinutes: 0, offsets: [] });
const at = Date.UTC(2026, 2, 2, 10, 32, 5);
const clock = (ms: number): string => new Date(ms).toTimeString().slice(0, 5);

const rowOf = (given: ServerSnapshot, wanted: Row['kind']): Row | undefined =>
  rowsUnder(given).find(({ kind }) => kind === wanted);
const unread = (more: Partial<ServerSnapshot>): ServerSnapshot =>
  snapshot(facts([]), { facts: null, ...more });
const upgraded = (more: Partial<ServerSnapshot> = {}): ServerSnapshot => snapshot(upgradedServer(), more);

/** A server that is not read now. */
function away(
  kind: Standing['kind'],
  retryInMs: number | null,
  more: Partial<ServerSnapshot> = {},
): ServerSnapshot {
  const standing = { kind, sentence: 'It failed.', sinceMs: at, retryInMs };
  return upgraded({
    connection: 'failed',
    failure: 'It failed.',
    standing,
    lastReadMs: at - 60_000,
    ...more,
  });
}

/** A server that was measured. */
const busy = (share: number, more = {}): ServerSnapshot =>
  upgraded({ tracking, instance: instanceWith({ 5: share / 2, 6: share / 2 }, more) });

describe('rows of the pane', () => {
  it('say while connecting what that may be waiting for', () => {
    const waitsFor = 'approval: see notifications\nUntil then nothing is read.';
    const waiting = unread({ connection: 'connecting', waitsFor });
    const [row] = rowsUnder(waiting);
    assert.equal(serverRow(waiting).description, 'waiting for you');
    assert.deepEqual(
      [row?.label, row?.description, row?.tooltip],
      ['Waiting for approval: see notifications', '', `Waiting for ${waitsFor}`],
    );
  });

  for (const [what, given, expected] of [
    [
      'since when it is not reached, when it was read last, and when it is tried again',
      away('unreachable', 19_000),
      [
        `not reached since ${clock(at)}`,
        'Trying again in 20 s',
        'refresh',
        `last read ${clock(at - 60_000)} · It failed.`,
      ],
    ],
    [
      'that in minutes where it is long',
      away('unreachable', 250_000),
      [`not reached since ${clock(at)}`, 'Trying again in 4 min'],
    ],
    [
      'nothing of the last read where there was none',
      away('unreachable', 0, { lastReadMs: null }),
      [`not reached since ${clock(at)}`, 'Trying again now', 'refresh', 'It failed.'],
    ],
    [
      'that a click is needed where its login was refused',
      away('refused', null),
      [`login refused since ${clock(at)}`, 'Not trying again: click to choose', 'connectAnotherWay'],
    ],
    ['that its certificate is not trusted', away('certificate', null), ['certificate not trusted']],
    [
      'that it opens with a click where it waits for one',
      away('waiting', null),
      ['not connected', 'Open', 'refresh'],
    ],
  ] as const)
    it(`say of a server that is not read now ${what}`, () => {
      const [row] = rowsUnder(given);
      const said = [serverRow(given).description, row?.label, row?.command, row?.description];
      assert.deepEqual(said.slice(0, expected.length), expected);
      assert.match(row?.tooltip ?? '', /^It failed\./);
    });

  it('do not say of a server that is not read now that its event session runs, which nobody can see', () => {
    const seen = { ...tracking, isLastSeen: true };
    const row = rowOf(away('unreachable', 5_000, { tracking: seen }), 'tracking');
    assert.deepEqual([row?.label, row?.description], ['Last seen running', clock(at - 60_000)]);
    assert.notEqual(row?.icon?.colour, 'charts.green');
    assert.match(row?.tooltip ?? '', /The event session may still be running/);
    assert.equal(describeTrackingState({ ...seen, obstacle: null }, UTC), 'Last seen running');
  });

  it('say of a kept capture as of when it is, and that its server has not confirmed it', () => {
    const unverified = { toUtcMs: at, utcOffsetMinutes: 60 };
    const row = rowOf(
      unread({ connection: 'connecting', tracking: { ...tracking, state: 'stopped', unverified } }),
      'tracking',
    );
    assert.match(
      row?.label ?? '',
      new RegExp(`^As of (\\d{4}-\\d\\d-\\d\\d )?${clock(at)}, not verified yet$`),
    );
    assert.deepEqual([row?.description, row?.icon?.name], ['8,746 checkpoints', 'question']);
    assert.equal(describeUnverified(unverified, 0, at), 'As of 10:32, not verified yet');
    const nextDay = describeUnverified(
      { toUtcMs: Date.UTC(2026, 2, 2, 9, 40), utcOffsetMinutes: 60 },
      60,
      Date.UTC(2026, 2, 3, 9, 0),
    );
    assert.equal(nextDay, 'As of 2026-03-02 10:40, not verified yet');
  });

  it('say of a file that has checkpoints only what it holds, and nothing of a server that did not answer', () => {
    const file = { ...tracking, state: 'stopped', record: { utcOffsetMinutes: 60 } } as const;
    const failed = unread({
      connection: 'failed',
      failure: 'This file has checkpoints only.',
      tracking: file,
    });
    const { description, icon } = serverRow(failed);
    assert.deepEqual([description, icon], ['has checkpoints only', { name: 'server' }]);
    const row = rowOf(failed, 'tracking');
    assert.deepEqual(
      [row?.label, row?.icon?.name, row?.command],
      ['Tracked', 'stop-circle', 'openDashboard'],
    );
  });

  it('say that a server is being judged, and list no group, until there is a verdict', () => {
    const rows = rowsUnder(upgraded({ instance: null, verdicts: new Map() }));
    assert.equal(rows.filter(({ label }) => label === 'Judging…').length, 1);
    assert.ok(rows.every(({ kind }) => kind !== 'group'));
  });

  it('say since when a server is silent that has not failed yet', () => {
    assert.equal(serverRow(upgraded({ silentSinceMs: at })).description, `no answer since ${clock(at)}`);
  });

  it('say that it was tracked when last seen, before and after its row is opened', () => {
    const unopened = unread({ connection: 'not connected', tracking: { ...notTracking, isLastSeen: true } });
    assert.equal(serverRow(unopened).description, 'tracked when last seen');
    const waiting = away('waiting', null, {
      facts: null,
      tracking: { ...tracking, state: 'stopped', isLastSeen: true },
    });
    assert.deepEqual(
      [serverRow(waiting).description, ...partsOf(rowsUnder(waiting), 'label')],
      ['tracked when last seen', 'Open', 'Tracked when last seen'],
    );
  });

  it('says of a server how many databases are automatic, and the rest in its tooltip', () => {
    const { label, description, spoken, icon, tooltip } = serverRow(upgraded());
    assert.deepEqual(
      [label, description, spoken],
      ['Production 7', '312 of 400 automatic', 'Server Production 7, 312 of 400 automatic'],
    );
    assert.equal(icon?.colour, undefined, 'a setting is no problem yet');
    assert.deepEqual(tooltip.split('\n').slice(0, 3), [
      'Production 7',
      'SQL Server 2019 · 256 GB · up 12 d',
      '312 of 400 databases automatic: target recovery time 0 s',
    ]);
  });

  describe('of a server that was measured', () => {
    it('say how busy its checkpoint task is, and keep in sight how many databases are automatic', () => {
      const { description, spoken, icon, tooltip } = serverRow(busy(0.97));
      assert.deepEqual(
        [description, spoken, icon?.colour],
        ['97 % busy', 'Server Production 7, 97 % busy', 'charts.yellow'],
      );
      const flag = rowOf(busy(0.97), 'automatic');
      assert.deepEqual([flag?.label, flag?.command], ['312 of 400 automatic', 'filterDatabases']);
      assert.deepEqual(tooltip.split('\n').slice(0, 3), [
        'Production 7',
        'The checkpoint task is almost never free.',
        'Busy 97 % of 8 h. 2 databases take turns, a typical one every 110.3 s.',
      ]);
      assert.match(tooltip, /^312 of 400 databases automatic: target recovery time 0 s$/m);
    });

    it('say right below the tracking which limit is exceeded or near, and open the dashboard by it', () => {
      const below = (isUp: boolean): Row | undefined =>
        rowsUnder({
          ...busy(0.97),
          nearestLimit: {
            id: 'log used',
            brief: 'log used 71 %',
            text: 'log used in Alpine 71 %, limit 70 %',
            isUp,
          },
        })[1];
      const [up, near] = [below(true), below(false)];
      assert.deepEqual(
        [up?.label, up?.icon?.name, up?.command],
        ['Stop: log used 71 %', 'error', 'openDashboard'],
      );
      assert.match(
        up?.tooltip ?? '',
        /^Stop: log used in Alpine 71 %, limit 70 %\nDo not run the next wave until this is resolved\./,
      );
      assert.deepEqual([near?.label, near?.icon?.name], ['Near a limit: log used 71 %', 'warning']);
      assert.equal(rowOf(busy(0.97), 'nearestLimit'), undefined);
    });

    it('say how far the plan is and whether its forecast holds, while a wave is left', () => {
      const rowAt = (part: Partial<InstanceVerdict>): Row | undefined => {
        const next = { wave: 3, databaseIds: [5] };
        return rowOf(busy(0.58, { ran: 2, next, later: [{ wave: 4, databaseIds: [6] }], ...part }), 'waves');
      };
      const so = { wave: 2, atUtcMs: 0, limits: 'None is exceeded.' };
      const holds = rowAt({ soFar: { ...so, forecast: 'as forecast' } });
      assert.deepEqual(
        [holds?.label, holds?.description, holds?.icon?.name, holds?.tooltip],
        ['Wave 2 of 4 run', 'forecast holds', 'check', 'Limits: None is exceeded.'],
      );
      const above = rowAt({ soFar: { ...so, forecast: 'above' } });
      assert.deepEqual([above?.description, above?.icon?.name], ['busier than forecast', 'info']);
      assert.equal(rowAt({ soFar: { ...so, forecast: null } })?.description, '');
      const earlier = rowAt({ soFar: { ...so, wave: 1, forecast: 'as forecast' } });
      assert.deepEqual([earlier?.description, earlier?.tooltip], ['', ''], 'it was of the wave before');
      const objection = { kind: 'missed', missed: { wave: 2, low: 0, high: 0.1, busyShare: 0.5 } } as const;
      const missed = rowAt({ objection, soFar: { ...so, forecast: 'above' } });
      assert.deepEqual([missed?.description, missed?.icon?.name], ['busier than forecast', 'info']);
      assert.equal(rowAt({ next: null }), undefined, 'none is left');
    });

    it('warn of nothing where the task is mostly free', () => {
      const { description, icon } = serverRow(busy(0.1));
      assert.deepEqual([description, icon?.colour], ['10 % busy', undefined]);
    });

    it('say before the first verdict how busy the task was so far, and how long it is until then', () => {
      const early = busy(0.93, { state: 'cannot tell yet', observedMs: 4 * 60_000, neededMs: 6 * 60_000 });
      assert.equal(serverRow(early).description, '93 % busy so far');
      const labels = partsOf(rowsUnder(early).slice(0, 4), 'label');
      assert.deepEqual(labels, ['Tracking', 'First verdict in 6 min', '312 of 400 automatic', 'Automatic']);
      assert.equal(
        rowOf({ ...early, tracking: { ...tracking, state: 'stopped' } }, 'verdict'),
        undefined,
        'nothing comes any more',
      );
      assert.equal(rowOf(busy(0.93), 'verdict'), undefined, 'it is there');
    });

    it('say how busy the task is by its waits before anything is tracked, with the automatic databases still in their row, and warn of nothing', () => {
      const byWaits = { share: 0.97, observedMs: 30_000 };
      const untracked = busy(0, {
        state: 'cannot tell yet',
        task: null,
        observedMs: 0,
        neededMs: 600_000,
        byWaits,
      });
      const idle = { ...untracked, tracking: { ...tracking, state: 'not tracking' as const } };
      const { description, icon, tooltip = '' } = serverRow(idle);
      assert.deepEqual([description, icon?.colour], ['97 % busy (wait stats)', undefined]);
      assert.match(
        tooltip,
        /CHECKPOINT_QUEUE\) show the checkpoint task busy 97 % of 30\.0 s\. Start tracking to see which databases\./,
      );
      assert.ok(partsOf(rowsUnder(idle), 'label').includes('312 of 400 automatic'));
    });

    it('say the time until the next verdict where a database was changed', () => {
      const changed = busy(0.93, { state: 'cannot tell yet', neededMs: 90_000, sinceUtcMs: nowUtcMs });
      assert.equal(rowsUnder(changed)[1]?.label, 'Next verdict in 2 min');
    });

    it('say when a queue stood that comes and goes', () => {
      const longestRun = longestRunOf(Date.UTC(2026, 2, 1, 21, 0), 38, 2, true);
      const { task } = instanceWith({ 5: 0.25 });
      const atTimes = busy(0.25, { state: 'queue at times', task: task && { ...task, longestRun } });
      assert.equal(serverRow(atTimes).description, 'queue 38 min at 22:00');
    });

    it('keep in sight how many databases are automatic while the server is not reached, and never say it twice', () => {
      const { standing } = away('unreachable', 5000);
      for (const given of [
        upgraded(),
        busy(0.97),
        { ...busy(0.97), connection: 'failed', standing, failure: 'It is gone.' } as const,
      ]) {
        const said = [serverRow(given).description, ...partsOf(rowsUnder(given), 'label')];
        assert.equal(said.filter((text) => text === '312 of 400 automatic').length, 1, given.connection);
      }
    });
  });

  it('puts what is to be read first into the six rows of a low pane', () => {
    const first = rowsUnder(upgraded({ tracking })).slice(0, 4);
    assert.deepEqual(partsOf(first, 'label'), [
      'Tracking',
      'Automatic, not measured',
      'Indirect',
      'Cannot change here',
    ]);
  });

  it('fits every row above the databases into a pane of 300 pixels', () => {
    // 300 less indentation, twistie and icon leave about 250 pixels, and VS Code's 13 pixel font takes about 6.3 a
    // character.
    const label = 'PROD-SQL07';
    const standing = (['refused', 'certificate', 'waiting', 'unreachable'] as const).map((kind) =>
      away(kind, 20_000, { label }),
    );
    for (const given of [upgraded({ label }), ...standing]) {
      const { description } = serverRow(given);
      assert.ok(`${label} ${description}`.length <= 42, `${label} ${description}`);
      for (const row of rowsUnder(given)) assert.ok(row.label.length <= 40, row.label);
    }
  });

  it('makes a model database at 0 a finding of its own', () => {
    const hasModel = [0, 60, null].map(
      (modelTargetSeconds) =>
        rowOf(snapshot(facts(systemDatabases, { modelTargetSeconds })), 'model') !== undefined,
    );
    assert.deepEqual(hasModel, [true, false, false]);
  });

  it('offers to start tracking as a row to click, only where this login may, else says what it needs', () => {
    const row = (given: Facts): Row | undefined => rowOf(snapshot(given), 'tracking');
    const start = row(facts(systemDatabases));
    assert.deepEqual(
      [start?.label, start?.description, start?.command],
      ['Start tracking', 'to see what they do', 'startTracking'],
    );
    assert.match(start?.tooltip ?? '', /^One click starts one bounded event session/);
    const permissions = { ...facts([]).server.permissions, alterEventSession: false };
    const refused = row(facts(systemDatabases, { permissions }));
    assert.deepEqual(
      [refused?.label, refused?.description, refused?.context, refused?.command],
      ['Not tracking', 'needs ALTER ANY EVENT SESSION', 'tracking:refused', null],
    );
    assert.match(
      refused?.tooltip ?? '',
      /^Tracking needs ALTER ANY EVENT SESSION, which the login dba does not have on PROD-SQL07\. Ask an/,
    );
    assert.equal(
      row(facts(systemDatabases, { engineEdition: 5 }))?.description,
      'not possible on Azure SQL Database',
    );
  });

  const stopped = { ...tracking, state: 'stopped' } as const;
  for (const [what, more, label, description] of [
    [
      'how long it has run and whether events were lost',
      { tracking, trackingSinceUtcMs: nowUtcMs, trackedDatabaseIds: [5, 6] },
      'Tracking',
      '2 h 14 min, 2 databases, none lost',
    ],
    ['how long it had run when it was stopped', { tracking: stopped }, 'Tracked', '2 h 14 min, none lost'],
    [
      'that it stopped where its session is gone, which nobody stopped here',
      { tracking: { ...stopped, trouble: 'session gone', message: 'It was dropped.' } },
      'Tracking stopped',
      '2 h 14 min, none lost · It was dropped.',
    ],
    [
      'how many events were lost',
      { tracking: { ...tracking, lostEvents: 214 } },
      'Tracking',
      '2 h 14 min, 214 events lost',
    ],
    [
      'how many buffers were lost: each held events that nobody counted',
      { tracking: { ...tracking, lostBuffers: 2 } },
      'Tracking',
      '2 h 14 min, 2 buffers lost',
    ],
    [
      'never 0 of lost events that could not be observed',
      { tracking: { ...tracking, lostEvents: null } },
      'Tracking',
      '2 h 14 min, lost events not observable',
    ],
  ] as const)
    it(`say about tracking ${what}, and open the dashboard with a click`, () => {
      const row = rowOf(upgraded(more), 'tracking');
      assert.deepEqual([row?.label, row?.description, row?.command], [label, description, 'openDashboard']);
      assert.equal(row?.context, label === 'Tracking' ? 'tracking:tracking' : 'tracking:stopped');
      assert.match(row?.tooltip ?? '', /17,496 rows read: .* 3 unpaired/);
    });

  it('say of a session that ran before how much of it is read, and that reading is paused', () => {
    for (const [isPaused, label] of [
      [false, 'Reading'],
      [true, 'Reading paused'],
    ] as const) {
      const row = rowOf(
        upgraded({ tracking: { ...tracking, reading: { events: 67_784, isPaused } } }),
        'tracking',
      );
      assert.deepEqual([row?.label, row?.description], [label, '67,784 events so far']);
    }
  });

  it('lists what the login may not see, each as a row', () => {
    const given = snapshot(withoutState(facts(systemDatabases, { startedUtcMs: null })));
    const limits = rowOf(given, 'limits') as Row;
    assert.equal(limits.description, '3 limits');
    const [first] = rowsUnder(given, limits);
    assert.equal(
      first?.label,
      'Memory and event sessions cannot be seen: VIEW SERVER STATE permission was denied.',
    );
    assert.equal(rowOf(snapshot(facts(systemDatabases)), 'limits'), undefined);
  });

  it('keeps the last known rows below one sentence when the server is gone', () => {
    const rows = rowsUnder(upgraded({ connection: 'failed', failure: 'Could not reach PROD-SQL07,1433.' }));
    assert.deepEqual([rows[0]?.kind, rows[0]?.label], ['failure', 'Could not reach PROD-SQL07,1433.']);
    assert.ok(rows.some((row) => row.kind === 'group'));
    const never = unread({ connection: 'failed', failure: 'Wrong password.' });
    assert.deepEqual(
      [serverRow(never).description, ...partsOf(rowsUnder(never), 'kind')],
      ['could not be read', 'failure'],
    );
  });

  it('gives each row its own id that stays when figures change', () => {
    const before = partsOf(rowsUnder(upgraded()), 'id');
    assert.deepEqual(partsOf(rowsUnder(upgraded({ tracking, trackingSinceUtcMs: nowUtcMs })), 'id'), before);
    assert.equal(new Set(before).size, before.length);
  });
});
