import { listAutomatic, pairEvents, type ManualCheckpoint, type LiveCheckpoint, type Observation } from '../observation';
import { contradicted, holds, judgeBy, notObservable, type Fact } from './judgement';

/** XE times have milliseconds: two of one moment may differ by one. */
const tickMs = 1;

const oneTask: Fact = {
  id: 'one-task',
  statement: 'The automatic checkpoints of all databases carry one task GUID.',
  source: 'SQL Server 3 [I]',
  judge(observed) {
    const automatic = listAutomatic(observed);
    const databases = new Set(automatic.map(({ databaseId }) => databaseId));
    if (databases.size < 2) return notObservable(`${databases.size} databases had automatic checkpoints; two are needed.`);
    const guids = new Set(automatic.map(({ taskGuid }) => taskGuid));
    return judgeBy(guids.size === 1, `${automatic.length} checkpoints of ${databases.size} databases carry ${guids.size} GUIDs.`);
  },
};

const serialTask: Fact = {
  id: 'serial-task',
  statement: 'Automatic checkpoints run one after another; what overlaps is of another kind.',
  source: 'SQL Server 1 [R], [I]',
  judge(observed) {
    const automatic = listAutomatic(observed);
    if (automatic.length < 2) return notObservable(`${automatic.length} automatic checkpoints were seen; two are needed.`);
    const overlaps = automatic.slice(1).filter((each, i) => each.beginUtcMs < (automatic[i]?.endUtcMs ?? 0) - tickMs);
    return judgeBy(
      overlaps.length === 0,
      `${overlaps.length} of ${automatic.length} automatic checkpoints began before the one ahead had ended.`,
    );
  },
};

const callersTask: Fact = {
  id: 'callers-task',
  statement: "A manual checkpoint runs on its caller's task.",
  source: 'SQL Server 3 [I]',
  judge(observed) {
    const background = new Set(listAutomatic(observed).map(({ taskGuid }) => taskGuid));
    const found = observed.manual.map((manual) => findManual(observed, manual));
    const missing = found.filter((checkpoint) => checkpoint === undefined).length;
    if (observed.manual.length === 0) return notObservable('no CHECKPOINT was run');
    if (missing > 0)
      return contradicted(`${missing} of ${found.length} CHECKPOINTs left no begin and end under the session id of their caller.`);
    const shared = found.filter((checkpoint) => checkpoint !== undefined && background.has(checkpoint.taskGuid)).length;
    return judgeBy(
      shared === 0,
      `${found.length} CHECKPOINTs ran under their callers' session ids, ${shared} of them on the background task.`,
    );
  },
};

const ownField: Fact = {
  id: 'own-field',
  statement: "The event's field database_id is the checkpointed database, whatever database the caller is in.",
  source: 'SQL Server 3 [R]',
  judge(observed) {
    const found = observed.manual.map((manual) => findManual(observed, manual));
    if (found.some((each) => each === undefined) || found.length === 0)
      return contradicted('A CHECKPOINT has no event with its database in the field.');
    const contexts = [...new Set(found.map((each) => each?.contextDatabaseId))].join(', ');
    return holds(`${found.length} CHECKPOINTs are named by the field; the action of that name says ${contexts}.`);
  },
};

const utcTimes: Fact = {
  id: 'utc-times',
  statement: 'Timestamps of events are UTC.',
  source: 'SQL Server 3 [D]',
  judge(observed) {
    if (observed.utcOffsetMinutes === 0) return notObservable("the server's own time zone is UTC");
    const found = observed.manual.map((manual) => [manual, findManual(observed, manual)] as const);
    const outside = found.filter(
      ([manual, each]) => each === undefined || each.beginUtcMs < manual.fromUtcMs - tickMs || each.endUtcMs > manual.untilUtcMs + tickMs,
    );
    return judgeBy(
      found.length > 0 && outside.length === 0,
      `${found.length - outside.length} of ${found.length} CHECKPOINTs lie between the server's UTC times before and after them.`,
    );
  },
};

const idleSilent: Fact = {
  id: 'idle-silent',
  statement: 'An idle database on automatic checkpoints has none.',
  source: 'SQL Server 1 [D]',
  judge(observed) {
    const idle = observed.databases.filter(({ role, targetSeconds }) => role === 'idle' && targetSeconds === 0);
    if (idle.length === 0) return notObservable('no idle database was watched');
    const seen = listAutomatic(observed).filter(({ databaseId }) => idle.some((each) => each.databaseId === databaseId));
    return judgeBy(seen.length === 0, `${seen.length} automatic checkpoints in ${idle.length} idle databases.`);
  },
};

const indirectFires: Fact = {
  id: 'indirect-fires',
  statement: 'Indirect checkpoints fire checkpoint_begin and checkpoint_end too.',
  source: 'SQL Server 3 [M]',
  judge(observed) {
    const indirect = observed.databases.filter(({ role, targetSeconds }) => role === 'busy' && targetSeconds > 0);
    if (indirect.length === 0) return notObservable('no busy database with a target was watched');
    const seen = pairEvents(observed.events).filter(
      (each) => each.isSystem === true && indirect.some(({ databaseId }) => databaseId === each.databaseId),
    );
    return judgeBy(seen.length > 0, `${seen.length} checkpoints in ${indirect.length} busy databases with a target.`);
  },
};

const recoveryWriter: Fact = {
  id: 'recovery-writer',
  statement: 'With a target the pages are written outside of the checkpoints, and "Background writer pages/sec" counts them.',
  source: 'SQL Server 1 [I]',
  judge({ databases, backgroundWriterPages: { before, after } }) {
    const written = databases
      .filter(({ role, targetSeconds }) => role === 'busy' && targetSeconds > 0)
      .reduce((sum, each) => sum + each.dataBytesWritten, 0);
    if (written === 0) return notObservable('no busy database with a target wrote to its data files');
    return judgeBy(after > before, `The counter went from ${before} to ${after} while ${Math.round(written / 8192)} pages were written.`);
  },
};

const secondarySilent: Fact = {
  id: 'secondary-silent',
  statement: 'A secondary replica shows no checkpoint events of its replicated databases.',
  source: 'SQL Server 3, one report of 2012',
  judge({ secondary }) {
    if (secondary === null) return notObservable('no secondary replica is named');
    if (secondary.databaseIds.length === 0) return notObservable('the secondary replica has no replicated database');
    const seen = secondary.events.filter(({ databaseId }) => secondary.databaseIds.includes(databaseId));
    return judgeBy(seen.length === 0, `${seen.length} checkpoint events in ${secondary.databaseIds.length} replicated databases.`);
  },
};

export const taskFacts: readonly Fact[] = [
  oneTask,
  serialTask,
  callersTask,
  ownField,
  utcTimes,
  idleSilent,
  indirectFires,
  recoveryWriter,
  secondarySilent,
];

/** The checkpoint that a CHECKPOINT of ours was: under its session id, in its database, begun while it ran (an hour or more of difference is a time zone). */
function findManual({ events }: Pick<Observation, 'events'>, manual: ManualCheckpoint): LiveCheckpoint | undefined {
  return pairEvents(events).find(({ databaseId, sessionId }) => databaseId === manual.databaseId && sessionId === manual.sessionId);
}
