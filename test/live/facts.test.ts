import assert from 'node:assert/strict';
import { readErrorLog } from '../../src/core/errorlog/error-log';
import type { LiveCheckpoint } from './event-files';
import { observe, type Observation } from './observe';
import { readSettings } from './settings';
import { type LiveTarget, openTarget, skip, writeReport } from './target';

/** What an observation says of a fact, and in one sentence what was seen, or why nothing could be. Such a fact is neither right nor wrong. */
type Judgement = readonly ['holds' | 'contradicted' | 'not observable', string];

/** Something that the product relies on, or takes into account, and that nobody of this project has seen on SQL Server. */
interface Fact {
  /** Names it in the report. */
  readonly id: string;
  readonly statement: string;
  /** Where docs/facts.md tells it, and how well it is known there. */
  readonly source: string;
  readonly judge: (seen: Observation) => Judgement;
}

const judgeBy = (isSo: boolean, saw: string): Judgement => [isSo ? 'holds' : 'contradicted', saw];
const notObservable = (why: string): Judgement => ['not observable', why];

/** XE times have milliseconds: two of one moment may differ by one. */
const TICK_MS = 1;
const NEAR_MS = 60_000;
/** With NO_WAIT either outcome is one that the product counts on; that it waits is not. */
const LONGEST_MS = 5_000;

/** The checkpoints that the CHECKPOINTs of ours were: under their session ids, in their databases. */
const findManual = ({ manual, checkpoints }: Observation): readonly (LiveCheckpoint | undefined)[] =>
  manual.map((own) => checkpoints.find(({ databaseId, sessionId }) => databaseId === own.databaseId && sessionId === own.sessionId));

const listBusyIndirect = ({ databases }: Observation): Observation['databases'] =>
  databases.filter(({ role, targetSeconds }) => role === 'busy' && targetSeconds > 0);

const countTwice = (all: readonly unknown[]): number => all.length - new Set(all).size;
const numbersOf = (errors: readonly { readonly number: number }[]): readonly number[] => errors.map(({ number }) => number);

