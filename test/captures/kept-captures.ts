/** Captures to keep, and a file system in memory that can fail. */
import type { FileSystem } from '../../src/captures/capture-file';
import type { KeptCapture } from '../../src/captures/kept-capture';

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
  const { rows, beginUtcMs, durationMs, database } = capture.columns;
  return {
    ...capture,
    columns: { rows, beginUtcMs: beginUtcMs.slice(0, rows), durationMs: durationMs.slice(0, rows), database: database.slice(0, rows) },
  };
}

export interface MemoryFiles extends FileSystem {
  readonly content: Map<string, Uint8Array>;
  /** Set to make the named operation fail with that code. */
  failing: { readonly operation: string; readonly code: string } | null;
  /** Longest time that two writes were under way at once. */
  mostWrites: number;
}

export function createMemoryFiles(): MemoryFiles {
  const content = new Map<string, Uint8Array>();
  let writes = 0;
  const refuse = (operation: string): void => {
    if (files.failing?.operation === operation) throw codedError(files.failing.code);
  };
  const take = (path: string): Uint8Array => content.get(path) ?? fail('ENOENT');
  const files: MemoryFiles = {
    content,
    failing: null,
    mostWrites: 0,
    mkdir: async () => refuse('mkdir'),
    readFile: async (path) => (refuse('readFile'), take(path)),
    writeFile: async (path, bytes) => {
      files.mostWrites = Math.max(files.mostWrites, ++writes);
      content.set(path, bytes.slice(0, bytes.length / 2));
      await new Promise((resolve) => setImmediate(resolve));
      writes--;
      refuse('writeFile');
      content.set(path, bytes);
    },
    rename: async (from, to) => {
      refuse('rename');
      content.set(to, take(from));
      content.delete(from);
    },
    readdir: async (path) => {
      refuse('readdir');
      return [...content.keys()].filter((name) => name.startsWith(`${path}/`)).map((name) => name.slice(path.length + 1));
    },
    unlink: async (path) => {
      refuse('unlink');
      take(path);
      content.delete(path);
    },
  };
  return files;
}

function codedError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function fail(code: string): never {
  throw codedError(code);
}
