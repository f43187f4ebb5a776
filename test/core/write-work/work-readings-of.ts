import type {
  CountersReading,
  FileReading,
  FilesReading,
  InstanceReading,
  ServerMoment,
} from '../../../src/core/write-work/work-readings';
import {
  COUNTER_FIGURES,
  FILE_FIGURES,
  type FileFigure,
  INSTANCE_FIGURES,
  type InstanceFigure,
} from '../../../src/core/write-work/work-samples';

/** null: not there. */
type CounterValues<N extends string> = Readonly<Record<N, number | null>>;

export const MIDNIGHT_MS = Date.UTC(2026, 2, 2);
const STARTED_TICKS_MS = 95_000;

/** This many milliseconds after midnight, by a clock and ticks that agree. */
export function momentAt(afterMs: number, changes: Partial<ServerMoment> = {}): ServerMoment {
  return {
    serverName: 'PROD',
    nowUtcMs: MIDNIGHT_MS + afterMs,
    ticksMs: 1_000_000 + afterMs,
    startedTicksMs: STARTED_TICKS_MS,
    ...changes,
  };
}

/** Every counter at the same value, but those named. */
export function instanceAt(
  afterMs: number,
  value: number,
  figures: Partial<CounterValues<InstanceFigure>> = {},
): InstanceReading {
  return {
    moment: momentAt(afterMs),
    figures: columnsOf(INSTANCE_FIGURES, { ...all(INSTANCE_FIGURES, value), ...figures }),
    flushSleepMs: value,
    allWaitMs: value * 10,
    databasePages: 1_000,
  };
}

export function fileOf(
  databaseId: number,
  value: number,
  changes: Partial<Omit<FileReading, 'figures'>> & { figures?: Partial<CounterValues<FileFigure>> } = {},
): FileReading {
  const name = `db${databaseId}`;
  const { figures, ...rest } = changes;
  const named = {
    databaseId,
    name,
    createdLocal: '2020-01-01T00:00:00',
    counterInstance: name,
    logReuseWait: 'NOTHING',
  };
  return {
    ...named,
    dataFiles: 1,
    logFiles: 1,
    untypedFiles: 0,
    ...rest,
    figures: columnsOf(FILE_FIGURES, { ...all(FILE_FIGURES, value), ...figures }),
  };
}

export function filesAt(afterMs: number, ...databases: FileReading[]): FilesReading {
  return { moment: momentAt(afterMs), databases };
}

export function countersAt(
  afterMs: number,
  values: Readonly<Record<string, number | null>>,
): CountersReading {
  const figures = Object.entries(values).map(
    ([name, value]) => [name, columnsOf(COUNTER_FIGURES, all(COUNTER_FIGURES, value))] as const,
  );
  return { moment: momentAt(afterMs), figures: new Map(figures) };
}

function all<N extends string>(names: readonly N[], value: number | null): CounterValues<N> {
  return Object.fromEntries(names.map((name) => [name, value])) as CounterValues<N>;
}

function columnsOf<N extends string>(names: readonly N[], figures: CounterValues<N>): Float64Array {
  return Float64Array.from(names, (name) => figures[name] ?? NaN);
}
