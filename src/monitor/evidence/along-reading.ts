/**
 * What a collector reads of a server besides facts and events: its cumulative counters as they are now, and what is new
 * in its error log.
 */
import type { MessageTemplate } from '../../core/errorlog/message-template';
import type { OffsetObservation } from '../../core/errorlog/server-clock';
import type { Observed } from '../../core/observed';
import { isLacking, type TextRows } from '../../core/rows';
import { fillTemplate } from '../../core/script/template';
import type { ReadText } from '../../core/script/text';
import { DATABASES_A_STEP, type Steps } from '../../core/steps';
import { toLocalMs } from '../../core/time';
import {
  type CountersReading,
  type FilesReading,
  type InstanceReading,
  readCounterWork,
  readFileWork,
  readInstanceWork,
  type WorkReading,
} from '../../core/write-work/work-readings';
import { ConnectionError } from '../../hosts/host';
import { readTemplates } from '../../texts';
import { describeUnreadable, observe } from '../queries/observed-read';
import type { ServerQuery } from '../queries/server-query';
import { takeShortSteps, type Timing } from '../queries/slices';
import { ANOTHER_SERVER } from '../queries/failure';
import { readServerClock } from '../facts/facts-reading';
import {
  type ErrorLogCursor,
  type ErrorLogReadingResult,
  readErrorLogContext,
  readErrorLogs,
} from '../facts/error-log-reading';
import { writeFileRead } from '../facts/write-work-sampling';

export interface AlongRequest {
  readonly server: { readonly serverName: string | null; readonly engineEdition: number };
  readonly counters: boolean;
  /** null: the error log is left alone. */
  readonly errorLog: ErrorLogSince | null;
}

interface ErrorLogSince {
  /**
   * Where the last reading ended; null: no row was read yet, so the last 24 hours are read, and what came since the
   * first of `offsets`.
   */
  readonly cursor: ErrorLogCursor | null;
  /**
   * The server's offsets from UTC, oldest first, from before the first row that is to come; empty: this is the first
   * reading.
   */
  readonly offsets: readonly OffsetObservation[];
  /** The reader's own clock: it tells how long ago the last reading was if the server's was moved back meanwhile. */
  readonly ownUtcMs: number;
}

/** Counters since the server or the database was opened. */
interface CountersRead {
  readonly instance: Observed<InstanceReading>;
  readonly files: Observed<FilesReading>;
  readonly counters: Observed<CountersReading>;
}

/** Rows of the error log, and what is needed to tell what they say and when. */
export interface ErrorLogRead {
  readonly result: ErrorLogReadingResult;
  readonly templates: readonly MessageTemplate[];
  /** Offsets from UTC, from the one that was given on. */
  readonly observations: readonly OffsetObservation[];
  /** The server's clock shortly before the log was read. */
  readonly nowUtcMs: number;
  readonly now: OffsetObservation;
}

/** null: it was not asked for. */
export interface ReadAlong {
  readonly counters: CountersRead | null;
  readonly errorLog: Observed<ErrorLogRead> | null;
}

/** How far a first reading of the error log goes back. */
const FIRST_MS = 24 * 60 * 60_000;
/** Backups this far back tell the server's UTC offset at a first reading: most databases have a full one each week. */
const OFFSETS_MS = 7 * FIRST_MS;

/** Never throws because of the server: what could not be read is not observable, with the reason. */
export async function readAlong(
  query: ServerQuery,
  request: AlongRequest,
  world: Timing,
): Promise<ReadAlong> {
  const counters = request.counters ? await readCounters(query, request, world) : null;
  const { errorLog: since } = request;
  return {
    counters,
    errorLog: since === null ? null : await orReason(() => readErrorLogSince(query, request, since, world)),
  };
}

async function readCounters(
  query: ServerQuery,
  { server }: AlongRequest,
  world: Timing,
): Promise<CountersRead> {
  const ask = <T>(
    name: string,
    text: ReadText,
    read: (set: TextRows) => Steps<WorkReading<T>> | WorkReading<T>,
  ): Promise<Observed<T>> =>
    orReason(async () => {
      const set = await query.run(text);
      const steps = read(set);
      const isShort = set.rows.length <= DATABASES_A_STEP;
      const { value, problems } = 'next' in steps ? await takeShortSteps(steps, isShort, world) : steps;
      if (value === null)
        throw new ConnectionError(
          'queryFailed',
          problems.find(isLacking)?.message ?? describeUnreadable(name),
        );
      return value;
    });
  // At the same moment, so that they go in one text.
  const [instance, files, counters] = await Promise.all([
    ask('instance-work', fillTemplate(readTemplates.instanceWork, {}), readInstanceWork),
    ask('file-io', writeFileRead(server.engineEdition), readFileWork),
    ask('database-counters', fillTemplate(readTemplates.databaseCounters, {}), readCounterWork),
  ]);
  return { instance, files, counters };
}

async function readErrorLogSince(
  query: ServerQuery,
  { server }: AlongRequest,
  { cursor, offsets, ownUtcMs }: ErrorLogSince,
  { elapsedMs }: Timing,
): Promise<ErrorLogRead> {
  const fromMs = elapsedMs();
  const clock = await readServerClock(query, server.serverName);
  if (clock === null) throw new ConnectionError('queryFailed', ANOTHER_SERVER);
  const localMs = toLocalMs(clock.nowUtcMs, clock.utcOffsetMinutes);
  const now = { localMs, offsetMinutes: clock.utcOffsetMinutes };
  const [first] = offsets;
  const fromLocalMs = Math.min(localMs - FIRST_MS, first?.localMs ?? Infinity);
  const sinceLocalMs = cursor === null || first === undefined ? fromLocalMs - OFFSETS_MS : first.localMs;
  const { templates, observations } = await readErrorLogContext(query, sinceLocalMs);
  const result = await readErrorLogs(
    query,
    cursor ?? fromLocalMs,
    () => ownUtcMs + elapsedMs() - fromMs,
    now,
  );
  return {
    result,
    templates,
    observations: [...offsets, ...observations, now],
    nowUtcMs: clock.nowUtcMs,
    now,
  };
}

/** A lost connection too is a reason: what comes along is never worth the failure of what was read before. */
const orReason = <T>(read: () => Promise<T>): Promise<Observed<T>> => observe(read, () => true);
