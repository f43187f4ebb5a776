import assert from 'node:assert/strict';
import { notTracking } from '../../src/core/capture/tracking-status';
import type { Standing } from '../../src/monitor/login-breaker';
import { describeTrackingState } from '../../src/webview/header';
import type { Facts } from '../../src/core/advice/facts';
import type { Verdict } from '../../src/core/advice/verdict';
import type { ServerSnapshot } from '../../src/monitor/server-monitor';
import { isRow, type Row } from '../../src/shell/tree/row';
import { describeServer } from '../../src/shell/tree/server-row';
import { listChildRows, type PaneState } from '../../src/shell/tree/rows';
import { database, facts, figures, nowUtcMs, snapshot, systemDatabases, tracking, upgradedServer, withoutState } from './sample';

const untouched: PaneState = { filters: new Map(), shown: new Map() };
const noFigures = new Map<number, never>();

function serverRow(given: ServerSnapshot): Row {
  return describeServer(given, 'own');
}

function rowsUnder(given: ServerSnapshot, pane = untouched): readonly Row[] {
  return listChildRows(serverRow(given), { snapshot: given, statistics: noFigures }, pane);
}

function group(given: ServerSnapshot, name: string, pane = untouched): Row {
  return rowsUnder(given, pane).find((row) => row.kind === 'group' && row.label === name) as Row;
}

