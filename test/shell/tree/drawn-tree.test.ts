import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Facts } from '../../../src/core/advice/facts';
import type { ServerSnapshot } from '../../../src/monitor/server-monitor';
import { compareTree, type DrawnTree, TOP_ID, type TreeChanges } from '../../../src/shell/tree/drawn-tree';
import { createRow, type Row } from '../../../src/shell/tree/row';
import { listChildRows, type PaneState } from '../../../src/shell/tree/rows';
import { createServerRow } from '../../../src/shell/tree/server-row';
import { database, facts, snapshot, tracking, upgradedServer } from '../sample';

type List = (parent: Row | null) => readonly Row[];

/** The pane with one server. */
function paneOf(given: ServerSnapshot, pane: PaneState = { filters: new Map(), shown: new Map() }): List {
  return (parent) => (parent === null ? [createServerRow(given, 'own')] : listChildRows(parent, given, pane));
}

/** What an editor holds that has opened every row. */
function open(list: List, parent: Row | null = null, into = new Map<string, readonly Row[]>()): DrawnTree {
  const rows = list(parent);
  into.set(parent?.id ?? TOP_ID, rows);
  for (const row of rows) if (row.expand !== 'never') open(list, row, into);
  return into;
}

function idsOf({ reread, reworded }: TreeChanges): {
  readonly reread: readonly (string | null)[];
  readonly reworded: readonly string[];
} {
  return { reread: reread.map((row) => row?.id ?? null), reworded: reworded.map(({ id }) => id) };
}

function compare(before: List, after: List): ReturnType<typeof idsOf> {
  return idsOf(compareTree(open(before), after));
}

function withDatabase(given: Facts, databaseId: number, more: Partial<ReturnType<typeof database>>): Facts {
  return {
    ...given,
    databases: given.databases.map((one) => (one.databaseId === databaseId ? { ...one, ...more } : one)),
  };
}

const server = upgradedServer();
const automatic = 'server-1/group/Automatic, not measured';
const nothing = { reread: [], reworded: [] };

type Drawn = Pick<Row, 'id' | 'label' | 'expand'>;
type Two = readonly [readonly Drawn[], readonly Drawn[]];

function drawAs(id: string): Drawn {
  return { id, label: 'x', expand: 'closed' };
}

const looks = {
  label: fc.constantFrom('x', 'y'),
  expand: fc.constantFrom<Row['expand']>('closed', 'open', 'never'),
};
const listed: fc.Arbitrary<readonly Drawn[]> = fc.uniqueArray(
  fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', '__proto__', "a]'"), ...looks }),
  { selector: ({ id }) => id },
);

/**
 * Rows before and after: any others, the same that may look otherwise, or the same as they were; two lists drawn by
 * themselves are hardly ever of the same rows.
 */
function twoOf(rows: fc.Arbitrary<readonly Drawn[]>): fc.Arbitrary<Two> {
  return rows.chain((before) => {
    const relooked = fc.tuple(...before.map(({ id }) => fc.record({ id: fc.constant(id), ...looks })));
    return fc.tuple(fc.constant(before), fc.oneof(rows, relooked, fc.constant(before)));
  });
}

/** Two levels: the first of `under` is under a and c, the other one under b and d. */
function paneAs(tops: readonly Drawn[], under: readonly [readonly Drawn[], readonly Drawn[]]): List {
  const make = (given: Drawn): Row => createRow({ kind: 'group', serverId: 's', ...given });
  return (parent) =>
    parent === null
      ? tops.map(make)
      : (under['abcd'.indexOf(parent.id) % 2] ?? []).map(({ id, label }) =>
          make({ id: `${parent.id}/${id}`, label, expand: 'never' }),
        );
}

/** What the editor holds once it was told of rows and before it asks again: nothing that was under them. */
function forget(held: DrawnTree, told: readonly (Row | null)[]): DrawnTree {
  const left = new Map(held);
  const forgetUnder = (id: string): void => {
    for (const row of left.get(id) ?? []) forgetUnder(row.id);
    left.delete(id);
  };
  for (const row of told) forgetUnder(row?.id ?? TOP_ID);
  return left;
}

