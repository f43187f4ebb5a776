import assert from 'node:assert/strict';
import type { InstanceVerdict } from '../../../src/core/advice/instance';
import { notTracking } from '../../../src/core/capture/tracking-status';
import type { Verdict } from '../../../src/core/advice/verdict';
import type { ServerSnapshot } from '../../../src/monitor/server-monitor';
import type { Row } from '../../../src/shell/tree/row';
import { createServerRow } from '../../../src/shell/tree/server-row';
import { listChildRows, type PaneState } from '../../../src/shell/tree/rows';
import { database, facts, figures, instanceWith, partsOf, snapshot, upgradedServer } from '../sample';

const unmeasured = 'Automatic, not measured';
/** What the user filtered by, and of which groups more was shown. */
const paneOf = (filter: string, ...shown: readonly [group: string, count: number][]): PaneState => ({
  filters: new Map([['server-1', filter]]),
  shown: new Map(shown.map(([group, count]) => [`server-1/group/${group}`, count])),
});
const untouched = paneOf('');

function rowsUnder(given: ServerSnapshot, kind: Row['kind'], pane = untouched): readonly Row[] {
  return listChildRows(createServerRow(given, 'own'), given, pane).filter((row) => row.kind === kind);
}

function databasesOf(given: ServerSnapshot, group: string, pane = untouched): readonly Row[] {
  const parent = rowsUnder(given, 'group', pane).find(({ label }) => label === group);
  return listChildRows(parent ?? assert.fail(`no group ${group}`), given, pane);
}

const reason = 'Harmless alone, but it adds to the queue.';

/** A server with a queue: this many databases feed it, the first least. */
function queueOf(count: number, more: Partial<InstanceVerdict> = {}): ServerSnapshot {
  const given = snapshot(upgradedServer());
  const ids = Array.from({ length: count }, (_, at) => at + 5);
  const shares = Object.fromEntries(
    ids.map((id, at) => [id, (0.97 * (at + 1)) / ((count * (count + 1)) / 2)]),
  );
  const feeds = {
    verdict: 'Switch',
    part: 'feeds',
    group: 'Feeds the queue',
    reason,
    wouldChange: '',
  } as const;
  const verdicts = new Map([
    ...given.verdicts,
    ...ids.map((databaseId): [number, Verdict] => [databaseId, { databaseId, ...feeds }]),
  ]);
  return { ...given, verdicts, instance: instanceWith(shares, { advised: ids, ...more }) };
}

