/** Messages gathered row by row, each with its time once the whole log was seen: which offset was in force may be said further on. */
import type { LoggedScan, NumberedMessage, OptionChange, Recovery, SlowIo } from './error-log-message';
import type { Logged, PlacedRow } from './error-log-row';
import { closeGroup, type FlushCacheGroup, type GroupState, type OpenGroup } from './flush-cache-group';
import type { DirtyPageLine, PrintLine } from './flush-cache-line';
import type { LocalTimeReader } from './server-clock';

interface DirtyPageFlush extends Logged, Omit<DirtyPageLine, 'kind'> {}
interface CheckpointPrint extends Logged, Omit<PrintLine, 'kind'> {}

export interface LoggedMessages {
  /** In the order of their first lines. */
  readonly groups: readonly FlushCacheGroup[];
  readonly dirtyPageFlushes: readonly DirtyPageFlush[];
  readonly prints: readonly CheckpointPrint[];
  readonly changes: readonly OptionChange[];
  readonly recoveries: readonly Recovery[];
  readonly scans: readonly LoggedScan[];
  readonly slowIos: readonly SlowIo[];
}

interface MessageCollector {
  addGroup(group: OpenGroup, state: GroupState): void;
  addDirtyPages(row: PlacedRow, line: DirtyPageLine): void;
  addPrint(row: PlacedRow, line: PrintLine): void;
  addNumbered(row: PlacedRow, message: NumberedMessage): void;
  end(readLocalTime: LocalTimeReader): LoggedMessages;
}

/** A message whose time is still to be found. */
interface Dated<T extends Logged> {
  readonly localMs: number | null;
  readonly message: T;
}

type Lists = { readonly [K in keyof LoggedMessages]: Dated<LoggedMessages[K][number]>[] };

const UNDATED = { atUtcMs: null, sureness: 'unknown' } as const;

export function createMessageCollector(): MessageCollector {
  const lists: Lists = { groups: [], dirtyPageFlushes: [], prints: [], changes: [], recoveries: [], scans: [], slowIos: [] };
  return {
    addGroup: (group, state) => void lists.groups.push({ localMs: group.cleanedRow.localMs, message: closeGroup(group, state, UNDATED) }),
    addDirtyPages: (row, { text, pages, durationMs, databaseId }) =>
      void lists.dirtyPageFlushes.push(dateMessage(row, { text, pages, durationMs, databaseId })),
    addPrint: (row, { step, databaseId }) => void lists.prints.push(dateMessage(row, { step, databaseId })),
    addNumbered(row, numbered) {
      if (numbered.list === 'changes') lists.changes.push(dateMessage(row, numbered.message));
      else if (numbered.list === 'scans') lists.scans.push(dateMessage(row, numbered.message));
      else if (numbered.list === 'recoveries') lists.recoveries.push(dateMessage(row, numbered.message));
      else lists.slowIos.push(dateMessage(row, numbered.message));
    },
    end: (readLocalTime) => ({
      groups: tellTimes(
        lists.groups.sort((a, b) => firstLine(a.message) - firstLine(b.message)),
        readLocalTime,
      ),
      dirtyPageFlushes: tellTimes(lists.dirtyPageFlushes, readLocalTime),
      prints: tellTimes(lists.prints, readLocalTime),
      changes: tellTimes(lists.changes, readLocalTime),
      recoveries: tellTimes(lists.recoveries, readLocalTime),
      scans: tellTimes(lists.scans, readLocalTime),
      slowIos: tellTimes(lists.slowIos, readLocalTime),
    }),
  };
}

function dateMessage<T extends object>({ logDateLocal, processInfo, line, localMs }: PlacedRow, message: T): Dated<Logged & T> {
  return { localMs, message: { logDateLocal, processInfo, ...UNDATED, lines: [line], ...message } };
}

/** In place, because there may be many and nobody else has them yet. */
function tellTimes<T extends Logged>(dated: readonly Dated<T>[], readLocalTime: LocalTimeReader): readonly T[] {
  return dated.map(({ localMs, message }) => {
    const untold: { -readonly [K in keyof Logged]: Logged[K] } = message;
    const { atUtcMs, sureness } = readLocalTime(localMs, firstLine(message));
    untold.atUtcMs = atUtcMs;
    untold.sureness = sureness;
    return message;
  });
}

function firstLine({ lines }: Logged): number {
  return lines[0] ?? 0;
}
