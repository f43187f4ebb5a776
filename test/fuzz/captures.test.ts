import assert from 'node:assert/strict';
import { sealBytes } from '../../src/captures/checksum';
import { restoreCapture } from '../../src/core/capture/capture';
import { keepRecord, restoreRecord } from '../../src/core/capture/capture-record';
import { createCatalog } from '../../src/core/capture/catalog';
import { findUnaccountedRows } from '../../src/core/capture/ledger';
import type { EventRow } from '../../src/core/events/event';
import { finishSteps } from '../../src/core/steps';
import { decodeWriteWork, encodeWriteWork } from '../../src/core/write-work/write-work-bytes';
import { WriteWorkLog } from '../../src/core/write-work/write-work-log';
import { decodeCapture, encodeCapture, eventAt, makeFollowingCapture } from '../captures/kept-captures';
import { type Chance, createChance, pick } from '../core/errorlog/disturbed-log';
import { fileOf, instanceAt, MIDNIGHT_MS } from '../core/write-work/work-readings-of';
import { fuzzCases } from './cases';
import { disturb } from './disturbed-value';

const LATER: readonly EventRow[] = [
  eventAt(30, 'end', 5, 8),
  eventAt(40, 'begin', 7, 9),
  eventAt(41, 'end', 7, 10),
];
const CATALOG = createCatalog(
  [{ databaseId: 5, createdLocal: '2026-01-05T09:00:00', name: 'heir' } as never],
  Date.UTC(2026, 0, 5, 10, 1),
  0,
);

/**
 * The file with one part of its first line, of its plain state or of its bytes changed, and a checksum that is right.
 */
function damage(chance: Chance, whole: Uint8Array): Uint8Array {
  const end = whole.indexOf(10);
  const header = JSON.parse(Buffer.from(whole.subarray(0, end)).toString('utf8')) as {
    readonly rows: number;
    readonly sections: readonly { readonly name: string; readonly bytes: number }[];
  };
  const from = end + 1 + header.rows * 14;
  const [state] = header.sections;
  const plain = whole.subarray(from, from + (state?.bytes ?? 0));
  const [before, behind] = [whole.subarray(end + 1, from), whole.slice(from + plain.length)];
  const way = chance();
  if (way < 0.5) {
    const said = Buffer.from(
      JSON.stringify(disturb(chance, JSON.parse(Buffer.from(plain).toString('utf8')))) ?? 'null',
    );
    const sections = header.sections.map((one) => (one === state ? { ...one, bytes: said.length } : one));
    return seal([Buffer.from(`${JSON.stringify({ ...header, sections })}\n`), before, said, behind]);
  }
  if (way < 0.8)
    return seal([Buffer.from(`${JSON.stringify(disturb(chance, header))}\n`), before, plain, behind]);
  const bytes = [before.slice(), plain, behind];
  const changed = bytes[pick(chance, [0, 2])] as Uint8Array;
  for (let left = 1 + Math.floor(chance() * 3); left > 0; left--)
    changed[Math.floor(chance() * (changed.length - 4))] = pick(chance, [0, 1, 2, 127, 240, 255]);
  return seal([whole.subarray(0, end + 1), ...bytes]);
}

function seal(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(Buffer.concat(parts));
  finishSteps(sealBytes(whole));
  return whole;
}