const TASK_FACTS: readonly Fact[] = [
  {
    id: 'one-task',
    statement: 'The automatic checkpoints of all databases carry one task GUID.',
    source: 'SQL Server 3 [I]',
    judge: ({ automatic }) => {
      const databases = new Set(automatic.map(({ databaseId }) => databaseId)).size;
      if (databases < 2) return notObservable(`${databases} databases had automatic checkpoints; two are needed.`);
      const guids = new Set(automatic.map(({ taskGuid }) => taskGuid)).size;
      return judgeBy(guids === 1, `${automatic.length} checkpoints of ${databases} databases carry ${guids} GUIDs.`);
    },
  },
  {
    id: 'serial-task',
    statement: 'Automatic checkpoints run one after another; what overlaps is of another kind.',
    source: 'SQL Server 1 [R], [I]',
    judge: ({ automatic }) => {
      if (automatic.length < 2) return notObservable(`${automatic.length} automatic checkpoints were seen; two are needed.`);
      const overlaps = automatic.slice(1).filter((each, i) => each.beginUtcMs < automatic[i]!.endUtcMs - TICK_MS).length;
      return judgeBy(overlaps === 0, `${overlaps} of ${automatic.length} automatic checkpoints began before the one ahead had ended.`);
    },
  },
  {
    id: 'callers-task',
    statement: "A manual checkpoint runs on its caller's task.",
    source: 'SQL Server 3 [I]',
    judge: (seen) => {
      const background = new Set(seen.automatic.map(({ taskGuid }) => taskGuid));
      const own = findManual(seen).filter((each) => each !== undefined && !background.has(each.taskGuid)).length;
      return judgeBy(
        own === seen.manual.length,
        `${own} of ${seen.manual.length} ran under the caller's session id, off the background task.`,
      );
    },
  },
  {
    id: 'own-field',
    statement: "The event's field database_id is the checkpointed database, whatever database the caller is in.",
    source: 'SQL Server 3 [R]',
    judge: (seen) => {
      const found = findManual(seen).filter((each) => each !== undefined);
      const contexts = found.map(({ contextDatabaseId }) => contextDatabaseId).join(', ');
      const saw = `${found.length} CHECKPOINTs are named by the field; the action of that name says ${contexts}.`;
      return judgeBy(found.length === seen.manual.length, saw);
    },
  },
  {
    id: 'utc-times',
    statement: 'Timestamps of events are UTC.',
    source: 'SQL Server 3 [D]',
    judge: (seen) => {
      if (seen.utcOffsetMinutes === 0) return notObservable("the server's own time zone is UTC");
      const within = findManual(seen).filter((each, i) => {
        const { fromUtcMs, untilUtcMs } = seen.manual[i]!;
        return each !== undefined && each.beginUtcMs >= fromUtcMs - TICK_MS && each.endUtcMs <= untilUtcMs + TICK_MS;
      }).length;
      const saw = `${within} of ${seen.manual.length} CHECKPOINTs lie between the server's UTC times before and after them.`;
      return judgeBy(within === seen.manual.length, saw);
    },
  },
  {
    id: 'idle-silent',
    statement: 'An idle database on automatic checkpoints has none.',
    source: 'SQL Server 1 [D]',
    judge: ({ databases, automatic }) => {
      const idle = databases.filter(({ role, targetSeconds }) => role === 'idle' && targetSeconds === 0).map((each) => each.databaseId);
      if (idle.length === 0) return notObservable('no idle database was watched');
      const seen = automatic.filter(({ databaseId }) => idle.includes(databaseId)).length;
      return judgeBy(seen === 0, `${seen} automatic checkpoints in ${idle.length} idle databases.`);
    },
  },
  {
    id: 'indirect-fires',
    statement: 'Indirect checkpoints fire checkpoint_begin and checkpoint_end too.',
    source: 'SQL Server 3 [M]',
    judge: (seen) => {
      const indirect = listBusyIndirect(seen).map(({ databaseId }) => databaseId);
      if (indirect.length === 0) return notObservable('no busy database with a target was watched');
      const own = seen.checkpoints.filter(({ isSystem, databaseId }) => isSystem && indirect.includes(databaseId)).length;
      return judgeBy(own > 0, `${own} checkpoints in ${indirect.length} busy databases with a target.`);
    },
  },
  {
    id: 'recovery-writer',
    statement: 'With a target the pages are written outside of the checkpoints, and "Background writer pages/sec" counts them.',
    source: 'SQL Server 1 [I]',
    judge: (seen) => {
      const written = listBusyIndirect(seen).reduce((sum, each) => sum + each.dataBytesWritten, 0);
      if (written === 0) return notObservable('no busy database with a target wrote to its data files');
      const { before, after } = seen.backgroundWriterPages;
      return judgeBy(after > before, `The counter went from ${before} to ${after} while ${Math.round(written / 8192)} pages were written.`);
    },
  },
  {
    id: 'secondary-silent',
    statement: 'A secondary replica shows no checkpoint events of its replicated databases.',
    source: 'SQL Server 3, one report of 2012',
    judge: ({ secondary }) => {
      if (secondary === null) return notObservable('no secondary replica is named');
      const { databaseIds, events } = secondary;
      if (databaseIds.length === 0) return notObservable('the secondary replica has no replicated database');
      const seen = events.filter(({ databaseId }) => databaseIds.includes(databaseId)).length;
      return judgeBy(seen === 0, `${seen} checkpoint events in ${databaseIds.length} replicated databases.`);
    },
  },
];

