/** Captures to keep, and a folder for them in memory. */
import type { Disk, FileSystem } from '../../src/captures/capture-file';
import { type CaptureFolder, openCaptureFolder } from '../../src/captures/capture-folder';
import * as format from '../../src/captures/capture-format';
import type { KeptCapture } from '../../src/captures/capture-header';
import { finishSteps } from '../../src/core/steps';
import { CrashingDisk } from './crashing-disk';

export const encodeCapture = (capture: KeptCapture): Uint8Array => finishSteps(format.encodeCapture(capture));
export const decodeCapture = (bytes: Uint8Array): format.DecodedCapture => finishSteps(format.decodeCapture(bytes));

/** The thread is given away as it is in the editor. */
export const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
export const diskOf = (files: FileSystem): Disk => ({ files, pause });

export function makeKeptCapture(changes: Partial<KeptCapture> = {}): KeptCapture {
  return {
    id: 'capture-1',
    serverLabel: 'Prod é 😀\n"1"',
    serverName: 'PROD-SQL07\\A',
    databases: [
      { databaseId: 5, createdLocal: '2014-02-03T04:05:06.700', name: "x'; DROP DATABASE y;--" },
      { databaseId: 32767, createdLocal: null, name: null },
    ],
    observation: {
      beginUtcMs: 1_772_438_400_000,
      endUtcMs: 1_772_442_000_000,
      gaps: [{ kind: 'server restarted', beginUtcMs: 1_772_440_000_000, endUtcMs: 1_772_440_060_000, reason: 'The server restarted.' }],
    },
    ledger: {
      rowsRead: 9,
      checkpoints: 3,
      unpaired: 1,
      duplicates: 1,
      malformed: 0,
      other: 1,
      otherByName: new Map([['buffer_pool_scan_complete', 1]]),
      open: 0,
      held: 0,
    },
    state: null,
    following: null,
    trackedDatabaseIds: [5],
    sections: [],
    columns: {
      rows: 3,
      beginUtcMs: Float64Array.of(1_772_438_400_123, 1_772_438_400_124, 1_772_438_401_000, 777),
      durationMs: Uint32Array.of(0, 2, 4_294_967_295, 777),
      database: Uint16Array.of(0, 1, 1, 777),
    },
    ...changes,
  };
}

/** The capture with columns cut to what is valid, for comparison. */
export function trimCapture(capture: KeptCapture): KeptCapture {
  const { rows, beginUtcMs, durationMs, database, task } = capture.columns;
  const own = { rows, beginUtcMs: beginUtcMs.slice(0, rows), durationMs: durationMs.slice(0, rows), database: database.slice(0, rows) };
  const columns = capture.state === null || task === undefined ? own : { ...own, task: task.slice(0, rows) };
  return { ...capture, columns, state: capture.state && { ...capture.state, columns } };
}

/** What is needed to go on, with something of everything. */
export function makeFollowing(): Pick<KeptCapture, 'columns' | 'ledger' | 'state' | 'following' | 'sections'> {
  const seen = { seenUtcMs: 3, seenOffsetMinutes: 60, firstEventUtcMs: 1 };
  const databases = [
    { databaseId: 5, createdLocal: null, name: 'é', fromUtcMs: null, toUtcMs: 7, ...seen },
    { databaseId: 32767, createdLocal: null, name: null, fromUtcMs: null, toUtcMs: null, ...seen },
  ];
  const pendingSources = [{ fileName: 'f', fileOffset: '512' }];
  const undecided = { atUtcMs: Float64Array.of(9, 10), mark: Float64Array.of(0, 21), databaseId: Int32Array.of(5, 5) };
  const pending = { rows: 2, ...undecided, guids: Int32Array.of(0, 0, 0, 0, 1, -2, 3, -4), kind: Uint8Array.of(0, 3) };
  const counts = { id: 'capture-1', generation: 1, rowsRead: 12, duplicates: 1, malformedCount: 0, horizonUtcMs: null, lastEventUtcMs: 8 };
  const lists = {
    malformed: [],
    otherByName: [['x', 1]],
    gaps: [],
    openGaps: [],
    databases,
    expectedDatabases: [],
    pendingSources,
  } as const;
  const plain = { ...counts, ...lists, observed: null, unpairedReasons: ['overlap'], scanTexts: ['BACKUP'] } as const;
  const unpaired = { rows: 2, atUtcMs: Float64Array.of(1, 2), databaseId: Int32Array.of(5, -1), reason: Uint8Array.of(0, 1) };
  const numbers = { endUtcMs: Float64Array.of(1), elapsedMs: Float64Array.of(2), scannedBuffers: Float64Array.of(3) };
  const more = { iteratedBuffers: Float64Array.of(4), parallelTasks: Float64Array.of(NaN), database: Uint16Array.of(0) };
  const scans = { rows: 1, ...numbers, ...more, command: Uint16Array.of(0), operation: Uint16Array.of(0) };
  const { columns: own } = trimCapture(makeKeptCapture());
  const columns = { ...own, task: Uint16Array.from(own.database, (_, row) => row % 3) };
  const server = { serverName: 'A', serverStartedLocalMs: 1, nowUtcMs: 2, utcOffsetMinutes: 60, firstStartedLocalMs: 1 };
  const session = { isDefined: true, isRunning: true, definitionId: 1, startedLocalMs: 1, droppedEvents: 0, droppedBuffers: 0 };
  const options = { tracksCausality: true, dispatchLatencyMs: 5_000, hasBothEvents: true, predicate: null, endPredicate: null };
  const target = { configuredFile: 'C.xel', maxRolloverFiles: 4, hasRing: false, targetData: null };
  const position = {
    file: { fileName: 'f_0_1.xel', offset: '9223372036854775807' },
    ring: { texts: ['<event/>'], processed: 9, dropped: 0 },
  };
  const lost = { lostEvents: 1, lostBuffers: 2 };
  const { ledger } = makeKeptCapture();
  return {
    columns,
    ledger: { ...ledger, rowsRead: 12, unpaired: 2, open: 1, held: 1 },
    state: { plain, columns, taskGuids: Int32Array.of(1, 2, 3, 4, -5, 6, 7, 8), unpaired, scans, pending },
    following: {
      sessionName: "it's",
      isOwn: true,
      snapshot: { ...server, ...session, ...options, ...target },
      position,
      beginUtcMs: 1,
      ...lost,
    },
    sections: [
      { name: 'write work', bytes: Uint8Array.of(1, 2, 3, 10, 255) },
      { name: 'empty', bytes: new Uint8Array(0) },
    ],
  };
}

/** A folder of captures in memory, where every operation takes as long as another. */
export function openMemoryFolder(): { readonly files: CrashingDisk; readonly folder: CaptureFolder } {
  const folders = ['.', 'captures'].map((path) => [path, 'folder'] as const);
  const files = new CrashingDisk(() => 0.5, new Map(folders));
  return { files, folder: openCaptureFolder('captures', diskOf(files)) };
}
