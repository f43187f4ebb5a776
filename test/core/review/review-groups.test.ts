import { type Group, groups } from '../../../src/core/advice/verdict-names';
import assert from 'node:assert/strict';
import {
  beginReview,
  type ReviewGroup,
  type ReviewView,
  selectReviewGroups,
} from '../../../src/core/review/review-groups';
import type { ReviewRow } from '../../../src/core/review/review-page';
import { INITIAL_REVIEW_VIEW } from '../../../src/webview/review/review-table';
import { valuesOf } from '../values-of';

let nextId = 5;
const rowOf = (group: Group, more: Partial<ReviewRow> = {}): ReviewRow => {
  const databaseId = nextId++;
  return {
    databaseId,
    name: `db${databaseId}`,
    nowSeconds: 0,
    wave: null,
    laterWave: null,
    state: 'not chosen',
    canBeIn: true,
    reason: 'r.',
    kind: null,
    isTold: false,
    notes: [],
    verdict: 'Leave',
    group,
    isIfNeeded: false,
    share: null,
    perHour: null,
    medianMs: null,
    ...more,
  };
};
const feeders = Array.from({ length: 14 }, (_, at) =>
  rowOf('Feeds the queue', {
    name: `Feeder_${at}`,
    share: 0.01 * (at + 1),
    state: 'in',
    verdict: 'Switch',
    isIfNeeded: at < 2,
  }),
);
const rows = [
  rowOf('Quiet', { name: 'Calm' }),
  ...feeders,
  rowOf('Waits in the queue', { name: 'Late', verdict: 'Watch', share: 0.001 }),
  rowOf('Cannot change here', { name: 'master', kind: 'system database' }),
  rowOf('Cannot change here', { name: 'Archive', kind: 'read-only' }),
  rowOf('Cannot change here', { name: 'Old', kind: 'read-only' }),
  rowOf('Other value', { name: 'Warehouse', nowSeconds: 600 }),
  rowOf('Other value', { name: 'Lake', nowSeconds: 30 }),
];
const select = (part: Partial<ReviewView> = {}, begin = beginReview(rows, [])): readonly ReviewGroup[] =>
  selectReviewGroups(rows, { ...INITIAL_REVIEW_VIEW, ...part }, begin);
/** The groups of these rows in a review that begins with what is ticked in them. */
const groupsOf = (of: readonly ReviewRow[], part: Partial<ReviewView> = {}): readonly ReviewGroup[] =>
  selectReviewGroups(of, { ...INITIAL_REVIEW_VIEW, ...part }, beginReview(of, []));
const find = (selected: readonly ReviewGroup[], group: Group): ReviewGroup =>
  selected.find((one) => one.group === group)!;