const SESSION_FACTS: readonly Fact[] = [
  {
    id: 'local-create-time',
    statement: "sys.dm_xe_sessions.create_time is the server's local time.",
    source: 'not documented; taken for local by src/core/session/event-session.ts',
    judge: ({ sessionCreated: { fromLocalMs, fromUtcMs }, utcOffsetMinutes }) =>
      utcOffsetMinutes === 0
        ? notObservable("the server's own time zone is UTC")
        : judgeBy(Math.abs(fromLocalMs) < NEAR_MS, `It lay ${fromLocalMs} ms from local time and ${fromUtcMs} ms from UTC.`),
  },
  {
    id: 'exact-cursor',
    statement:
      'A read behind a file and offset that the function returned skips everything up to and including that buffer, and nothing else.',
    source: 'SQL Server 4 [D]',
    judge: ({ events, pagedPlaces }) => {
      if (events.length === 0) return notObservable('no event was read');
      const missing = events.filter(({ place }) => !pagedPlaces.includes(place)).length;
      const saw = `Of ${events.length} events the pages missed ${missing} and had ${countTwice(pagedPlaces)} twice.`;
      return judgeBy(missing === 0 && countTwice(pagedPlaces) === 0, saw);
    },
  },
  {
    id: 'rolled-over-cursor',
    statement: 'A cursor whose file was deleted by rollover is error 25722 or 25717.',
    source: 'SQL Server 4 [M]',
    judge: ({ rolledOver }) => {
      if (rolledOver === null) return notObservable('no file was rolled over');
      const numbers = numbersOf(rolledOver.errors);
      return judgeBy(numbers.includes(25717) || numbers.includes(25722), `The errors of the read: ${numbers.join(', ') || 'none'}.`);
    },
  },
  {
    id: 'scan-event',
    statement: 'buffer_pool_scan_complete exists from 2016 SP3, 2017 CU23, 2019 CU9 and 2022 on.',
    source: 'SQL Server 3 [D]',
    judge: ({ about, productVersion, majorVersion }) => {
      const build = Number(productVersion.split('.')[2]);
      const firstBuild: Readonly<Record<number, number>> = { 13: 6300, 14: 3381, 15: 4102 };
      const isThere = Number(about['scan_events']) > 0;
      const isExpected = majorVersion >= 16 || build >= (firstBuild[majorVersion] ?? Infinity);
      return judgeBy(isThere === isExpected, `${productVersion} ${isThere ? 'has' : 'does not have'} it.`);
    },
  },
  {
    id: 'max-duration',
    statement: 'MAX_DURATION exists from SQL Server 2025 on, and not before.',
    source: 'SQL Server 4 [D]',
    judge: ({ maxDuration: { errors }, majorVersion }) => {
      const saw = errors.map(({ number, message }) => `${number} ${message}`).join('; ');
      return judgeBy((errors.length === 0) === majorVersion >= 17, `The errors: ${saw || 'none'}.`);
    },
  },
  {
    id: 'unknown-permission',
    statement: 'HAS_PERMS_BY_NAME of a permission that the version does not know is NULL, not 0.',
    source: 'SQL Server 6',
    judge: ({ about: { create_any: answer }, majorVersion }) =>
      judgeBy((answer === null) === majorVersion < 16, `CREATE ANY EVENT SESSION is ${String(answer)} on major version ${majorVersion}.`),
  },
  {
    id: 'creator-cannot-start',
    statement: 'CREATE ANY EVENT SESSION alone creates a session, and does not start it.',
    source: 'SQL Server 6',
    judge: ({ creatorOnly, majorVersion }) => {
      if (creatorOnly === null) return notObservable(`major version ${majorVersion} has no such permission`);
      const [create, start] = [creatorOnly.create, creatorOnly.start].map(({ errors }) => numbersOf(errors)) as [number[], number[]];
      return judgeBy(create.length === 0 && start.length > 0, `Errors of creating: ${create.join()}; of starting: ${start.join()}.`);
    },
  },
];

/** @param at which of those who were in the database */
const neverWaits = (id: string, who: string, at: 0 | 1): Fact => ({
  id,
  statement: `SET TARGET_RECOVERY_TIME WITH NO_WAIT succeeds or fails within ${LONGEST_MS / 1_000} s while ${who}.`,
  source: 'SQL Server 2 [?]',
  judge: ({ noWait }) => {
    const tried = noWait[at];
    if (tried === null) return notObservable('it was not seen to run before the ALTER and behind it');
    const errors = tried.errors.map(({ number, message }) => `${number} ${message}`).join(' | ');
    return judgeBy(tried.elapsedMs <= LONGEST_MS, `After ${tried.elapsedMs} ms, with errors: ${errors || 'none'}.`);
  },
});

