import assert from 'node:assert/strict';
import type { LiveEvent, Observation } from '../observation';
import { facts } from './facts';
import type { Judgement } from './judgement';

const background = 'AAAAAAAA-0000-0000-0000-000000000001';
const other = 'AAAAAAAA-0000-0000-0000-000000000002';
let place = 0;

function checkpoint(databaseId: number, beginUtcMs: number, endUtcMs: number, of: Partial<LiveEvent> = {}): readonly LiveEvent[] {
  const make = (name: string, atUtcMs: number): LiveEvent => ({
    name,
    atUtcMs,
    databaseId,
    taskGuid: background,
    sequence: atUtcMs,
    sessionId: 9,
    isSystem: true,
    contextDatabaseId: 1,
    ...of,
    place: `file|${(place += 1)}`,
  });
  return [make('checkpoint_begin', beginUtcMs), make('checkpoint_end', endUtcMs)];
}

const manualEvents = checkpoint(5, 50_000, 50_100, { taskGuid: other, sessionId: 60, isSystem: false });
const events = [
  ...checkpoint(5, 1_000, 2_000),
  ...checkpoint(6, 2_000, 3_000),
  ...checkpoint(7, 1_500, 1_502, { taskGuid: 'AAAAAAAA-0000-0000-0000-000000000003' }),
  ...manualEvents,
];
const nothing = { errors: [] };
const refused = (...numbers: readonly number[]): Observation['maxDuration'] => ({
  errors: numbers.map((number) => ({ number, message: 'refused' })),
});
const busy = { role: 'busy', dataBytesWritten: 8_192_000 } as const;
const watched = (databaseId: number, targetSeconds: number): Observation['databases'][number] => ({
  databaseId,
  name: `db${databaseId}`,
  targetSeconds,
  ...busy,
});
const tracedLog = [
  'FlushCache: cleaned up 1000 bufs with 100 writes in 1000 ms (avoided 1 new dirty bufs) for db 5:0',
  '      average writes per second: 100.00 writes/sec',
  '      average throughput: 7.81 MB/sec, I/O saturation: 10, context switches 20',
  '      last target outstanding: 2, avgWriteLatency 1',
].map((text) => ({ logDate: '2026-03-02T09:00:00.120', processInfo: 'spid60', text }));

/** A server of which every fact holds. */
const good: Observation = {
  majorVersion: 16,
  productVersion: '16.0.4135.4',
  productLevel: 'RTM',
  engineEdition: 3,
  utcOffsetMinutes: 60,
  databases: [watched(5, 0), watched(6, 0), watched(7, 60), { ...watched(8, 0), role: 'idle' }],
  targetOf: new Map([
    [5, 0],
    [6, 0],
    [7, 60],
    [8, 0],
  ]),
  events,
  manual: [{ databaseId: 5, sessionId: 60, fromUtcMs: 49_990, untilUtcMs: 50_110 }],
  pagedPlaces: events.map((event) => event.place),
  rolledOver: refused(25722),
  sessionCreated: { fromLocalMs: 20, fromUtcMs: 3_600_020 },
  backgroundWriterPages: { before: 10, after: 400 },
  hasScanEvent: true,
  maxDuration: refused(102),
  createAnyPermission: 1,
  creatorOnly: { create: nothing, start: refused(15151) },
  change: {
    databaseName: 'db5',
    seconds: 60,
    readBack: 60,
    log: ["Setting database option target_recovery_time to 60 for database 'db5'."],
  },
  readOnly: refused(3906, 5069),
  noWait: {
    backup: { ...nothing, elapsedMs: 40 },
    transaction: { ...refused(5070, 5069), elapsedMs: 4_000 },
    alter: { ...nothing, elapsedMs: 5 },
  },
  tracedLog,
  tracedDatabaseId: 5,
  roleRows: [5],
  databaseRows: [1, 5, 6, 7, 8],
  secondary: { databaseIds: [5], events: [] },
};

