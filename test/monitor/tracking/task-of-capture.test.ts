import assert from 'node:assert/strict';
import { createCapture } from '../../../src/core/capture/capture';
import type { BackupRun } from '../../../src/core/task/backup-rows';
import { finishSteps } from '../../../src/core/steps';
import {
  type CaptureEvidence,
  judgeServer,
  noGrounds,
  noTaskGrounds,
  summarizeCapture,
  type TaskGrounds,
} from '../../../src/monitor/facts/judgement';
import { ServerJudgement } from '../../../src/monitor/facts/server-judgement';
import { noPolicy } from '../../../src/core/advice/policy';
import { type DatabaseChange, findSwitches } from '../../../src/core/task/change-moment';
import { databaseOf, factsOf } from '../../core/advice/facts-of';
import { writeEventRow } from '../../core/events/event-rows';
import { valuesOf } from '../../core/values-of';
import { changeOf } from '../../core/task/changed';

const beginUtcMs = Date.UTC(2026, 2, 2, 6);
const HOUR_MS = 3_600_000;
const facts = factsOf([5, 6, 7, 8].map((databaseId) => databaseOf({ databaseId })));

type Checkpoint = readonly [databaseId: number, atMs: number, durationMs: number];

function captureOf(checkpoints: readonly Checkpoint[]) {
  const capture = createCapture({ id: 'a' });
  capture.observe(beginUtcMs, beginUtcMs + HOUR_MS);
  const rows = checkpoints.flatMap(([databaseId, atMs, durationMs], at) => {
    const activity = `770C3538-EC3F-4A27-86A9-${String(at).padStart(12, '0')}`;
    const write = (kind: 'begin' | 'end', atUtcMs: number, part: number) =>
      writeEventRow(
        { kind, databaseId, at: atUtcMs, activity: `${activity}-${part}` },
        { fileOffset: '512' },
      );
    return [write('begin', beginUtcMs + atMs, 1), write('end', beginUtcMs + atMs + durationMs, 2)];
  });
  capture.append(rows);
  capture.settle(Infinity);
  return capture;
}

const times = <T>(count: number, of: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => of(at));
const summarize = (
  checkpoints: readonly Checkpoint[],
  grounds: TaskGrounds = noTaskGrounds,
): CaptureEvidence =>
  finishSteps(summarizeCapture(captureOf(checkpoints), facts, grounds)) ?? assert.fail('nothing observed');
const judgeAll = (evidence: CaptureEvidence) => finishSteps(judgeServer(facts, evidence, null));
const judge = (evidence: CaptureEvidence) => [...judgeAll(evidence).databases.values()];