const CHANGE_FACTS: readonly Fact[] = [
  {
    id: 'change-at-once',
    statement: 'SET TARGET_RECOVERY_TIME takes effect at once, without a restart.',
    source: 'SQL Server 2 [D]',
    judge: ({ change: { readBack } }) => judgeBy(readBack === 60, `Set to 60, sys.databases said ${readBack}.`),
  },
  {
    id: 'change-logged',
    statement: 'The error log records the change by message 5084, in lower case, in seconds.',
    source: 'SQL Server 2 [R]',
    judge: ({ change: { name, log } }) => {
      const own = readErrorLog(log).changes.filter(
        ({ databaseName, option }) => databaseName === name && option === 'target_recovery_time',
      );
      const saw = `It says ${own.map(({ value }) => value).join() || 'nothing'} in: ${log.map(({ text }) => text).join(' | ')}`;
      return judgeBy(
        own.some(({ value }) => value === '60'),
        saw,
      );
    },
  },
  {
    id: 'read-only-refused',
    statement: 'The target of a read-only database cannot be changed: an error followed by 5069.',
    source: 'SQL Server 2 [D/M]; which error is not published',
    judge: ({ readOnly }) => {
      if (readOnly === null) return notObservable('no database is read-only');
      const numbers = numbersOf(readOnly.errors);
      return judgeBy(numbers.includes(5069), `The errors: ${numbers.join(', ') || 'none, it was allowed'}.`);
    },
  },
  neverWaits('no-wait-backup', 'a backup of the database runs', 0),
  neverWaits('no-wait-transaction', 'a transaction is open in the database', 1),
  {
    id: 'readable-flush-cache',
    statement: 'Under trace flag 3504 a checkpoint writes a FlushCache message in a known shape, in English, consistent in itself.',
    source: 'SQL Server 5 [R], [I]',
    judge: ({ tracedLog, tracedDatabaseId }) => {
      if (tracedLog.length === 0) return notObservable('the error log gained no row');
      const { groups, dirtyPageFlushes } = readErrorLog(tracedLog);
      const whole = groups.filter(({ databaseId, state }) => databaseId === tracedDatabaseId && state !== 'mixture').length;
      const found = whole + dirtyPageFlushes.length;
      return judgeBy(found > 0, `${found} messages were understood of: ${tracedLog.map(({ text }) => text).join(' | ')}`);
    },
  },
  {
    id: 'one-row-each',
    statement: 'Our questions about databases and their roles give one row for each database, also where it is in two groups.',
    source: 'SQL Server 2 [?]',
    judge: ({ roleRows, databaseRows }) => {
      const [databases, roles] = [countTwice(databaseRows), countTwice(roleRows)];
      const saw = `${databaseRows.length} databases, ${roleRows.length} of them in groups; ${databases} and ${roles} rows too many.`;
      return judgeBy(databaseRows.length > 0 && databases + roles === 0, saw);
    },
  },
];

const FACTS = [...TASK_FACTS, ...SESSION_FACTS, ...CHANGE_FACTS];