describe('groups of databases in the pane', () => {
  it('are a few for 400 databases, with their counts, the automatic ones open before anything is measured', () => {
    assert.deepEqual(
      partsOf(rowsUnder(snapshot(upgradedServer()), 'group'), 'label', 'description', 'expand'),
      [
        [unmeasured, '312', 'open'],
        ['Indirect', '88', 'closed'],
        ['Cannot change here', '4 system', 'closed'],
      ],
    );
  });

  it('begin with who feeds the queue, alone open', () => {
    assert.deepEqual(partsOf(rowsUnder(queueOf(76), 'group').slice(0, 2), 'label', 'description', 'expand'), [
      ['Feeds the queue', '76', 'open'],
      [unmeasured, '236', 'closed'],
    ]);
  });

  it('show the heaviest twelve, so that every group stays in sight, and a row that brings the rest', () => {
    const given = queueOf(76);
    const rows = databasesOf(given, 'Feeds the queue');
    const all = databasesOf(given, 'Feeds the queue', paneOf('', ['Feeds the queue', 512]));
    assert.deepEqual([rows.length, all.length], [13, 76]);
    assert.deepEqual(partsOf([all[0] as Row, all[1] as Row, all[75] as Row], 'label', 'description'), [
      ['Db076', '2.5 %'],
      ['Db075', '2.5 %'],
      ['Db001', '< 0.1 %'],
    ]);
    assert.deepEqual(partsOf(rows.slice(0, 12), 'label'), partsOf(all.slice(0, 12), 'label'));
    assert.deepEqual(partsOf(rows.slice(12), 'kind', 'label', 'description', 'command'), [
      ['more', 'Show 64 more', '', 'showMoreDatabases'],
    ]);
  });

  it('show no more than 500 of 5,000 databases at a click', () => {
    const given = snapshot(facts(Array.from({ length: 5000 }, (_, at) => database(at + 5, `Db${at}`))));
    assert.deepEqual(partsOf(databasesOf(given, unmeasured).slice(12), 'label', 'description'), [
      ['Show 500 more', 'of 4,988'],
    ]);
    assert.equal(
      new Set(partsOf(databasesOf(given, unmeasured, paneOf('', [unmeasured, 5012])), 'id')).size,
      5000,
    );
  });

  it('are sorted again where the next verdict gives other shares', () => {
    const given = queueOf(2);
    const heavier = (first: number, second: number): readonly unknown[] =>
      partsOf(
        databasesOf({ ...given, instance: instanceWith({ 5: first, 6: second }) }, 'Feeds the queue'),
        'label',
      );
    assert.deepEqual(
      [heavier(0.1, 0.8), heavier(0.8, 0.1)],
      [
        ['Db002', 'Db001'],
        ['Db001', 'Db002'],
      ],
    );
  });

  it('rank nothing before there is a verdict: who came first is no offender', () => {
    const given = {
      ...snapshot(upgradedServer()),
      instance: instanceWith({ 300: 0.9 }, { neededMs: 60_000 }),
    };
    assert.deepEqual(partsOf(databasesOf(given, unmeasured).slice(0, 1), 'label', 'description'), [
      ['Db001', 'automatic'],
    ]);
  });

  it('say what a filter leaves of them, and that there is one', () => {
    const given = snapshot(upgradedServer());
    assert.deepEqual(partsOf(rowsUnder(given, 'filter', paneOf('DB00')), 'label', 'description', 'command'), [
      ['Only names with "DB00"', '9 of 400 databases', 'filterDatabases'],
    ]);
    assert.deepEqual(partsOf(rowsUnder(given, 'group', paneOf('DB00')), 'description'), ['9 of 312']);
  });

  it('hold only databases with automatic checkpoints where the filter is the word automatic', () => {
    const given = snapshot(
      facts([database(5, 'a'), database(6, 'automatic_60', { targetSeconds: 60 }), database(7, 'b')]),
    );
    const rows = [
      ...rowsUnder(given, 'filter', paneOf(' Automatic')),
      ...rowsUnder(given, 'group', paneOf(' Automatic')),
    ];
    assert.deepEqual(partsOf(rows, 'label', 'description'), [
      ['Only automatic databases', '2 of 3 databases'],
      [unmeasured, '2'],
    ]);
    assert.equal(
      rowsUnder(given, 'group', paneOf('automatic_'))[0]?.label,
      'Indirect',
      'a name that begins so is still found',
    );
  });

  it('count databases of users everywhere, and name what they count beside them', () => {
    const given = snapshot(upgradedServer());
    assert.equal(rowsUnder(given, 'filter', paneOf('mod'))[0]?.description, '0 of 400 databases · 1 system');
    const [group] = rowsUnder(given, 'group', paneOf('mod'));
    assert.deepEqual([group?.label, group?.description], ['Cannot change here', '1 of 4 system']);
    assert.match(group?.spoken ?? '', /^Cannot change here, databases: 1 of 4 system\./);
  });
});