describe('A kept capture whose checksum is right', () => {
  const whole = encodeCapture(makeFollowingCapture());

  it('has something of everything, and goes on where it is whole', () => {
    const { capture } = decodeCapture(whole);
    const { plain, unpaired, pending, taskGuids } = capture?.state ?? assert.fail();
    assert.deepEqual([capture?.ledger.checkpoints, unpaired.rows, plain.malformed.length], [3, 1, 1]);
    assert.ok(
      pending.rows === 2 &&
        plain.pendingSources.length === 1 &&
        taskGuids.length === 4 &&
        plain.gaps.length === 1,
    );
  });

  it('is refused in one clause or goes on with a whole account, however it was changed', function () {
    this.timeout(0);
    const chance = createChance(20261127);
    const counts = { refused: 0, gone: 0 };
    for (let left = fuzzCases / 10; left > 0; left--) {
      const damaged = damage(chance, whole);
      const { capture, problem } = decodeCapture(damaged);
      counts[capture === null ? 'refused' : 'gone']++;
      if (capture === null) {
        assert.match(problem ?? '', /^\S.{1,200}[^.]$/);
        continue;
      }
      const record = restoreRecord(capture);
      assert.equal(record.unpaired().length, capture.state?.unpaired.rows ?? 0);
      if (capture.state === null) continue;
      const restored = finishSteps(restoreCapture(capture.state));
      assert.equal(findUnaccountedRows(restored.ledger()), 0);
      finishSteps(restored.nameDatabases(CATALOG));
      restored.append(LATER);
      restored.settle(Infinity);
      const { following } = capture;
      const again = encodeCapture({
        ...keepRecord(restored, { serverName: 'A', following, sections: [] }),
        serverLabel: 'PROD',
      });
      assert.equal(findUnaccountedRows(restored.ledger()), 0);
      assert.equal(decodeCapture(again).problem, null);
      for (const { beginUtcMs, endUtcMs } of restored.gaps)
        assert.ok(new Date(beginUtcMs).toISOString() && new Date(endUtcMs).toISOString());
    }
    assert.ok(counts.refused > fuzzCases / 50 && counts.gone > fuzzCases / 200, JSON.stringify(counts));
  });
});

/** A log with samples, blocks and a break. */
function recordWork(): WriteWorkLog {
  const log = new WriteWorkLog();
  for (let at = 0; at < 40; at++) {
    const elapsedMs = at * 60_000 + (at > 20 ? 600_000 : 0);
    const moment = {
      serverName: 'PROD',
      nowUtcMs: MIDNIGHT_MS + elapsedMs,
      ticksMs: 1e9 + elapsedMs,
      startedTicksMs: 1_000,
    };
    log.appendInstance({ ...instanceAt(0, at * 500), moment }, 180_000);
    finishSteps(
      log.appendDatabases({ moment, databases: [fileOf(5, at * 100), fileOf(7, at * 50)] }, null, 180_000),
    );
  }
  return log;
}

describe('Kept write work', () => {
  const whole = finishSteps(encodeWriteWork(recordWork()));

  it('is refused in one clause or goes on, however it was changed', function () {
    this.timeout(0);
    const chance = createChance(20261128);
    const end = whole.indexOf(10);
    const header = JSON.parse(Buffer.from(whole.subarray(0, end)).toString('latin1')) as unknown;
    const counts = { refused: 0, gone: 0 };
    for (let left = fuzzCases / 10; left > 0; left--) {
      const body = whole.slice(end);
      for (let more = Math.floor(chance() * 3); more > 0; more--)
        body[1 + Math.floor(chance() * (body.length - 1))] = pick(chance, [0, 1, 127, 240, 255]);
      const head =
        chance() < 0.5
          ? Buffer.from(whole.subarray(0, end))
          : Buffer.from(JSON.stringify(disturb(chance, header)) ?? 'null');
      const damaged = new Uint8Array(Buffer.concat([head, chance() < 0.1 ? body.subarray(0, -1) : body]));
      const { log, problem } = finishSteps(decodeWriteWork(damaged));
      counts[log === null ? 'refused' : 'gone']++;
      if (log === null) {
        assert.match(problem, /^\S.{1,200}[^.]$/);
        continue;
      }
      assert.ok(log.instanceSamples().pageWrites.every((pages) => pages >= 0));
      log.appendInstance(instanceAt(1e9, 5), 180_000);
      assert.equal(finishSteps(decodeWriteWork(finishSteps(encodeWriteWork(log)))).problem, null);
    }
    assert.ok(counts.refused > fuzzCases / 100 && counts.gone > fuzzCases / 100, JSON.stringify(counts));
  });
});
