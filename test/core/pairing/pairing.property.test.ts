import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createCapture, type Capture } from '../../../src/core/capture/capture';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import {
  countReasons,
  disturb,
  generateHistory,
  listCheckpoints,
  listTrueCheckpoints,
  summarize,
  type TimedRow,
  TOLD,
} from '../capture/histories';
import { forAll } from '../../for-all';

const RUNS = 400;

/** A capture of these rows, which accounts for each of them and leaves nothing open. */
function captureOf(rows: readonly TimedRow[]): Capture {
  const capture = createCapture({ id: 'generated' });
  capture.append(rows.map((timed) => timed.row));
  capture.settle(Infinity);
  const ledger = capture.ledger();
  assert.deepEqual(
    [ledger.rowsRead, findUnaccountedRows(ledger), ledger.open, ledger.held],
    [rows.length, 0, 0, 0],
  );
  return capture;
}

/**
 * Reads cut at the given places; after each, everything is settled that no later read holds, as far as `patience`
 * allows.
 */
function captureInReads(
  rows: readonly TimedRow[],
  cuts: readonly number[],
  shares: readonly number[],
): Capture {
  const capture = createCapture({ id: 'generated' });
  const bounds = [0, ...[...cuts].sort((a, b) => a - b), rows.length];
  const seen = new Set<string>();
  for (let i = 0; i + 1 < bounds.length; i++) {
    const read = rows.slice(bounds[i], bounds[i + 1]);
    capture.append(read.map((timed) => timed.row));
    for (const { row } of read) seen.add(JSON.stringify(row));
    const unseen = rows.filter(({ row }) => !seen.has(JSON.stringify(row)));
    const horizonUtcMs = Math.min(...unseen.map((timed) => timed.atUtcMs)) - (shares[i] ?? 0);
    if (horizonUtcMs < Infinity) capture.settle(horizonUtcMs);
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
  }
  capture.settle(Infinity);
  return capture;
}

