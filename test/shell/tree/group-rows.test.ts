import assert from 'node:assert/strict';
import type { InstanceVerdict } from '../../../src/core/advice/instance';
import type { Verdict } from '../../../src/core/advice/verdict';
import type { ServerSnapshot } from '../../../src/monitor/server-monitor';
import type { Row } from '../../../src/shell/tree/row';
import { createServerRow } from '../../../src/shell/tree/server-row';
import { listChildRows, type PaneState } from '../../../src/shell/tree/rows';
import { database, facts, figures, instanceWith, snapshot, upgradedServer } from '../sample';

const untouched: PaneState = { filters: new Map(), shown: new Map() };

function groupsOf(given: ServerSnapshot, pane = untouched): readonly Row[] {
  return listChildRows(createServerRow(given, 'own'), given, pane).filter(({ kind }) => kind === 'group');
}

function groupOf(given: ServerSnapshot, name: string, pane = untouched): Row {
  return groupsOf(given, pane).find(({ label }) => label === name) ?? assert.fail(`no group ${name}`);
}

function databasesOf(given: ServerSnapshot, name: string, pane = untouched): readonly Row[] {
  return listChildRows(groupOf(given, name, pane), given, pane);
}

function filteredBy(text: string): PaneState {
  return { ...untouched, filters: new Map([['server-1', text]]) };
}

function feeds(databaseId: number): Verdict {
  const reason = 'The queue is the reason; the database alone would do no harm.';
  return { databaseId, verdict: 'Switch', part: 'feeds', group: 'Feeds the queue', reason, confidence: 'high', wouldChange: '' };
}

/** A server with a queue: this many databases feed it, the first least. */
function queueOf(count: number, more: Partial<InstanceVerdict> = {}): ServerSnapshot {
  const given = snapshot(upgradedServer());
  const ids = Array.from({ length: count }, (_, at) => at + 5);
  const total = (count * (count + 1)) / 2;
  const shares = Object.fromEntries(ids.map((id, at) => [id, (0.97 * (at + 1)) / total]));
  const verdicts = new Map([...given.verdicts, ...ids.map((id): [number, Verdict] => [id, feeds(id)])]);
  return { ...given, verdicts, instance: instanceWith(shares, { advised: ids, ...more }) };
}