describe('The task of automatic checkpoints, in the verdicts', () => {
  /** Four windows, CHECKPOINT in each at once: 100 s of every 150 s. */
  const byHand = times(24, (round) =>
    times(4, (at): Checkpoint => [5 + at, round * 150_000 + at, 100_000]),
  ).flat();
  const serial = times(24, (round) =>
    times(2, (at): Checkpoint => [5 + at, round * 150_000 + at * 60_000, 55_000]),
  ).flat();

  it('does not count checkpoints that overlap: if four databases are checkpointed by hand at once, none need be switched', () => {
    const evidence = summarize(byHand);
    assert.ok(evidence.task.busyShare - evidence.task.margin < 0.1);
    assert.equal(judgeAll(evidence).instance.state, 'cannot tell');
    for (const { verdict, reason } of judge(evidence)) {
      assert.equal(verdict, 'Cannot tell here');
      assert.match(
        reason,
        /^Cannot tell: checkpoints overlapped, and it is not certain which of them the checkpoint task ran\.$/,
      );
    }
  });

  it('comes with the last checkpoint of each database', () => {
    const { lastCheckpoints } = summarize(serial);
    assert.deepEqual([...lastCheckpoints.keys()], [5, 6]);
    assert.equal(lastCheckpoints.get(6)?.endedUtcMs, beginUtcMs + 23 * 150_000 + 60_000 + 55_000);
  });

  it('is busy with checkpoints that ran one after the other, and their databases are to be switched', () => {
    const evidence = summarize(serial);
    assert.ok(Math.abs(evidence.task.busyShare - 110 / 150) < 1e-6);
    assert.equal(evidence.task.margin, 0);
    const share = evidence.task.databases.get(5)?.share ?? 0;
    assert.ok(Math.abs(share - 55 / 150) < 1e-6);
    assert.deepEqual(valuesOf(judge(evidence), 'verdict'), ['Switch', 'Switch', 'Leave', 'Leave']);
  });

  const backupsReadAt = (readUtcMs: number): TaskGrounds => {
    const runs = times(24, (round): BackupRun => {
      const at = beginUtcMs + round * 150_000;
      return { type: 'full', beginUtcMs: at, endUtcMs: at + 100_000, bytes: 1 };
    });
    return { changes: [], offsets: [], backups: { byName: new Map([['db5', runs]]), readUtcMs } };
  };

  it('leaves out the checkpoints of known backups, and is trusted then', () => {
    const evidence = summarize(serial, backupsReadAt(beginUtcMs + HOUR_MS));
    assert.equal(evidence.task.areBackupsKnown, true);
    assert.equal(evidence.task.databases.get(5), undefined);
    assert.ok(Math.abs(evidence.task.busyShare - 55 / 150) < 1e-6);
    assert.deepEqual(valuesOf(judge(evidence), 'verdict'), ['Leave', 'Leave', 'Leave', 'Leave']);
  });

  it('is not trusted if the backups were read long before its end', () => {
    assert.equal(summarize(serial, backupsReadAt(beginUtcMs + HOUR_MS / 2)).task.areBackupsKnown, false);
  });

  it('advises nothing right after a change, and says what was changed', () => {
    const atUtcMs = beginUtcMs + HOUR_MS - 5 * 60_000;
    const evidence = summarize(serial, { ...noTaskGrounds, changes: [changeOf(5, atUtcMs)] });
    const { instance, databases } = finishSteps(
      judgeServer(facts, evidence, null, { ...noGrounds, isRecording: true }),
    );
    const last = {
      wave: null,
      atUtcMs,
      changed: 1,
      isSeen: false,
      databaseIds: [],
      resultUtcMs: atUtcMs + 13 * 60_000,
    };
    assert.deepEqual([instance.objection, instance.advised], [{ kind: 'just switched', last }, []]);
    assert.ok([...databases.values()].every(({ verdict }) => verdict !== 'Switch'));
  });

  it('advises nothing right after a planned wave, however little of the task it had, and no longer once its databases are automatic again', () => {
    const atUtcMs = beginUtcMs + HOUR_MS - 5 * 60_000;
    const switched = (minutes: number, fromSeconds: number, toSeconds: number) =>
      changeOf(8, atUtcMs + minutes * 60_000, { notBeforeUtcMs: atUtcMs, fromSeconds, toSeconds });
    const objectionTo = (targetSeconds: number, ...changes: DatabaseChange[]) => {
      const databases = facts.databases.map((one) =>
        one.databaseId === 8 ? { ...one, targetSeconds } : one,
      );
      const given = { ...facts, databases };
      const evidence =
        finishSteps(summarizeCapture(captureOf(serial), given, { ...noTaskGrounds, changes })) ??
        assert.fail();
      const planned =
        findSwitches(changes, beginUtcMs)(8) === null
          ? null
          : { madeUtcMs: beginUtcMs, ran: 1, last: [8], waves: [[5]] };
      return finishSteps(judgeServer(given, evidence, null, { ...noGrounds, planned, isRecording: true }))
        .instance.objection;
    };
    const first = objectionTo(60, switched(0, 0, 60));
    assert.deepEqual(first?.kind === 'just switched' && [first.last.wave, first.last.databaseIds], [1, [8]]);
    assert.equal(objectionTo(0, switched(0, 0, 60), switched(2, 60, 0)), null);
  });

  it('is judged since the last change if the changed databases had a part of its time, else as a whole', () => {
    const atUtcMs = beginUtcMs + HOUR_MS / 2;
    const of = (databaseId: number) =>
      summarize(serial, { ...noTaskGrounds, changes: [changeOf(databaseId, atUtcMs)] });
    assert.deepEqual([of(5).sinceUtcMs, Math.round((of(5).busyBefore ?? 0) * 100)], [atUtcMs, 73]);
    assert.deepEqual([of(8).sinceUtcMs, of(8).busyBefore], [null, null]);
  });

  it('is never called free where a part of the automatic databases is recorded, though those have little of it', () => {
    const little = summarize(times(24, (round): Checkpoint => [5, round * 150_000, 100]));
    const judgeRecorded = (recorded: readonly number[] | null) =>
      finishSteps(judgeServer(facts, little, null, { ...noGrounds, recorded: recorded && new Set(recorded) }))
        .instance;
    assert.deepEqual([judgeRecorded(null).state, judgeRecorded(null).partly], ['mostly free', null]);
    assert.deepEqual(
      [judgeRecorded([]).state, judgeRecorded([]).partly],
      ['cannot tell', { recorded: 1, of: 4, unread: 0 }],
    );
    assert.equal(judgeRecorded([5, 6, 7, 8]).state, 'mostly free');
    const all = summarize(serial);
    const most = finishSteps(judgeServer(facts, all, null, { ...noGrounds, recorded: new Set([5, 6]) }));
    assert.deepEqual(
      [most.instance.state, most.instance.forecast, most.instance.advised],
      ['queue at times', null, [5, 6]],
    );
  });

  it('advises the waves that are left of those once planned, under their numbers, whatever feeds the queue since, until the task is free', () => {
    const planned = { madeUtcMs: beginUtcMs, ran: 1, last: [9], waves: [[6, 8], [7], [5]] };
    const judgePlanned = (evidence: CaptureEvidence, switched: readonly number[] = []) => {
      const databases = facts.databases.map((one) =>
        switched.includes(one.databaseId) ? { ...one, targetSeconds: 60 } : one,
      );
      return finishSteps(judgeServer({ ...facts, databases }, evidence, null, { ...noGrounds, planned }))
        .instance;
    };
    const { advised, next, later, forecast } = judgePlanned(summarize(serial), [8]);
    const [second, ...others] = [[6], [7], [5]].map((databaseIds, at) => ({ wave: 2 + at, databaseIds }));
    assert.deepEqual([advised, next, later], [[6, 7, 5], second, others]);
    assert.deepEqual(valuesOf(forecast?.waves, 'wave', 'databases'), [
      [2, 1],
      [3, 1],
      [4, 1],
    ]);
    const calm = judgePlanned(
      summarize(times(24, (round): Checkpoint => [5 + (round % 2), round * 150_000, 100])),
    );
    assert.deepEqual([calm.state, calm.advised, calm.next], ['mostly free', [], null]);
    const older = { ...planned, madeUtcMs: Date.UTC(2018, 0, 1) };
    const { advised: strangers } = finishSteps(
      judgeServer(facts, summarize(serial), null, { ...noGrounds, planned: older }),
    ).instance;
    assert.notDeepEqual(strangers, [6, 8, 7, 5], 'made again under these ids since the plan');
    const all = judgePlanned(summarize(serial), [6, 7, 8]);
    assert.deepEqual([all.next, all.advised], [{ wave: 4, databaseIds: [5] }, [5]]);
  });

  it('tells of a missed forecast only where it can tell how busy the task is', () => {
    const missed = { wave: 1, low: 0, high: 0.1, busyShare: 0.9 };
    const judge = (more: object) =>
      finishSteps(judgeServer(facts, summarize(serial), null, { ...noGrounds, missed, ...more })).instance;
    assert.deepEqual([judge({}).objection, judge({}).advised], [{ kind: 'missed', missed }, []]);
    assert.equal(judge({ blind: 'this login may not' }).objection, null);
  });

  it('advises nothing while a limit is exceeded', () => {
    const hold = { id: 'pages', brief: '', text: '', isUp: true } as const;
    const { instance, databases } = finishSteps(
      judgeServer(facts, summarize(serial), null, { ...noGrounds, hold }),
    );
    assert.ok([...databases.values()].every(({ verdict }) => verdict !== 'Switch'));
    assert.deepEqual([instance.state, instance.advised, instance.forecast], ['queue at times', [], null]);
  });

  it('is computed again as soon as the backups are read', () => {
    const judgement = new ServerJudgement(() => noPolicy);
    judgement.summarize(captureOf(serial), facts);
    finishSteps(judgement.judge({ facts, tracked: null, known: null }));
    assert.equal(judgement.verdicts.get(6)?.verdict, 'Switch');
    finishSteps(
      judgement.judge({ facts, tracked: null, known: null, grounds: backupsReadAt(beginUtcMs + HOUR_MS) }),
    );
    assert.equal(judgement.verdicts.get(6)?.verdict, 'Leave');
  });
});
