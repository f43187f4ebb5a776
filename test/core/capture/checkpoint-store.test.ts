import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CheckpointStore, sliceColumns, prepareColumns } from '../../../src/core/capture/checkpoint-store';
import { type Handover, Handovers } from '../../../src/core/capture/handovers';
import { ROWS_A_STEP, type Steps } from '../../../src/core/steps';

function storeOf(rows: number): CheckpointStore {
  const store = new CheckpointStore();
  for (let row = 0; row < rows; row++) store.append(1e12 + row, row * 2, row % 500, row % 7);
  return store;
}

function handoverOf({ heir = null, ...handover }: Omit<Handover, 'findHeir'> & { readonly heir?: number | null }): Handover {
  return { ...handover, findHeir: () => heir };
}

/** Takes steps to their end; `between` is called at each pause. */
function countPauses<T>(steps: Steps<T>, between = (): void => undefined): { readonly pauses: number; readonly value: T } {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done === true) return { pauses, value: step.value };
    between();
  }
}

/** Counts the begins that are copied from array to array meanwhile. */
function countCopies(work: (copied: { readonly rows: number }) => void): number {
  const { set } = Float64Array.prototype;
  const copied = { rows: 0 };
  Float64Array.prototype.set = function (from: ArrayLike<number>, at?: number): void {
    copied.rows += from.length;
    set.call(this, from, at);
  };
  try {
    work(copied);
  } finally {
    Float64Array.prototype.set = set;
  }
  return copied.rows;
}