describe('groups of databases in the pane', () => {
  it('are a few for 400 databases, with their counts', () => {
    const shown = groupsOf(snapshot(upgradedServer())).map((row) => [row.label, row.description, row.expand]);
    assert.deepEqual(shown, [
      ['Automatic, not measured', '312', 'closed'],
      ['Indirect', '88', 'closed'],
      ['Cannot change here', '4 system databases', 'closed'],
    ]);
  });

  it('begin with who feeds the queue, alone open', () => {
    const shown = groupsOf(queueOf(76)).map((row) => [row.label, row.description, row.expand]);
    assert.deepEqual(shown.slice(0, 2), [
      ['Feeds the queue', '76', 'open'],
      ['Automatic, not measured', '236', 'closed'],
    ]);
  });

  it('show the heaviest twelve, so that every group stays in sight, and a row that brings the rest', () => {
    const given = queueOf(76);
    const rows = databasesOf(given, 'Feeds the queue');
    assert.equal(rows.length, 13);
    assert.deepEqual(
      rows.slice(0, 2).map(({ label, description }) => [label, description]),
      [
        ['Db076', '2.5 %'],
        ['Db075', '2.5 %'],
      ],
    );
    const more = rows[12];
    assert.deepEqual([more?.kind, more?.label, more?.description, more?.command], ['more', 'Show 64 more', '', 'showMoreDatabases']);
    const all = databasesOf(given, 'Feeds the queue', { ...untouched, shown: new Map([['server-1/group/Feeds the queue', 512]]) });
    assert.deepEqual([all.length, all[75]?.label, all[75]?.description], [76, 'Db001', '< 0.1 %']);
    assert.deepEqual(
      all.slice(0, 12).map(({ label }) => label),
      rows.slice(0, 12).map(({ label }) => label),
    );
  });

  it('show no more than 500 of 5,000 databases at a click', () => {
    const given = snapshot(facts(Array.from({ length: 5000 }, (_, at) => database(at + 5, `Db${at}`))));
    const more = databasesOf(given, 'Automatic, not measured')[12];
    assert.deepEqual([more?.label, more?.description], ['Show 500 more', 'of 4,988']);
    const all = databasesOf(given, 'Automatic, not measured', {
      ...untouched,
      shown: new Map([['server-1/group/Automatic, not measured', 5012]]),
    });
    assert.equal(new Set(all.map(({ id }) => id)).size, 5000);
  });

  it('sort nothing again for a redraw in which nothing was judged again', () => {
    let reads = 0;
    const databases = Array.from({ length: 5000 }, (_, at) => {
      const one = database(at + 5, `Db${at}`);
      return Object.defineProperty({ ...one }, 'name', { get: () => (reads++, one.name), enumerable: true });
    });
    const given = snapshot(facts(databases));
    databasesOf(given, 'Automatic, not measured');
    reads = 0;
    // Every poll makes another snapshot of the same facts and verdicts.
    databasesOf({ ...given, lastReadMs: 1 }, 'Automatic, not measured');
    assert.ok(reads < 100, `${reads} names were read`);
  });

  it('are sorted again where the next verdict gives other shares', () => {
    const given = queueOf(2);
    const heavier = (first: number, second: number): readonly string[] =>
      databasesOf({ ...given, instance: instanceWith({ 5: first, 6: second }) }, 'Feeds the queue').map(({ label }) => label);
    assert.deepEqual(heavier(0.1, 0.8), ['Db002', 'Db001']);
    assert.deepEqual(heavier(0.8, 0.1), ['Db001', 'Db002']);
  });

  it('rank nothing before there is a verdict: who came first is no offender', () => {
    const given = { ...snapshot(upgradedServer()), instance: instanceWith({ 300: 0.9 }, { neededMs: 60_000 }) };
    const [first] = databasesOf(given, 'Automatic, not measured');
    assert.deepEqual([first?.label, first?.description], ['Db001', 'automatic']);
  });

  it('say what a filter leaves of them, and that there is one', () => {
    const given = snapshot(upgradedServer());
    const rows = listChildRows(createServerRow(given, 'own'), given, filteredBy('DB00'));
    const filter = rows.find(({ kind }) => kind === 'filter');
    assert.deepEqual(
      [filter?.label, filter?.description, filter?.command],
      ['Only names with "DB00"', '9 of 400 databases', 'filterDatabases'],
    );
    assert.deepEqual(
      groupsOf(given, filteredBy('DB00')).map(({ description }) => description),
      ['9 of 312'],
    );
  });

  it('hold only databases with automatic checkpoints where the filter is the word automatic', () => {
    const given = snapshot(facts([database(5, 'a'), database(6, 'automatic_60', { targetSeconds: 60 }), database(7, 'b')]));
    const rows = listChildRows(createServerRow(given, 'own'), given, filteredBy(' Automatic'));
    assert.deepEqual(
      rows.filter(({ kind }) => kind === 'filter' || kind === 'group').map(({ label, description }) => [label, description]),
      [
        ['Only automatic databases', '2 of 3 databases'],
        ['Automatic, not measured', '2'],
      ],
    );
    assert.equal(groupsOf(given, filteredBy('automatic_'))[0]?.label, 'Indirect', 'a name that begins so is still found');
  });

  it('count databases of users everywhere, and name what they count beside them', () => {
    const given = snapshot(upgradedServer());
    const rows = listChildRows(createServerRow(given, 'own'), given, filteredBy('mod'));
    assert.equal(rows.find(({ kind }) => kind === 'filter')?.description, '0 of 400 databases · 1 system database');
    const [group] = groupsOf(given, filteredBy('mod'));
    assert.deepEqual([group?.label, group?.description], ['Cannot change here', '1 of 4 system databases']);
    assert.match(group?.spoken ?? '', /^Cannot change here, databases: 1 of 4 system databases\./);
  });
});