describe('pairing of generated histories', () => {
  for (const told of TOLD) {
    it(`gives the same for any order of arrival and any cut into reads, where events tell ${told} of their task`, () => {
      const cases = generateHistory({ told, tasks: 4 })
        .chain(({ rows }) => disturb(rows))
        .chain((rows) =>
          fc.record({
            rows: fc.constant(rows),
            shuffled: fc.shuffledSubarray(rows, { minLength: rows.length }),
            cuts: fc.array(fc.integer({ min: 0, max: rows.length }), { maxLength: 6 }),
            shares: fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 7, maxLength: 7 }),
          }),
        );
      forAll(cases, RUNS, ({ rows, shuffled, cuts, shares }) => {
        // What could not be read lies between its neighbours, so their order counts.
        const sorted = [...rows].sort((a, b) => a.atUtcMs - b.atUtcMs);
        assert.deepEqual(summarize(captureInReads(sorted, cuts, shares)), summarize(captureOf(sorted)));
        const [inOrder, inAny] = [rows, shuffled].map((all) =>
          all.filter(({ row }) => row.eventData?.endsWith('</event>') === true),
        );
        assert.deepEqual(
          summarize(captureInReads(inAny ?? [], cuts, shares)),
          summarize(captureOf(inOrder ?? [])),
        );
      });
    });

    if (told !== 'nothing')
      it(`finds exactly the checkpoints that ran, overlapping ones too, where there are ${told}`, () => {
        forAll(generateHistory({ told, tasks: 5 }), RUNS, ({ checkpoints, rows }) => {
          // Two of one session, database and millisecond are one that was read twice.
          fc.pre(new Set(rows.map(({ row }) => row.eventData)).size === rows.length);
          const capture = captureOf(rows);
          assert.deepEqual(listCheckpoints(capture), listTrueCheckpoints(checkpoints));
          assert.equal(capture.ledger().unpaired, 0);
        });
      });
  }

  it('finds exactly the checkpoints that ran, one after the other, without activity ids', () => {
    forAll(generateHistory({ told: 'nothing', tasks: 1 }), RUNS, ({ checkpoints, rows }) => {
      // Checkpoints that touch or share a millisecond can not be told apart without activity ids.
      const isApart = new Set(
        checkpoints.flatMap((one) => [
          `${one.databaseId}@${one.beginUtcMs}`,
          `${one.databaseId}@${one.endUtcMs}`,
        ]),
      );
      fc.pre(isApart.size === 2 * checkpoints.length);
      assert.deepEqual(listCheckpoints(captureOf(rows)), listTrueCheckpoints(checkpoints));
    });
  });

  it('invents no duration where checkpoints overlap and there are no activity ids', () => {
    forAll(generateHistory({ told: 'nothing', tasks: 5 }), RUNS, ({ checkpoints, rows }) => {
      const times = checkpoints.flatMap((one) => [
        `${one.databaseId}@${one.beginUtcMs}`,
        `${one.databaseId}@${one.endUtcMs}`,
      ]);
      fc.pre(new Set(times).size === times.length);
      const ran = new Set(listTrueCheckpoints(checkpoints));
      for (const found of listCheckpoints(captureOf(rows))) assert.ok(ran.has(found), `${found} never ran`);
    });
  });

  it('invents no duration where whole buffers are lost and there is a gap for them', () => {
    const cases = generateHistory({ told: 'activity ids', tasks: 3 }).chain((history) =>
      fc.tuple(fc.constant(history), fc.integer({ min: 0, max: 30000 }), fc.integer({ min: 1, max: 30000 })),
    );
    forAll(cases, RUNS, ([{ checkpoints, rows }, afterMs, lostMs]) => {
      const beginUtcMs = Math.min(...rows.map((timed) => timed.atUtcMs)) + afterMs;
      const endUtcMs = beginUtcMs + lostMs;
      const capture = createCapture({ id: 'generated' });
      capture.addGap({ kind: 'files rolled over', beginUtcMs, endUtcMs, reason: 'rolled over' });
      capture.append(
        rows.filter(({ atUtcMs }) => atUtcMs <= beginUtcMs || atUtcMs >= endUtcMs).map((timed) => timed.row),
      );
      capture.settle(Infinity);
      const ran = new Set(listTrueCheckpoints(checkpoints));
      for (const found of listCheckpoints(capture)) assert.ok(ran.has(found), `${found} never ran`);
    });
  });

  it('keeps to the order of the task where the clock of the server was moved, whatever the order of arrival', () => {
    const cases = generateHistory({ told: 'activity ids', tasks: 3 }).chain(({ checkpoints, rows }) =>
      fc.record({
        checkpoints: fc.constant(checkpoints),
        rows: fc.shuffledSubarray(rows.slice(), { minLength: rows.length }),
        movedAtUtcMs: fc.constantFrom(...rows.map((timed) => timed.atUtcMs)),
        movedByMs: fc.integer({ min: -7_200_000, max: 7_200_000 }),
      }),
    );
    forAll(cases, RUNS, ({ checkpoints, rows, movedAtUtcMs, movedByMs }) => {
      const move = (utcMs: number): number => (utcMs < movedAtUtcMs ? utcMs : utcMs + movedByMs);
      const moved = rows.map((timed) => moveRow(timed, move(timed.atUtcMs)));
      const capture = captureOf(moved);
      const told = checkpoints.map((one) => ({
        ...one,
        beginUtcMs: move(one.beginUtcMs),
        endUtcMs: move(one.endUtcMs),
      }));
      const possible = told.filter((one) => one.endUtcMs >= one.beginUtcMs);
      assert.deepEqual(listCheckpoints(capture), listTrueCheckpoints(possible));
      assert.equal(countReasons(capture).get('clock moved back') ?? 0, 2 * (told.length - possible.length));
    });
  });
});

function moveRow({ row }: TimedRow, atUtcMs: number): TimedRow {
  const eventData = (row.eventData ?? '').replace(
    /timestamp="[^"]*"/,
    `timestamp="${new Date(atUtcMs).toISOString()}"`,
  );
  return { atUtcMs, row: { ...row, eventData } };
}