/**
 * What the editor holds in the end: it takes a row that it is told of over in its place, and asks again for what is
 * under it.
 */
function tell(held: DrawnTree, told: readonly (Row | null)[], list: List): DrawnTree {
  const byId = new Map(told.map((row) => [row?.id ?? TOP_ID, row]));
  const now = new Map(
    [...forget(held, told)].map(([id, rows]) => [id, rows.map((row) => byId.get(row.id) ?? row)]),
  );
  for (const row of told) if (row?.expand !== 'never') open(list, row, now);
  return now;
}

/** Whether a row says something else than it did, or has other rows under it than those that the editor holds. */
function isOther(row: Row | null, held: DrawnTree, list: List): boolean {
  const was = row === null ? null : [...held.values()].flat().find(({ id }) => id === row.id);
  const wereUnder = held.get(row?.id ?? TOP_ID);
  const idsOfRows = (rows: readonly Row[]): readonly string[] => rows.map(({ id }) => id);
  return (
    !isDeepStrictEqual(was, row) ||
    (wereUnder !== undefined && !isDeepStrictEqual(idsOfRows(wereUnder), idsOfRows(list(row))))
  );
}

describe('what the editor is told of a pane that has changed', () => {
  it('is never the server, which would close its rows, where only counts of tracking went on or a database is in another group', () => {
    const read = (rowsRead: number): List =>
      paneOf(snapshot(server, { tracking: { ...tracking, rowsRead } }));
    assert.deepEqual(compare(read(100), read(102)), { reread: [], reworded: ['server-1/tracking'] });
    const waiting = (...ids: readonly number[]): List => {
      const given = snapshot(server);
      const moved = ids.map(
        (id) => [id, { ...given.verdicts.get(id)!, group: 'Waits in the queue' }] as const,
      );
      return paneOf({ ...given, verdicts: new Map([...given.verdicts, ...moved]) });
    };
    const groups = ['server-1/group/Waits in the queue', automatic];
    assert.deepEqual(compare(waiting(5), waiting(5, 6)), { reread: groups, reworded: [] });
  });

  it('is the server where a database has come or gone: it says how many there are', () => {
    const [few, many] = [[5], [5, 6]].map((ids) =>
      paneOf(snapshot(facts(ids.map((id) => database(id, `Db${id}`))))),
    );
    for (const told of [compare(few as List, many as List), compare(many as List, few as List)])
      assert.deepEqual(told, { reread: ['server-1'], reworded: [] });
  });

  it('is nothing of rows that the editor never asked about', () => {
    const before = new Map(
      [...open(paneOf(snapshot(server)))].filter(([id]) => id === TOP_ID || id === 'server-1'),
    );
    assert.deepEqual(
      idsOf(
        compareTree(
          before,
          paneOf({ ...snapshot(server), facts: withDatabase(server, 7, { state: 'SUSPECT' }) }),
        ),
      ),
      nothing,
    );
  });

  it('is every part of a row that is shown', () => {
    const row = createRow({
      kind: 'tracking',
      id: 'row',
      serverId: 'server-1',
      label: 'a',
      icon: { name: 'pass' },
    });
    const texts = (['label', 'description', 'tooltip', 'context', 'spoken'] as const).map((part) => ({
      [part]: 'b',
    }));
    const icons = [null, { name: 'eye' }, { name: 'pass', colour: 'charts.red' }].map((icon) => ({ icon }));
    const parts: readonly Partial<Row>[] = [...texts, ...icons, { command: 'showLog' }];
    const drawn = new Map([[TOP_ID, [row]]]);
    for (const part of parts)
      assert.deepEqual(
        idsOf(compareTree(drawn, () => [{ ...row, ...part }])),
        { reread: [], reworded: ['row'] },
        JSON.stringify(part),
      );
    assert.deepEqual(idsOf(compareTree(drawn, () => [{ ...row, expand: 'closed' }])), {
      reread: ['row'],
      reworded: [],
    });
    const known = new Set([...parts.flatMap((part) => Object.keys(part)), 'expand', 'id']);
    // What a row is about goes with its id.
    const others = Object.keys(row).filter((part) => !known.has(part));
    assert.deepEqual(others, ['group', 'databaseId', 'kind', 'serverId']);
  });

  it('leaves a figure of a row that can be opened for later where that is asked for, and nothing else', () => {
    const parts = { kind: 'server', id: 'row', serverId: 'server-1', label: 'PROD' } as const;
    const server = createRow({ ...parts, description: '40 % busy so far', expand: 'open' });
    const drawn = new Map([[TOP_ID, [server]]]);
    const later = { ...server, description: '41 % busy so far', tooltip: 'of 68 s' };
    const left = compareTree(drawn, () => [later], true);
    assert.deepEqual([idsOf(left), left.drawn.get(TOP_ID)], [nothing, [server]]);
    assert.deepEqual(
      idsOf(compareTree(left.drawn, () => [later])).reread,
      [server.id],
      'it is still to be told',
    );
    for (const more of [
      { label: 'SQL07' },
      { context: 'server.tracking' },
      { icon: { name: 'warning', colour: null } },
    ])
      assert.deepEqual(idsOf(compareTree(drawn, () => [{ ...later, ...more }] as Row[], true)).reread, [
        server.id,
      ]);
    const leaf = { ...server, expand: 'never' } as const;
    assert.deepEqual(
      idsOf(compareTree(new Map([[TOP_ID, [leaf]]]), () => [{ ...leaf, description: 'x' }], true)).reworded,
      [leaf.id],
    );
  });

  it('knows databases of strange names by their rows, and one that was renamed', () => {
    const strange = [
      'a]b\'c"--',
      '🧊',
      '__proto__',
      'constructor',
      '',
      ' ',
      '<b>x</b>',
      'n'.repeat(128),
      'server-1/group/Watch',
      TOP_ID,
    ];
    const given = facts(strange.map((name, at) => database(at + 5, name)));
    const rows = [...open(paneOf(snapshot(given))).values()].flat();
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    assert.deepEqual(compare(paneOf(snapshot(given)), paneOf(snapshot({ ...given }))), nothing);
    const renamed = paneOf(snapshot(withDatabase(given, 12, { name: `${'n'.repeat(127)}o` })));
    const { id } = rows.find(({ databaseId }) => databaseId === 12) as Row;
    assert.deepEqual(compare(paneOf(snapshot(given)), renamed), { reread: [], reworded: [id] });
  });

  it('takes the editor from any rows to any others, and tells it of nothing else', () => {
    // Rows that have others under them are told of, though they say what they said.
    const sixTops = ['c', '__proto__', "a]'", 'd', 'b', 'a'].map((id) => drawAs(id));
    fc.assert(
      fc.property(twoOf(listed), twoOf(listed), twoOf(listed), (tops, ...under) => {
        const [before, after] = ([0, 1] as const).map((at) =>
          paneAs(tops[at], [under[0][at], under[1][at]]),
        ) as [List, List];
        const held = open(before);
        const { reread, reworded, drawn } = compareTree(held, after);
        const told = [...reread, ...reworded];
        assert.deepEqual(tell(held, told, after), open(after));
        assert.deepEqual(drawn, forget(open(after), told));
        for (const row of told)
          assert.ok(isOther(row, held, after), `${row?.id ?? 'The pane'} was told of, and is as it was`);
        assert.equal(new Set(told.map((row) => row?.id ?? TOP_ID)).size, told.length);
        // None under another one: the editor forgot those.
        const left = new Set([...drawn.values()].flat().map(({ id }) => id));
        for (const row of told) assert.ok(row === null ? told.length === 1 : left.has(row.id));
        assert.ok(
          reread.every((row) => row?.expand !== 'never') &&
            reworded.every(({ expand }) => expand === 'never'),
        );
      }),
      {
        examples: [
          [
            [sixTops, sixTops],
            [[], []],
            [[], [drawAs('a')]],
          ],
        ],
      },
    );
  });
});