describe('the row of a database', () => {
  it('is its name and its share of the checkpoint task; part, turns, setting and verdict are in the tooltip', () => {
    const [row] = databasesOf(
      { ...queueOf(2), statistics: new Map([[6, figures(0, { p50Ms: 1800 })]]) },
      'Feeds the queue',
    );
    assert.deepEqual(
      [row?.label, row?.description, row?.context],
      ['Db002', '65 %', 'database:automatic,idle'],
    );
    assert.deepEqual(row?.tooltip.split('\n'), [
      'Db002: feeds the queue',
      '65 % of the task: 32.6 turns an hour, median 1.8 s',
      'Automatic (0 s) · in the proposed switch',
      `Verdict: Switch. ${reason}`,
    ]);
    assert.match(row?.spoken ?? '', /^Database Db002, 65 % of the checkpoint task, automatic\. Switch: /);
  });

  it('says in its tooltip in which wave it is, once scripts were opened', () => {
    const waves = [5, 6].map((databaseId) => ({ low: 0.1, high: 0.3, databaseIds: [databaseId] }));
    const forecast = { madeUtcMs: 0, fromUtcMs: 0, toUtcMs: 0, now: 0.97, bound: 0.3, waves };
    const said = databasesOf({ ...queueOf(3), forecast }, 'Feeds the queue').map(
      ({ tooltip }) => tooltip.split('\n')[2],
    );
    assert.deepEqual(
      said,
      ['in the proposed switch', 'wave 2 of 2', 'wave 1 of 2'].map((which) => `Automatic (0 s) · ${which}`),
    );
  });

  it('says beside its share in which wave it comes, once one was run and as long as nothing speaks against the next', () => {
    const given = queueOf(3);
    const say = (part: Partial<InstanceVerdict>): readonly string[] => {
      const next = { wave: 2, databaseIds: [5] };
      const instance = { ...given.instance!, next, later: [{ wave: 3, databaseIds: [6] }], ...part };
      return databasesOf({ ...given, instance }, 'Feeds the queue').flatMap(
        ({ description = '' }) => description.split(' · ')[1] ?? [],
      );
    };
    assert.deepEqual([...say({})].sort(), ['wave 2', 'wave 3']);
    const missed = { wave: 1, low: 0, high: 0.1, busyShare: 0.5 };
    assert.deepEqual(say({ objection: { kind: 'missed', missed } }), []);
  });

  it('shows its target where it has no share, and its role and state in the tooltip', () => {
    const own = [
      database(7, 'a', { inAvailabilityGroup: true }),
      database(8, 'b', { targetSeconds: 60, state: 'SUSPECT' }),
    ];
    const role = { databaseId: 7, role: 'PRIMARY', groupName: 'ag', primaryReplica: 'A' } as const;
    const given = snapshot({ ...facts(own), roles: { kind: 'observed', value: new Map([[7, role]]) } });
    const said = [unmeasured, 'Cannot change here'].flatMap((group) => {
      const [row] = databasesOf(given, group);
      return [row?.description, row?.tooltip.split('\n')[1]];
    });
    assert.deepEqual(said, ['automatic', 'Automatic (0 s) · primary', '60 s', 'Indirect (60 s) · suspect']);
  });

  it('has an icon of its own where it is automatic, in whatever group it is, and no colour that warns', () => {
    const given = snapshot(
      facts([database(1, 'master'), database(7, 'a'), database(8, 'b', { targetSeconds: 60 })]),
    );
    const rows = rowsUnder(given, 'group').flatMap((group) => listChildRows(group, given, untouched));
    assert.deepEqual(partsOf(rows, 'label', 'icon'), [
      ['a', { name: 'history', colour: 'charts.blue' }],
      ['b', { name: 'database' }],
      ['master', { name: 'history', colour: 'charts.blue' }],
    ]);
  });

  it('offers to be tracked no more only where our session tracks it', () => {
    const contextsOf = (more: Partial<ServerSnapshot>): readonly unknown[] =>
      partsOf(
        databasesOf({ ...snapshot(facts([database(7, 'a'), database(8, 'b')])), ...more }, unmeasured),
        'context',
      );
    const tracking = { ...notTracking, state: 'tracking' } as const;
    assert.deepEqual(contextsOf({}), ['database:automatic,idle', 'database:automatic,idle']);
    assert.deepEqual(contextsOf({ tracking, trackedDatabaseIds: [7] }), [
      'database:automatic,tracked',
      'database:automatic,beside',
    ]);
    assert.deepEqual(contextsOf({ tracking, adoptedSession: 'Other' }), [
      'database:automatic,idle',
      'database:automatic,idle',
    ]);
  });

  it('keeps its name exactly as it is', () => {
    const names = [
      'a]b',
      "x'; DROP DATABASE y;--",
      '  two leading blanks',
      'n'.repeat(128),
      'emoji 🧊',
      '[x](command:y) $(trash) **b**',
    ];
    const rows = databasesOf(snapshot(facts(names.map((name, at) => database(at + 5, name)))), unmeasured);
    assert.deepEqual(new Set(partsOf(rows, 'label')), new Set(names));
    for (const row of rows) assert.equal(row.tooltip.split('\n')[0], row.label);
  });

  it('stands by its name where it has no share, numbers in their order', () => {
    const given = snapshot(facts([database(5, 'b10'), database(6, 'b9'), database(7, 'a')]));
    assert.deepEqual(partsOf(databasesOf(given, unmeasured), 'label'), ['a', 'b9', 'b10']);
  });
});