describe('The groups of a review', () => {
  it('stand in the order of the pane, with how many they hold and what they take of the task', () => {
    const selected = select();
    const order = selected.map(({ group }) => groups.indexOf(group as Group));
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
    const feeding = find(selected, 'Feeds the queue');
    assert.equal(feeding.rows.length, 14);
    assert.ok(Math.abs((feeding.share ?? 0) - 1.05) < 1e-9);
    assert.equal(find(selected, 'Quiet').share, null, 'what was not seen is not nothing');
  });

  it('have the waves of the script before them, in their order, with the roles in each', () => {
    const waves = [
      rowOf('Quiet', { wave: 2, state: 'in' }),
      rowOf('Feeds the queue', { wave: 2, state: 'in' }),
      rowOf('Quiet', { wave: 1, state: 'in' }),
    ];
    const selected = groupsOf([...waves, rowOf('Quiet')]);
    assert.deepEqual(valuesOf(selected, 'name', 'why').slice(0, 2), [
      ['Wave 1', 'Quiet: 1.'],
      ['Wave 2', 'Feeds the queue: 1, Quiet: 1.'],
    ]);
    assert.deepEqual(
      selected.slice(2).map(({ name, rows: own, isOpen }) => [name, own.length, isOpen]),
      [['Quiet', 1, true]],
      'what is taken out stays in sight',
    );
  });

  it('have planned waves behind those of the script, folded, until one of them is ticked', () => {
    const [next, later] = [rowOf('Quiet', { wave: 3, state: 'in' }), rowOf('Quiet', { laterWave: 4 })];
    assert.deepEqual(valuesOf(groupsOf([next, later]), 'name', 'why', 'isOpen'), [
      ['Wave 3', 'Quiet: 1.', true],
      ['Wave 4, later', 'Tick one to take it now.', false],
    ]);
    const taken = groupsOf([next, { ...later, wave: 3, state: 'in' }]);
    assert.deepEqual(valuesOf(taken, 'name'), ['Wave 3']);
  });

  it('begin with those open that hold what is ticked, the heaviest ten first, and the rest on a click', () => {
    const feeding = find(select(), 'Feeds the queue');
    assert.deepEqual([feeding.isOpen, feeding.shown.length, feeding.shown[0]?.name], [true, 10, 'Feeder_13']);
    assert.deepEqual([find(select(), 'Quiet').isOpen, find(select(), 'Quiet').shown], [false, []]);
    assert.equal(find(select({ whole: ['Feeds the queue'] }), 'Feeds the queue').shown.length, 14);
    const closed = find(select({ open: { 'Feeds the queue': false } }), 'Feeds the queue');
    assert.deepEqual([closed.shown.length, closed.rows.length], [0, 14]);
  });

  it('have those that were pointed at before the others, so that what is ticked is in sight', () => {
    const light = feeders[0]!.databaseId;
    const feeding = find(select({}, beginReview(rows, [light])), 'Feeds the queue');
    assert.deepEqual(valuesOf(feeding.shown.slice(0, 2), 'name'), ['Feeder_0', 'Feeder_13']);
  });

  it('begin with the first one open where nothing is ticked', () => {
    const unticked = rows.map((row) => ({ ...row, state: 'not chosen' as const }));
    assert.deepEqual([...beginReview(unticked, []).open], ['Feeds the queue']);
  });

  it('are filtered by name, case aside, and open then', () => {
    const byName = select({ filter: 'ARCH' });
    assert.deepEqual(
      byName.map(({ group, shown }) => [group, shown.map(({ name }) => name)]),
      [['Cannot change here', ['Archive']]],
    );
  });

  it('are sorted within each, what has no value last either way', () => {
    const some = [
      rowOf('Quiet', { name: 'a' }),
      rowOf('Quiet', { name: 'b', medianMs: 2 }),
      rowOf('Quiet', { name: 'c', medianMs: 1 }),
    ];
    const names = (descending: boolean): string => {
      const view = { ...INITIAL_REVIEW_VIEW, sort: { column: 'medianMs', descending } } as const;
      const [group] = selectReviewGroups(some, view, { open: new Set(['Quiet']), first: new Set() });
      return valuesOf(group?.shown, 'name').join();
    };
    assert.deepEqual([names(true), names(false)], ['b,c,a', 'c,b,a']);
  });

  it('say a reason once that several of their databases have, and leave to each row what is its own', () => {
    const told = (reason: string, more: Partial<ReviewRow> = {}): ReviewRow =>
      rowOf('Hurts by itself', { isTold: true, reason, ...more });
    const held = 'Its log waits in the queue.';
    const mixed = [
      told('Log writes take 41 ms.'),
      ...Array.from({ length: 299 }, () => told(held)),
      told(held, { name: 'Only' }),
    ];
    const [group] = groupsOf(mixed);
    assert.deepEqual(
      [group?.why, [...(group?.shared ?? [])]],
      [`They hurt with or without a queue. 300: ${held}`, [held]],
    );
    assert.equal(groupsOf(mixed.slice(1))[0]?.why, `They hurt with or without a queue. ${held}`);
    const [alone] = groupsOf(mixed, { filter: 'only' });
    assert.deepEqual([...(alone?.shared ?? [])], [], 'of one row the reason stands under it');
  });

  it('say the kinds of what cannot be changed and of other values, and not the sentences too', () => {
    const same = ['Archive', 'Old'].map((name) =>
      rowOf('Cannot change here', {
        name,
        reason: 'It is read-only.',
        kind: 'read-only',
        isTold: true,
        state: 'left out',
      }),
    );
    const [group] = groupsOf(same);
    assert.deepEqual([group?.why, group?.shared.size], ['2 read-only.', 1]);
  });

  it('say in a few words why their databases stand there', () => {
    const selected = select();
    assert.equal(
      find(selected, 'Feeds the queue').why,
      'Harmless alone; together they are the queue. 2 only if still needed.',
    );
    assert.equal(find(selected, 'Cannot change here').why, '2 read-only, 1 system database.');
    const system = [1, 2].map(() => rowOf('Cannot change here', { kind: 'system database' }));
    assert.equal(groupsOf(system)[0]?.why, '2 system databases.');
    assert.equal(find(selected, 'Other value').why, '1 at 30 s, 1 at 600 s: tick one by one to overwrite.');
  });
});