describe('rows of the pane', () => {
  it('say while connecting what that may be waiting for', () => {
    const waiting: ServerSnapshot = {
      ...snapshot(facts([])),
      facts: null,
      connection: 'connecting',
      waitsFor: 'mssql to ask for the password of dba on PROD-SQL07 (top of the window)',
    };
    const [row] = rowsUnder(waiting);
    assert.equal(serverRow(waiting).description, 'waiting for you');
    assert.deepEqual(
      [row?.label, row?.description],
      ['Waiting for mssql to ask for the password of dba on PROD-SQL07 (top of the window)', ''],
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
        'Not tried again: click to choose',
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
      assert.match(row?.tooltip ?? '', /Whether the event session runs now is not known/);
      assert.equal(describeTrackingState({ ...seen, obstacle: null }), 'Last seen running');
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

  it('describes a server by one figure, and says the rest in its tooltip', () => {
    const row = serverRow(snapshot(upgradedServer()));
    assert.equal(row.label, 'Production 7');
    assert.equal(row.description, '312 of 400 automatic');
    assert.equal(row.spoken, 'Server Production 7, 312 of 400 automatic');
    assert.match(row.tooltip, /^SQL Server 2019 · up 12 d · 256 GB$/m);
    assert.match(row.tooltip, /^312 of 400 databases use automatic checkpoints: their target recovery time is 0\./m);
  });

  it('puts what is to be read first into the six rows of a low pane', () => {
    const rows = rowsUnder(snapshot(upgradedServer(), { tracking }));
    assert.deepEqual(
      rows.slice(0, 4).map(({ label }) => label),
      ['Tracking for 2 h 14 min', 'Automatic, not measured', 'Indirect', 'Not changeable here'],
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

  it('shows 400 databases as a few groups with their counts', () => {
    const rows = rowsUnder(snapshot(upgradedServer()));
    const shown = rows.filter((row) => row.kind === 'group').map((row) => [row.label, row.description, row.expand]);
    assert.deepEqual(shown, [
      ['Automatic, not measured', '312', 'closed'],
      ['Indirect', '88', 'closed'],
      ['Not changeable here', '4 system databases', 'closed'],
    ]);
  });

  it('opens only the group of databases worth switching', () => {
    const given = snapshot(upgradedServer());
    const verdict: Verdict = {
      databaseId: 5,
      verdict: 'Switch',
      group: 'Switch',
      reason: 'The task was busy.',
      confidence: 'high',
      wouldChange: '',
    };
    const switched = { ...given, verdicts: new Map(given.verdicts).set(5, verdict) };
    assert.equal(group(switched, 'Switch').expand, 'open');
    assert.equal(group(switched, 'Automatic, not measured').description, '311');
  });

  it('puts no warning on an automatic database that was not measured', () => {
    const given = snapshot(upgradedServer());
    const parent = group(given, 'Automatic, not measured');
    const rows = listChildRows(parent, { snapshot: given, statistics: noFigures }, untouched);
    assert.equal(rows.length, 312);
    assert.ok(rows.every((row) => row.icon?.colour === undefined && row.icon?.name === 'database'));
  });

  it('gives a database its target, its figures, its role and the reason of its verdict', () => {
    const own = database(7, 'dbA', { inAvailabilityGroup: true });
    const roles = {
      kind: 'observed',
      value: new Map([[7, { databaseId: 7, role: 'PRIMARY', groupName: 'ag', primaryReplica: 'A' }]]),
    } as const;
    const verdict: Verdict = {
      databaseId: 7,
      verdict: 'Watch',
      group: 'Watch',
      reason: 'Its longest checkpoint was long.',
      confidence: 'high',
      wouldChange: '',
    };
    const given = { ...snapshot({ ...facts([own]), roles }), verdicts: new Map([[7, verdict]]) };
    const [row] = listChildRows(group(given, 'Watch'), { snapshot: given, statistics: new Map([[7, figures(0)]]) }, untouched);
    assert.equal(row?.label, 'dbA');
    assert.equal(row?.description, '94.9/h · p95 29.5 s · max 65.5 s · automatic · primary');
    assert.equal(row?.tooltip.split('\n')[2], 'Watch (high confidence): Its longest checkpoint was long.');
    assert.equal(row?.context, 'database:automatic');
  });

  it('keeps the names of databases exactly as they are', () => {
    const names = ['a]b', "x'; DROP DATABASE y;--", '  two leading blanks', 'n'.repeat(128), 'emoji 🧊', '[x](command:y) $(trash) **b**'];
    const given = snapshot(facts(names.map((name, at) => database(at + 5, name))));
    const rows = listChildRows(group(given, 'Automatic, not measured'), { snapshot: given, statistics: noFigures }, untouched);
    assert.deepEqual(rows.map((row) => row.label).sort(), [...names].sort());
    for (const row of rows) assert.equal(row.tooltip.split('\n')[0], row.label);
  });

  it('orders harmful databases by their total and the others by name', () => {
    const own = [database(5, 'b10'), database(6, 'b9'), database(7, 'a')];
    const given = snapshot(facts(own));
    const byName = listChildRows(group(given, 'Automatic, not measured'), { snapshot: given, statistics: noFigures }, untouched);
    assert.deepEqual(
      byName.map((row) => row.label),
      ['a', 'b9', 'b10'],
    );
    const verdicts = new Map(
      own.map(({ databaseId }): [number, Verdict] => [
        databaseId,
        { databaseId, verdict: 'Switch', group: 'Switch', reason: '', confidence: 'high', wouldChange: '' },
      ]),
    );
    const harmful = { ...given, verdicts };
    const statistics = new Map([5, 6, 7].map((id, at) => [id, figures(at, { totalMs: [10, 30, 20][at] as number })]));
    const byTotal = listChildRows(group(harmful, 'Switch'), { snapshot: harmful, statistics }, untouched);
    assert.deepEqual(
      byTotal.map((row) => row.label),
      ['b9', 'a', 'b10'],
    );
  });

  it('shows 500 of 5,000 databases and a row that brings the next 500', () => {
    const own = Array.from({ length: 5000 }, (_, at) => database(at + 5, `Db${at}`));
    const given = snapshot(facts(own));
    const parent = group(given, 'Automatic, not measured');
    const known = { snapshot: given, statistics: noFigures };
    const first = listChildRows(parent, known, untouched);
    assert.equal(first.length, 501);
    assert.deepEqual(
      [first[500]?.kind, first[500]?.label, first[500]?.description, first[500]?.command],
      ['more', 'Show next 500', '4,500 more', 'showMoreDatabases'],
    );
    const all = listChildRows(parent, known, { ...untouched, shown: new Map([[parent.id, 5000]]) });
    assert.equal(all.length, 5000);
    assert.equal(new Set(all.map((row) => row.id)).size, 5000);
  });

  it('counts what a filter leaves, and says that there is one', () => {
    const filtered = { ...untouched, filters: new Map([['server-1', 'DB00']]) };
    const rows = rowsUnder(snapshot(upgradedServer()), filtered);
    const filter = rows.find((row) => row.kind === 'filter');
    assert.deepEqual(
      [filter?.label, filter?.description, filter?.command],
      ['Only names with "DB00"', '9 of 400 databases', 'filterDatabases'],
    );
    assert.deepEqual(
      rows.filter((row) => row.kind === 'group').map((row) => row.description),
      ['9 of 312'],
    );
  });

  it('counts databases of users everywhere, and names what it counts beside them', () => {
    const filtered = { ...untouched, filters: new Map([['server-1', 'mod']]) };
    const rows = rowsUnder(snapshot(upgradedServer()), filtered);
    assert.equal(rows.find((row) => row.kind === 'filter')?.description, '0 of 400 databases · 1 system database');
    const group = rows.find((row) => row.kind === 'group');
    assert.deepEqual([group?.label, group?.description], ['Not changeable here', '1 of 4 system databases']);
    assert.equal(group?.spoken?.startsWith('Not changeable here, databases: 1 of 4 system databases.'), true);
  });

  it('makes a model database at 0 a finding of its own', () => {
    const at = (seconds: number | null): boolean =>
      rowsUnder(snapshot(facts(systemDatabases, { modelTargetSeconds: seconds }))).some((row) => row.kind === 'model');
    assert.deepEqual([at(0), at(60), at(null)], [true, false, false]);
  });

  it('offers to start tracking only where this login may, else says what it needs', () => {
    const { permissions } = facts([]).server;
    const row = (given: Facts): Row | undefined => rowsUnder(snapshot(given)).find((one) => one.kind === 'tracking');
    assert.equal(row(facts(systemDatabases))?.description, 'start to measure checkpoints');
    const refused = row(facts(systemDatabases, { permissions: { ...permissions, alterEventSession: false } }));
    assert.deepEqual(
      [refused?.label, refused?.description, refused?.context],
      ['Not tracking', 'needs ALTER ANY EVENT SESSION', 'tracking:refused'],
    );
    assert.match(
      refused?.tooltip ?? '',
      /^Tracking needs ALTER ANY EVENT SESSION, which the login dba does not have on PROD-SQL07\. Ask an/,
    );
    assert.equal(row(facts(systemDatabases, { engineEdition: 5 }))?.description, 'not possible on Azure SQL Database');
  });

  it('says how long tracking has run and whether events were lost, and what was read in its tooltip', () => {
    const rows = rowsUnder(snapshot(upgradedServer(), { tracking, trackingSinceUtcMs: nowUtcMs, trackedDatabaseIds: [5, 6] }));
    const row = rows.find((one) => one.kind === 'tracking');
    assert.equal(row?.label, 'Tracking for 2 h 14 min');
    assert.equal(row?.description, '2 databases, none lost');
    assert.match(row?.tooltip ?? '', /17,496 rows read: .* 3 unpaired/);
    assert.equal(row?.context, 'tracking:tracking');
  });

  it('says how many buffers were lost, each with events that nobody counted', () => {
    const row = rowsUnder(snapshot(upgradedServer(), { tracking: { ...tracking, lostBuffers: 2 } })).find((one) => one.kind === 'tracking');
    assert.equal(row?.description, '0 and 2 buffers lost');
  });

  it('never shows a count of lost events that could not be observed as 0', () => {
    const row = rowsUnder(snapshot(upgradedServer(), { tracking: { ...tracking, lostEvents: null } })).find(
      (one) => one.kind === 'tracking',
    );
    assert.match(row?.description ?? '', /lost events not observable/);
  });

  it('lists what the login may not see, each as a row', () => {
    const given = snapshot(withoutState(facts(systemDatabases, { startedUtcMs: null })));
    const limits = rowsUnder(given).find((row) => row.kind === 'limits') as Row;
    assert.equal(limits.description, '3 limits');
    const rows = listChildRows(limits, { snapshot: given, statistics: noFigures }, untouched);
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
