/** Captures to keep, and a folder for them in memory. */
import type { Disk, FileSystem } from '../../src/captures/capture-file';
import { CaptureFolder } from '../../src/captures/capture-folder';
import * as format from '../../src/captures/capture-format';
import type { KeptCapture } from '../../src/captures/capture-header';
import { createCapture } from '../../src/core/capture/capture';
import { keepRecord } from '../../src/core/capture/capture-record';
import type { EventRow } from '../../src/core/events/event';
import { finishSteps } from '../../src/core/steps';
import { GUID, writeCaller, writeEventRow } from '../core/events/event-rows';
import { snapshotOf } from '../core/session/snapshot-of';
import { CrashingDisk } from './crashing-disk';
import { gapOf } from '../core/gap-of';

export const encodeCapture = (capture: KeptCapture): Uint8Array => finishSteps(format.encodeCapture(capture));
export const decodeCapture = (bytes: Uint8Array): format.DecodedCapture =>
  finishSteps(format.decodeCapture(bytes));

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
      gaps: [gapOf('server restarted', 1_772_440_000_000, 1_772_440_060_000, 'The server restarted.')],
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

/** The table with its columns cut to what is valid. */
function trim<T extends { readonly rows: number }>(table: T): T {
  const cut = (column: number | Float64Array): unknown =>
    typeof column === 'number' ? column : column.slice(0, table.rows);
  const columns = Object.entries(table).map(([name, column]) => [name, cut(column)]);
  return Object.fromEntries(columns) as T;
}

/** The capture with columns cut to what is valid, for comparison. Tasks are kept with a state only. */
export function trimCapture(capture: KeptCapture): KeptCapture {
  const { state } = capture;
  const { task, ...own } = trim(capture.columns);
  const columns = state === null || task === undefined ? own : { ...own, task };
  // Windows of earlier versions go on from no capture without a list of scans.
  const plain = { ...state?.plain, scanTexts: [] } as never;
  return {
    ...capture,
    columns,
    state: state && { ...state, plain, columns, unpaired: trim(state.unpaired) },
  };
}

const T0 = Date.UTC(2026, 0, 5, 10);

/** One end of a checkpoint, this many seconds after ten o'clock; null: it has no activity id. */
export function eventAt(
  second: number,
  kind: 'begin' | 'end',
  databaseId: number,
  sequence: number | null,
): EventRow {
  const activity = sequence === null ? null : `${GUID}-${sequence}`;
  return writeEventRow({
    kind,
    databaseId,
    at: T0 + second * 1_000,
    activity,
    actions: writeCaller(true, 9),
  });
}

/** Of a name that is only counted. */
function scanAt(second: number): EventRow {
  const row = eventAt(second, 'end', 5, null);
  const eventData = (row.eventData ?? '').replace('checkpoint_end', 'buffer_pool_scan_complete');
  return { ...row, objectName: 'buffer_pool_scan_complete', eventData };
}

/**
 * One that goes on, with something of everything: checkpoints, events alone, undecided ones, a scan, a gap, a malformed
 * row, sections.
 */
export function makeFollowingCapture(): KeptCapture {
  const capture = createCapture({ id: 'capture-1' });
  capture.observe(T0, T0 + 31_000);
  capture.addGap({ kind: 'events lost', beginUtcMs: T0 + 20_000, endUtcMs: T0 + 20_500, reason: 'Lost.' });
  const alone = [eventAt(9, 'end', 6, 5), eventAt(21, 'begin', 8, null), eventAt(25, 'begin', 5, 7)];
  const pairs = [0, 2, 4].flatMap((at) => [
    eventAt(at, 'begin', 5 + (at % 4), at + 1),
    eventAt(at + 1, 'end', 5 + (at % 4), at + 2),
  ]);
  capture.append([...pairs, ...alone, scanAt(6), { ...eventAt(7, 'end', 5, null), eventData: '<event' }]);
  capture.settle(T0 + 12_000);
  const following = {
    sessionName: "it's",
    isOwn: true,
    snapshot: snapshotOf(),
    position: {
      file: { fileName: 'f_0_1.xel', offset: '9223372036854775807' },
      ring: { texts: ['<event/>'], processed: 9, dropped: 0 },
    },
    beginUtcMs: 1,
    lostEvents: 1,
    lostBuffers: 2,
  };
  const sections = [
    { name: 'write work', bytes: Uint8Array.of(1, 2, 3, 10, 255) },
    { name: 'empty', bytes: new Uint8Array(0) },
  ];
  return {
    ...keepRecord(capture, { serverName: 'A', following, sections }),
    serverLabel: 'PROD',
    trackedDatabaseIds: null,
  };
}

/** A folder of captures in memory, where every operation takes as long as another. */
export function openMemoryFolder(): { readonly files: CrashingDisk; readonly folder: CaptureFolder } {
  const folders = ['.', 'captures'].map((path) => [path, 'folder'] as const);
  const files = new CrashingDisk(() => 0.5, new Map(folders));
  return { files, folder: new CaptureFolder('captures', diskOf(files)) };
}