const ran = (databaseId: number, taskGuid: string, beginUtcMs = 0, endUtcMs = 1): object => ({
  ...{ databaseId, taskGuid, beginUtcMs, endUtcMs, sessionId: 60, isSystem: true },
});
const own = { databaseId: 5, sessionId: 60, fromUtcMs: 0, untilUtcMs: 1 };
const busyIndirect = { databaseId: 7, role: 'busy', targetSeconds: 60, dataBytesWritten: 8_192 };
const allowed = { errors: [] };
const noWait = Array(2).fill({ ...allowed, elapsedMs: 2 * LONGEST_MS });
/** Of each fact, as much of an observation as contradicts it. */
const CONTRADICTING: Readonly<Record<string, object>> = {
  'one-task': { automatic: [ran(5, 'A'), ran(6, 'B')] },
  'serial-task': { automatic: [ran(5, 'A', 0, 90), ran(6, 'A', 50, 99)] },
  'callers-task': { automatic: [ran(6, 'A')], manual: [own], checkpoints: [ran(5, 'A')] },
  'own-field': { manual: [own], checkpoints: [ran(1, 'B')] },
  'utc-times': { manual: [own], checkpoints: [ran(5, 'B', 3_600_000, 3_600_001)], utcOffsetMinutes: 60 },
  'idle-silent': { databases: [{ databaseId: 8, role: 'idle', targetSeconds: 0 }], automatic: [ran(8, 'A')] },
  'indirect-fires': { databases: [busyIndirect], checkpoints: [ran(5, 'A')] },
  'recovery-writer': { databases: [busyIndirect], backgroundWriterPages: { before: 10, after: 10 } },
  'secondary-silent': { secondary: { databaseIds: [5], events: [{ databaseId: 5 }] } },
  'local-create-time': { sessionCreated: { fromLocalMs: -3_600_000, fromUtcMs: 20 }, utcOffsetMinutes: 60 },
  'exact-cursor': { events: [{ place: 'a' }, { place: 'b' }], pagedPlaces: ['b', 'b'] },
  'rolled-over-cursor': { rolledOver: allowed },
  'scan-event': { about: { scan_events: 0 }, productVersion: '16.0.4135.4', majorVersion: 16 },
  'max-duration': { maxDuration: allowed, majorVersion: 16 },
  'unknown-permission': { about: { create_any: null }, majorVersion: 16 },
  'creator-cannot-start': { creatorOnly: { create: allowed, start: allowed }, majorVersion: 16 },
  'change-at-once': { change: { readBack: 0 } },
  'change-logged': { change: { name: 'Sales', log: [] } },
  'read-only-refused': { readOnly: allowed },
  'no-wait-backup': { noWait },
  'no-wait-transaction': { noWait },
  'readable-flush-cache': { tracedLog: [{ logDateLocal: '2026-03-02T09:00:00.120', processInfo: 'spid60', text: 'CacheFlush: 1 bufs' }] },
  'one-row-each': { roleRows: [5, 5], databaseRows: [5] },
};

describe('The judgement of such a fact', () => {
  for (const { id, judge } of FACTS)
    it(`contradicts it where the server does: ${id}`, () => {
      const seen = CONTRADICTING[id] ?? assert.fail('nothing is known that would contradict it');
      assert.equal(judge(seen as Observation)[0], 'contradicted');
    });
});

const settings = readSettings(process.env);
const where = settings.kind === 'simulator' ? 'the simulator' : 'SQL Server';

describe(`The facts that the product takes into account, on ${where}`, function () {
  this.timeout(900_000);
  let target: LiveTarget;
  let seen: Observation;
  const lines: string[] = [];

  before(async () => {
    target = await openTarget(settings);
    seen = await observe(target);
  });

  after(async () => {
    await target?.dispose();
    if (seen !== undefined)
      console.log(`      written to ${writeReport(settings, seen.productVersion, [...describeServer(seen), ...lines])}`);
  });

  for (const { id, statement, source, judge } of FACTS)
    it(`${id}: ${statement}`, function () {
      const [verdict, saw] = judge(seen);
      const cells = [id, verdict, statement, saw, source].map((cell) => cell.replace(/\|/g, '\\|').replace(/\s+/g, ' '));
      lines.push(`| ${cells.join(' | ')} |`);
      if (verdict === 'not observable') skip(this, saw);
      assert.equal(verdict, 'holds', saw);
    });
});

/** The head of the report of what was seen of each fact, and on what. */
function describeServer({ about, productVersion }: Observation): readonly string[] {
  const on = `SQL Server ${productVersion} (${String(about['product_level'])}), engine edition ${String(about['engine_edition'])}, ${String(about['utc_offset_minutes'])} minutes from UTC.`;
  const says = settings.kind === 'simulator' ? 'This run proves that the tests work. It says nothing about SQL Server.' : on;
  return [`# Facts, looked at on ${where}`, '', says, '', '| fact | verdict | statement | seen | from |', '|---|---|---|---|---|'];
}