describe('the row of a database', () => {
  it('is its name and its share of the checkpoint task; part, turns, setting and verdict are in the tooltip', () => {
    const given = queueOf(2);
    const [row] = databasesOf({ ...given, statistics: new Map([[6, figures(0, { p50Ms: 1800 })]]) }, 'Feeds the queue');
    assert.deepEqual([row?.label, row?.description, row?.context], ['Db002', '65 %', 'database:automatic']);
    assert.deepEqual(row?.tooltip.split('\n'), [
      'Db002: feeds the queue',
      '65 % of the task: 32.6 turns an hour, median 1.8 s',
      'Automatic (0 s) · in the proposed switch',
      'Verdict: Switch, high confidence. The queue is the reason; the database alone would do no harm.',
    ]);
    assert.match(row?.spoken ?? '', /^Database Db002, 65 % of the checkpoint task, automatic\. Switch: /);
  });

  it('says in its tooltip in which wave it is, once scripts were opened', () => {
    const wave = (...databaseIds: number[]) => ({ low: 0.1, high: 0.3, databaseIds });
    const forecast = { madeUtcMs: 0, fromUtcMs: 0, toUtcMs: 0, now: 0.97, bound: 0.3, waves: [wave(5), wave(6)] };
    const [first, second, third] = databasesOf({ ...queueOf(3), forecast }, 'Feeds the queue').map(({ tooltip }) => tooltip.split('\n')[2]);
    assert.deepEqual(
      [first, second, third],
      ['Automatic (0 s) · in the proposed switch', 'Automatic (0 s) · wave 2 of 2', 'Automatic (0 s) · wave 1 of 2'],
    );
  });

  it('shows its target where it has no share, and its role and state in the tooltip', () => {
    const own = [database(7, 'a', { inAvailabilityGroup: true }), database(8, 'b', { targetSeconds: 60, state: 'SUSPECT' })];
    const roles = {
      kind: 'observed',
      value: new Map([[7, { databaseId: 7, role: 'PRIMARY', groupName: 'ag', primaryReplica: 'A' }]]),
    } as const;
    const given = snapshot({ ...facts(own), roles });
    const [primary] = databasesOf(given, 'Automatic, not measured');
    const [suspect] = databasesOf(given, 'Cannot change here');
    assert.deepEqual([primary?.description, primary?.tooltip.split('\n')[1]], ['automatic', 'Automatic (0 s) · primary']);
    assert.deepEqual([suspect?.description, suspect?.tooltip.split('\n')[1]], ['60 s', 'Indirect (60 s) · suspect']);
  });

  it('has an icon of its own where it is automatic, in whatever group it is, and no colour that warns', () => {
    const own = [database(1, 'master'), database(7, 'a'), database(8, 'b', { targetSeconds: 60 })];
    const given = snapshot(facts(own));
    const icons = groupsOf(given).flatMap((group) => listChildRows(group, given, untouched).map(({ label, icon }) => [label, icon?.name]));
    const [automatic] = databasesOf(given, 'Automatic, not measured');
    assert.deepEqual(icons, [
      ['a', automatic?.icon?.name],
      ['b', 'database'],
      ['master', automatic?.icon?.name],
    ]);
    assert.notEqual(automatic?.icon?.name, 'database');
    assert.equal(automatic?.icon?.colour, undefined);
  });

  it('keeps its name exactly as it is', () => {
    const names = ['a]b', "x'; DROP DATABASE y;--", '  two leading blanks', 'n'.repeat(128), 'emoji 🧊', '[x](command:y) $(trash) **b**'];
    const given = snapshot(facts(names.map((name, at) => database(at + 5, name))));
    const rows = databasesOf(given, 'Automatic, not measured');
    assert.deepEqual(rows.map(({ label }) => label).sort(), [...names].sort());
    for (const row of rows) assert.equal(row.tooltip.split('\n')[0], row.label);
  });

  it('stands by its name where it has no share, numbers in their order', () => {
    const given = snapshot(facts([database(5, 'b10'), database(6, 'b9'), database(7, 'a')]));
    assert.deepEqual(
      databasesOf(given, 'Automatic, not measured').map(({ label }) => label),
      ['a', 'b9', 'b10'],
    );
  });
});