describe('checkpoint store', () => {
  it('holds at most 18 bytes a row while it grows, and little more than 16 after trimming', () => {
    const store = storeOf(100_000);
    assert.ok(store.bytesHeld <= 18.1 * 100_000, String(store.bytesHeld));
    store.trim();
    assert.ok(store.bytesHeld <= 16.05 * 100_000, String(store.bytesHeld));
    store.append(1, 2, 3);
    assert.equal(store.columns().beginUtcMs[100_000], 1);
  });

  it('copies long columns to larger ones in pieces, never many rows for one that is appended, and loses none', () => {
    const store = storeOf(1_048_000);
    let most = 0;
    const all = countCopies((copied) => {
      for (let row = 1_048_000; row < 1_500_000; row++) {
        const before = copied.rows;
        store.append(1e12 + row, row * 2, row % 500, row % 7);
        most = Math.max(most, copied.rows - before);
      }
    });
    assert.ok(all > 3_000_000, `${all} rows in all: they grew three times`);
    assert.ok(most <= 200_000, `${most} rows at once`);
    const { rows, beginUtcMs, durationMs, database, task } = store.columns();
    assert.equal(rows, 1_500_000);
    let wrong = 0;
    for (let row = 0; row < rows; row++) {
      if (beginUtcMs[row] !== 1e12 + row || durationMs[row] !== row * 2 || database[row] !== row % 500 || task?.[row] !== row % 7) wrong++;
    }
    assert.equal(wrong, 0);
  });

  it('goes on with columns that were prepared in steps without copying them again, and with a copy where another store has them', () => {
    const kept = storeOf(200_000).columns();
    const { pauses, value: prepared } = countPauses(prepareColumns(kept));
    assert.equal(pauses, Math.ceil(200_000 / ROWS_A_STEP) - 1);
    const [first, second] = [new CheckpointStore(), new CheckpointStore()];
    const copied = countCopies(() => {
      first.restore(prepared);
      first.append(1, 2, 3);
    });
    assert.equal(copied, 0);
    second.restore(prepared);
    second.append(4, 5, 6);
    for (const [at, store] of [first, second].entries()) {
      const { beginUtcMs } = store.columns();
      assert.deepEqual([store.count, beginUtcMs[199_999], beginUtcMs[200_000]], [200_001, 1e12 + 199_999, 1 + 3 * at]);
      assert.deepEqual(store.findRows(1e12 + 70_000, 1e12 + 70_002), { fromRow: 70_000, toRow: 70_002 });
    }
    assert.equal(kept.beginUtcMs[199_999], 1e12 + 199_999);
  });

  it('cuts slices of the rows that are there into buffers of exactly their size', () => {
    const columns = storeOf(3000).columns();
    const slice = sliceColumns(columns, 1000, 1500);
    assert.deepEqual([slice.fromRow, slice.rows], [1000, 500]);
    assert.deepEqual(new Float64Array(slice.beginUtcMs), columns.beginUtcMs.slice(1000, 1500));
    assert.deepEqual(new Uint32Array(slice.durationMs), columns.durationMs.slice(1000, 1500));
    assert.deepEqual(new Uint16Array(slice.database), columns.database.slice(1000, 1500));
    const rows = [
      [2995, 9000],
      [5000, 6000],
      [7, 3],
    ].map(([from = 0, to = 0]) => sliceColumns(columns, from, to).rows);
    assert.deepEqual(rows, [5, 0, 0]);
  });

  it('is rewritten a few rows at a time, and holds until then what it held', () => {
    const rows = 3 * ROWS_A_STEP + 7;
    const store = storeOf(rows);
    const before = store.columns();
    const handOver = (heir: number): Handovers => new Handovers([handoverOf({ database: 7, untilUtcMs: 0, fromUtcMs: 0, heir })]);
    const { pauses } = countPauses(
      store.rewrite(handOver(900), () => undefined),
      () => assert.equal(store.columns().database, before.database),
    );
    assert.equal(pauses, 4, 'one before each piece');
    assert.deepEqual([before.database[7], store.columns().database[7], store.count], [7, 900, rows]);
    const after = store.columns().database;
    assert.equal(countPauses(store.rewrite(handOver(7), () => undefined)).pauses, 3, 'one look at the rows, and no copy');
    assert.equal(store.columns().database, after);
  });

  it('has the rows and the blocks of a store that got the right ones from the begin, whatever is handed over and appended meanwhile', () => {
    const row = fc.record({ at: fc.integer({ min: 0, max: 400 }), lasts: fc.integer({ min: 0, max: 60 }), database: fc.nat(3) });
    const handover = fc.record({ untilUtcMs: fc.integer({ min: -1, max: 400 }), doubt: fc.nat(60), heir: fc.constantFrom(4, 5, null) });
    const cases = fc.record({
      rows: fc.array(row, { maxLength: 60 }),
      handed: fc.array(handover, { maxLength: 4 }),
      repeated: fc.constantFrom(1, 60, 2500),
      later: fc.array(fc.record({ at: fc.integer({ min: 500, max: 600 }), lasts: fc.nat(9), database: fc.constant(6) }), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(cases, ({ rows, handed, repeated, later }) => {
        const [store, naive] = [new CheckpointStore(), new CheckpointStore()];
        const lost: string[] = [];
        const expectedLost: string[] = [];
        const all = Array.from({ length: repeated }, () => rows).flat();
        for (const { at, lasts, database } of all) store.append(at, lasts, database, at);
        const before = store.columns();
        const copy = sliceColumns(before, 0, Infinity);
        const handovers = handed.map(({ untilUtcMs, doubt, heir }, database) => ({
          database,
          untilUtcMs,
          fromUtcMs: untilUtcMs + doubt,
          heir,
        }));
        const ownerAt = (database: number, at: number): number | null => {
          const one = handovers[database];
          if (one === undefined || at < one.untilUtcMs) return database;
          return at < one.fromUtcMs ? null : one.heir;
        };
        for (const { at, lasts, database } of all) {
          const owner = ownerAt(database, at);
          if (owner !== null && owner === ownerAt(database, at + lasts)) naive.append(at, lasts, owner, at);
          else expectedLost.push(`${database} ${at} ${at + lasts}`);
        }
        let pauses = 0;
        const { value: isChanged } = countPauses(
          store.rewrite(new Handovers(handovers.map(handoverOf)), (...one) => lost.push(one.join(' '))),
          () => {
            const { at, lasts, database } = later[pauses] ?? { at: 700 + pauses, lasts: 1, database: 7 };
            pauses++;
            for (const each of [store, naive]) each.append(at, lasts, database, at);
          },
        );
        assert.deepEqual(lost, expectedLost);
        assert.deepEqual(sliceColumns(before, 0, Infinity), copy);
        assert.equal(
          isChanged,
          all.some(({ at, lasts, database }) => ownerAt(database, at) !== database || ownerAt(database, at + lasts) !== database),
        );
        for (const each of [store, naive]) each.append(999, 9, 9);
        const [found, expected] = [store, naive].map((one) => sliceColumns(one.columns(), 0, Infinity));
        assert.deepEqual(found, expected);
        const [tasks, expectedTasks] = [store, naive].map((one) => one.columns().task?.slice(0, one.count));
        assert.deepEqual(tasks, expectedTasks);
        for (const from of [0, 90, 250, 400, 990]) assert.deepEqual(store.findRows(from, from + 40), naive.findRows(from, from + 40));
      }),
      { numRuns: 100 },
    );
  });
});