/** For each fact: a server that contradicts it, and one on which it cannot be seen. */
const counterexamples: Readonly<Record<string, { readonly contradicts: Partial<Observation>; readonly hides?: Partial<Observation> }>> = {
  'one-task': {
    contradicts: { events: [...checkpoint(5, 1_000, 2_000), ...checkpoint(6, 2_000, 3_000, { taskGuid: other })] },
    hides: { events: checkpoint(5, 1_000, 2_000) },
  },
  'serial-task': {
    contradicts: { events: [...checkpoint(5, 1_000, 2_000), ...checkpoint(6, 1_500, 3_000)] },
    hides: { events: checkpoint(5, 1_000, 2_000) },
  },
  'callers-task': { contradicts: { events: checkpoint(5, 50_000, 50_100) }, hides: { manual: [] } },
  'own-field': { contradicts: { events: checkpoint(1, 50_000, 50_100, { sessionId: 60 }) } },
  'utc-times': {
    contradicts: { events: checkpoint(5, 3_650_000, 3_650_100, { sessionId: 60, isSystem: false }) },
    hides: { utcOffsetMinutes: 0 },
  },
  'idle-silent': { contradicts: { events: checkpoint(8, 1_000, 1_002) }, hides: { databases: [watched(5, 0)] } },
  'indirect-fires': { contradicts: { events: manualEvents }, hides: { databases: [watched(5, 0)] } },
  'recovery-writer': { contradicts: { backgroundWriterPages: { before: 10, after: 10 } }, hides: { databases: [watched(5, 0)] } },
  'secondary-silent': { contradicts: { secondary: { databaseIds: [5], events: checkpoint(5, 1, 2) } }, hides: { secondary: null } },
  'local-create-time': { contradicts: { sessionCreated: { fromLocalMs: -3_600_000, fromUtcMs: 20 } }, hides: { utcOffsetMinutes: 0 } },
  'exact-cursor': { contradicts: { pagedPlaces: events.slice(1).map((event) => event.place) }, hides: { events: [] } },
  'rolled-over-cursor': { contradicts: { rolledOver: nothing }, hides: { rolledOver: null } },
  'scan-event': { contradicts: { hasScanEvent: false } },
  'max-duration': { contradicts: { maxDuration: nothing } },
  'unknown-permission': { contradicts: { createAnyPermission: null } },
  'creator-cannot-start': { contradicts: { creatorOnly: { create: nothing, start: nothing } }, hides: { creatorOnly: null } },
  'change-at-once': { contradicts: { change: { ...good.change, readBack: 0 } } },
  'change-logged': { contradicts: { change: { ...good.change, log: [] } } },
  'read-only-refused': { contradicts: { readOnly: nothing }, hides: { readOnly: null } },
  ...Object.fromEntries(
    (['backup', 'transaction', 'alter'] as const).map((of) => [
      `no-wait-${of}`,
      {
        contradicts: { noWait: { ...good.noWait, [of]: { ...refused(5061, 5069), elapsedMs: 30_000 } } },
        hides: { noWait: { ...good.noWait, [of]: null } },
      },
    ]),
  ),
  'readable-flush-cache': {
    contradicts: { tracedLog: tracedLog.map((row) => ({ ...row, text: row.text.replace('FlushCache', 'CacheFlush') })) },
    hides: { tracedLog: [] },
  },
  'one-row-each': { contradicts: { roleRows: [5, 5] } },
};

function judge(id: string, changed: Partial<Observation>): Judgement {
  const fact = facts.find((each) => each.id === id);
  assert.ok(fact !== undefined, id);
  return fact.judge({ ...good, ...changed });
}

describe('The facts that a live server is asked about', () => {
  it('have each an id of their own, and a server that would contradict them', () => {
    assert.deepEqual(facts.map(({ id }) => id).sort(), Object.keys(counterexamples).sort());
  });

  for (const [id, { contradicts, hides }] of Object.entries(counterexamples)) {
    it(`${id}: holds, is contradicted${hides ? ', or cannot be seen' : ''}`, () => {
      assert.deepEqual({ ...judge(id, {}), saw: '' }, { verdict: 'holds', saw: '' });
      assert.equal(judge(id, contradicts).verdict, 'contradicted');
      if (hides) assert.equal(judge(id, hides).verdict, 'not observable');
    });
  }
});
