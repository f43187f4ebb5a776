import assert from 'node:assert/strict';
import { describeUnverified, notTracking } from '../../../src/core/capture/tracking-status';
import { countOf } from '../../../src/core/format';
import type { Standing } from '../../../src/monitor/queries/login-breaker';
import { createClock } from '../../../src/webview/model/clock';
import { describeTrackingState } from '../../../src/webview/dashboard/header';
import type { Facts } from '../../../src/core/advice/facts';
import type { ServerSnapshot } from '../../../src/monitor/server-monitor';
import { isRow, type Row } from '../../../src/shell/tree/row';
import { createServerRow } from '../../../src/shell/tree/server-row';
import { listChildRows, type PaneState } from '../../../src/shell/tree/rows';
import { facts, instanceWith, nowUtcMs, snapshot, systemDatabases, tracking, upgradedServer, withoutState } from '../sample';

const UTC = createClock('utc', { utcOffsetMinutes: 0, offsets: [] });
const untouched: PaneState = { filters: new Map(), shown: new Map() };

function serverRow(given: ServerSnapshot): Row {
  return createServerRow(given, 'own');
}

function rowsUnder(given: ServerSnapshot, pane = untouched): readonly Row[] {
  return listChildRows(serverRow(given), given, pane);
}

describe('rows of the pane', () => {
  it('say while connecting what that may be waiting for', () => {
    const waiting: ServerSnapshot = {
      ...snapshot(facts([])),
      facts: null,
      connection: 'connecting',
      waitsFor: 'the password of dba on PROD-SQL07 (mssql asks at the top of the window)',
    };
    const [row] = rowsUnder(waiting);
    assert.equal(serverRow(waiting).description, 'waiting for you');
    assert.deepEqual(
      [row?.label, row?.description],
      ['Waiting for the password of dba on PROD-SQL07 (mssql asks at the top of the window)', ''],
    );
    const [approval] = rowsUnder({ ...waiting, waitsFor: 'approval: see notifications\nUntil then nothing is read.' });
    assert.deepEqual(
      [approval?.label, approval?.tooltip],
      ['Waiting for approval: see notifications', 'Waiting for approval: see notifications\nUntil then nothing is read.'],
    );
  });

  describe('of a server that is not read now', () => {
    const at = Date.UTC(2026, 2, 2, 10, 32, 5);
    const clock = (ms: number): string => new Date(ms).toTimeString().slice(0, 5);
    const away = (kind: Standing['kind'], retryInMs: number | null, more: Partial<ServerSnapshot> = {}): ServerSnapshot => {
      const standing = { kind, sentence: 'It failed.', sinceMs: at, retryInMs };
      return snapshot(upgradedServer(), { connection: 'failed', failure: 'It failed.', standing, lastReadMs: at - 60_000, ...more });
    };
    const say = (given: ServerSnapshot): readonly unknown[] => {
      const [row] = rowsUnder(given);
      return [serverRow(given).description, row?.label, row?.command, row?.description];
    };

    it('say since when it is not reached, when it was read last, and when it is tried again', () => {
      assert.deepEqual(say(away('unreachable', 19_000)), [
        `not reached since ${clock(at)}`,
        'Trying again in 20 s',
        'refresh',
        `last read ${clock(at - 60_000)} · It failed.`,
      ]);
      assert.equal(say(away('unreachable', 250_000))[1], 'Trying again in 4 min');
      assert.deepEqual(say(away('unreachable', 0, { lastReadMs: null })).slice(1), ['Trying again now', 'refresh', 'It failed.']);
    });

    it('say why a click is needed, and what it does', () => {
      assert.deepEqual(say(away('refused', null)).slice(0, 3), [
        `login refused since ${clock(at)}`,
        'Not trying again: click to choose',
        'connectAnotherWay',
      ]);
      assert.deepEqual(say(away('certificate', null)).slice(0, 1), ['certificate not trusted']);
      assert.deepEqual(say(away('waiting', null)).slice(0, 3), ['not connected', 'Open', 'refresh']);
      assert.ok(rowsUnder(away('refused', null))[0]?.tooltip.startsWith('It failed.'));
    });

    it('do not say that its event session runs, which nobody can see', () => {
      const seen = { ...tracking, isLastSeen: true };
      const rows = rowsUnder(away('unreachable', 5_000, { tracking: seen }));
      const row = rows.find(({ kind }) => kind === 'tracking');
      assert.deepEqual([row?.label, row?.description], ['Last seen running', clock(at - 60_000)]);
      assert.notEqual(row?.icon?.colour, 'charts.green');
      assert.match(row?.tooltip ?? '', /It is not known whether the event session is running now/);
      assert.equal(describeTrackingState({ ...seen, obstacle: null }, UTC), 'Last seen running');
    });

    it('say of a kept capture as of when it is, and that its server has not confirmed it', () => {
      const kept = { ...tracking, state: 'stopped', unverified: { toUtcMs: at, utcOffsetMinutes: 60 } } as const;
      const connecting = snapshot(facts([]), { facts: null, connection: 'connecting', tracking: kept });
      const row = rowsUnder(connecting).find(({ kind }) => kind === 'tracking');
      assert.match(row?.label ?? '', new RegExp(`^As of (\\d{4}-\\d\\d-\\d\\d )?${clock(at)}, not verified yet$`));
      assert.deepEqual(
        [row?.description, row?.icon?.name],
        [countOf(tracking.checkpoints, '{0} checkpoint', '{0} checkpoints'), 'question'],
      );
      assert.equal(
        describeUnverified(kept.unverified, 0, kept.unverified.toUtcMs),
        `As of ${new Date(at).toISOString().slice(11, 16)}, not verified yet`,
      );
      const nextDay = describeUnverified({ toUtcMs: Date.UTC(2026, 2, 2, 9, 40), utcOffsetMinutes: 60 }, 60, Date.UTC(2026, 2, 3, 9, 0));
      assert.equal(nextDay, 'As of 2026-03-02 10:40, not verified yet');
    });

    it('say that a server is being judged, and list no group, until there is a verdict', () => {
      const labels = rowsUnder(snapshot(upgradedServer(), { instance: null, verdicts: new Map() })).map(({ kind, label }) => [kind, label]);
      assert.deepEqual(labels.filter(([, label]) => label === 'Judging…').length, 1);
      assert.ok(labels.every(([kind]) => kind !== 'group'));
    });

    it('say since when a server is silent that has not failed yet', () => {
      const silent = snapshot(upgradedServer(), { silentSinceMs: at });
      assert.equal(serverRow(silent).description, `no answer since ${clock(at)}`);
    });

    it('say that it was tracked when last seen, before and after its row is opened', () => {
      const lastSeen = { ...notTracking, isLastSeen: true };
      const unopened = snapshot(facts([]), { facts: null, connection: 'not connected', tracking: lastSeen });
      assert.equal(serverRow(unopened).description, 'tracked when last seen');
      const waiting = away('waiting', null, { facts: null, tracking: { ...tracking, state: 'stopped', isLastSeen: true } });
      assert.deepEqual(
        [serverRow(waiting).description, ...rowsUnder(waiting).map(({ label }) => label)],
        ['tracked when last seen', 'Open', 'Tracked when last seen'],
      );
    });
  });

  it('says of a server how many databases are automatic, and the rest in its tooltip', () => {
    const row = serverRow(snapshot(upgradedServer()));
    assert.equal(row.label, 'Production 7');
    assert.equal(row.description, '312 of 400 automatic');
    assert.equal(row.spoken, 'Server Production 7, 312 of 400 automatic');
    assert.equal(row.icon?.colour, undefined, 'a setting is no problem yet');
    assert.deepEqual(row.tooltip.split('\n').slice(0, 3), [
      'Production 7',
      'SQL Server 2019 · 256 GB · up 12 d',
      '312 of 400 databases automatic: target recovery time 0 s',
    ]);
  });

  describe('of a server that was measured', () => {
    const busy = (share: number, more = {}): ServerSnapshot =>
      snapshot(upgradedServer(), { tracking, instance: instanceWith({ 5: share / 2, 6: share / 2 }, more) });

    it('say how busy its checkpoint task is, and keep in sight how many databases are automatic', () => {
      const row = serverRow(busy(0.97));
      assert.equal(row.description, '97 % busy');
      assert.equal(row.spoken, 'Server Production 7, 97 % busy');
      const flag = rowsUnder(busy(0.97)).find(({ kind }) => kind === 'automatic');
      assert.deepEqual([flag?.label, flag?.command], ['312 of 400 automatic', 'filterDatabases']);
      assert.equal(row.icon?.colour, 'charts.yellow');
      assert.deepEqual(row.tooltip.split('\n').slice(0, 3), [
        'Production 7',
        'The checkpoint task is almost never free.',
        'Busy 97 % of 8 h. 2 databases take turns on it; each gets one about every 3 minutes.',
      ]);
      assert.match(row.tooltip, /^312 of 400 databases automatic: target recovery time 0 s$/m);
    });

    it('say right below the tracking which stop sign is up or near, and open the dashboard by it', () => {
      const rowOf = (isUp: boolean): Row | undefined => {
        const stopSign = { brief: 'log used 71 %', text: 'log used in Alpine: 71 %, stop at 70 %', isUp };
        return rowsUnder({ ...busy(0.97), stopSign })[1];
      };
      const [up, near] = [rowOf(true), rowOf(false)];
      assert.deepEqual([up?.label, up?.icon?.name, up?.command], ['Stop: log used 71 %', 'error', 'openDashboard']);
      assert.match(up?.tooltip ?? '', /^Stop: log used in Alpine: 71 %, stop at 70 %\nDo not run the next wave before this is clear\./);
      assert.deepEqual([near?.label, near?.icon?.name], ['Near a limit: log used 71 %', 'warning']);
      assert.ok(!rowsUnder(busy(0.97)).some(({ kind }) => kind === 'stopSign'));
    });

    it('warn of nothing where the task is mostly free', () => {
      const row = serverRow(busy(0.1));
      assert.deepEqual([row.description, row.icon?.colour], ['10 % busy', undefined]);
    });

    it('say before the first verdict how busy the task was so far, and how long it is until then', () => {
      const early = busy(0.93, { state: 'cannot tell yet', observedMs: 4 * 60_000, neededMs: 6 * 60_000 });
      assert.equal(serverRow(early).description, '93 % busy so far');
      assert.deepEqual(
        rowsUnder(early)
          .slice(0, 4)
          .map(({ label }) => label),
        ['Tracking', 'First verdict in 6 min', '312 of 400 automatic', 'Automatic'],
      );
      const stopped: ServerSnapshot = { ...early, tracking: { ...tracking, state: 'stopped' } };
      assert.ok(!rowsUnder(stopped).some(({ kind }) => kind === 'verdict'), 'nothing comes any more');
      assert.ok(!rowsUnder(busy(0.93)).some(({ kind }) => kind === 'verdict'), 'it is there');
    });

    it('say the time until the next verdict where a database was changed', () => {
      const changed = busy(0.93, { state: 'cannot tell yet', neededMs: 90_000, sinceUtcMs: nowUtcMs });
      assert.equal(rowsUnder(changed)[1]?.label, 'Next verdict in 2 min');
    });

    it('say when a queue stood that comes and goes', () => {
      const beginUtcMs = Date.UTC(2026, 2, 1, 21, 0);
      const given = busy(0.25);
      const { instance } = given;
      assert.ok(instance?.task);
      const longestRun = { beginUtcMs, endUtcMs: beginUtcMs + 38 * 60_000, databases: 2, isDuringBackups: true };
      const atTimes = { ...instance, state: 'queue at times', task: { ...instance.task, longestRun } } as const;
      assert.equal(serverRow({ ...given, instance: atTimes }).description, 'queue 38 min at 22:00');
    });

    it('keep in sight how many databases are automatic while the server is not reached, and never say it twice', () => {
      const labels = (given: ServerSnapshot): readonly string[] => [
        serverRow(given).description,
        ...rowsUnder(given).map(({ label }) => label),
      ];
      const count = (given: ServerSnapshot): number => labels(given).filter((label) => label === '312 of 400 automatic').length;
      const standing = { kind: 'unreachable', sentence: 'It is gone.', sinceMs: nowUtcMs, retryInMs: 5000 } as const;
      const states = [
        snapshot(upgradedServer()),
        busy(0.97),
        { ...busy(0.97), connection: 'failed', standing, failure: 'It is gone.' } as const,
      ];
      assert.deepEqual(states.map(count), [1, 1, 1]);
    });

    it('keep the tooltip of a server while nothing can be told, so that its rows are not read again each time', () => {
      const at = (observedMs: number): Row =>
        serverRow(busy(0.93, { state: 'cannot tell yet', observedMs, neededMs: 600_000 - observedMs }));
      assert.equal(at(60_000).tooltip, at(300_000).tooltip);
    });
  });

  it('puts what is to be read first into the six rows of a low pane', () => {
    const rows = rowsUnder(snapshot(upgradedServer(), { tracking }));
    assert.deepEqual(
      rows.slice(0, 4).map(({ label }) => label),
      ['Tracking', 'Automatic, not measured', 'Indirect', 'Cannot change here'],
    );
  });

  it('fits every row above the databases into a pane of 300 pixels', () => {
    // 300 less indentation, twistie and icon leave about 250 pixels, and VS Code's 13 pixel font takes about 6.3 a character.
    const at = Date.UTC(2026, 2, 2, 10, 32, 5);
    const standings = (['refused', 'certificate', 'waiting', 'unreachable'] as const).map((kind) => ({
      kind,
      sentence: 'It failed.',
      sinceMs: at,
      retryInMs: 20_000,
    }));
    for (const standing of [null, ...standings]) {
      const given = snapshot(upgradedServer(), {
        label: 'PROD-SQL07',
        standing,
        failure: standing && 'It failed.',
        lastReadMs: at,
        connection: standing ? 'failed' : 'connected',
      });
      const { label, description } = serverRow(given);
      assert.ok(`${label} ${description}`.length <= 42, `${label} ${description}`);
      for (const row of rowsUnder(given)) assert.ok(row.label.length <= 40, row.label);
    }
  });

  it('makes a model database at 0 a finding of its own', () => {
    const at = (seconds: number | null): boolean =>
      rowsUnder(snapshot(facts(systemDatabases, { modelTargetSeconds: seconds }))).some((row) => row.kind === 'model');
    assert.deepEqual([at(0), at(60), at(null)], [true, false, false]);
  });

  it('offers to start tracking as a row to click, only where this login may, else says what it needs', () => {
    const { permissions } = facts([]).server;
    const row = (given: Facts): Row | undefined => rowsUnder(snapshot(given)).find((one) => one.kind === 'tracking');
    const start = row(facts(systemDatabases));
    assert.deepEqual([start?.label, start?.description, start?.command], ['Start tracking', 'to see what they do', 'startTracking']);
    assert.match(start?.tooltip ?? '', /^One click starts one bounded event session/);
    const refused = row(facts(systemDatabases, { permissions: { ...permissions, alterEventSession: false } }));
    assert.deepEqual(
      [refused?.label, refused?.description, refused?.context, refused?.command],
      ['Not tracking', 'needs ALTER ANY EVENT SESSION', 'tracking:refused', null],
    );
    assert.match(
      refused?.tooltip ?? '',
      /^Tracking needs ALTER ANY EVENT SESSION, which the login dba does not have on PROD-SQL07\. Ask an/,
    );
    assert.equal(row(facts(systemDatabases, { engineEdition: 5 }))?.description, 'not possible on Azure SQL Database');
  });

  describe('about tracking', () => {
    const rowOf = (more: Partial<ServerSnapshot>): Row | undefined =>
      rowsUnder(snapshot(upgradedServer(), more)).find((one) => one.kind === 'tracking');

    it('say how long it has run and whether events were lost, and what was read in the tooltip', () => {
      const row = rowOf({ tracking, trackingSinceUtcMs: nowUtcMs, trackedDatabaseIds: [5, 6] });
      assert.deepEqual([row?.label, row?.description], ['Tracking', '2 h 14 min, 2 databases, none lost']);
      assert.match(row?.tooltip ?? '', /17,496 rows read: .* 3 unpaired/);
      assert.deepEqual([row?.context, row?.command], ['tracking:tracking', 'openDashboard']);
    });

    it('say how long it had run when it was stopped, and open what was captured with a click', () => {
      const row = rowOf({ tracking: { ...tracking, state: 'stopped' } });
      assert.deepEqual([row?.label, row?.description, row?.command], ['Tracked', '2 h 14 min, none lost', 'openDashboard']);
    });

    it('say that it stopped where its session is gone, which nobody stopped here', () => {
      const row = rowOf({ tracking: { ...tracking, state: 'stopped', trouble: 'session gone', message: 'It was dropped.' } });
      assert.deepEqual([row?.label, row?.description], ['Tracking stopped', '2 h 14 min, none lost · It was dropped.']);
    });

    it('count lost events, and lost buffers apart: each held events that nobody counted', () => {
      assert.equal(rowOf({ tracking: { ...tracking, lostEvents: 214 } })?.description, '2 h 14 min, 214 events lost');
      assert.equal(rowOf({ tracking: { ...tracking, lostBuffers: 2 } })?.description, '2 h 14 min, 2 buffers lost');
    });

    it('never show a count of lost events that could not be observed as 0', () => {
      assert.match(rowOf({ tracking: { ...tracking, lostEvents: null } })?.description ?? '', /lost events not observable/);
    });
  });

  it('lists what the login may not see, each as a row', () => {
    const given = snapshot(withoutState(facts(systemDatabases, { startedUtcMs: null })));
    const limits = rowsUnder(given).find((row) => row.kind === 'limits') as Row;
    assert.equal(limits.description, '3 limits');
    const rows = listChildRows(limits, given, untouched);
    assert.match(rows[0]?.label ?? '', /^Memory and event sessions cannot be seen: VIEW SERVER STATE permission was denied\.$/);
    assert.equal(
      rowsUnder(snapshot(facts(systemDatabases))).some((row) => row.kind === 'limits'),
      false,
    );
  });

  it('keeps the last known rows below one sentence when the server is gone', () => {
    const rows = rowsUnder(snapshot(upgradedServer(), { connection: 'failed', failure: 'Could not reach PROD-SQL07,1433.' }));
    assert.deepEqual([rows[0]?.kind, rows[0]?.label], ['failure', 'Could not reach PROD-SQL07,1433.']);
    assert.ok(rows.some((row) => row.kind === 'group'));
    const never = snapshot(upgradedServer(), { connection: 'failed', failure: 'Wrong password.', facts: null });
    assert.deepEqual(
      rowsUnder(never).map((row) => row.kind),
      ['failure'],
    );
    assert.equal(serverRow(never).description, 'could not be read');
  });

  it('gives each row its own id that stays when figures change', () => {
    const before = rowsUnder(snapshot(upgradedServer())).map((row) => row.id);
    const after = rowsUnder(snapshot(upgradedServer(), { tracking, trackingSinceUtcMs: nowUtcMs })).map((row) => row.id);
    assert.deepEqual(after, before);
    assert.equal(new Set(before).size, before.length);
  });

  it('tells rows from the nodes of other extensions', () => {
    assert.equal(isRow(serverRow(snapshot(upgradedServer()))), true);
    for (const other of [
      undefined,
      null,
      'server',
      { connectionProfile: { server: 'x' }, nodeType: 'Server', label: 'x' },
      { isConnectionNode: true },
    ])
      assert.equal(isRow(other), false);
  });
});
