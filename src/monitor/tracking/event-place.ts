/**
 * Where the events of one run of a session are: its files, or its ring buffer. A value: each answer of the server gives
 * the next one.
 */
import type { EventRow, FileCursor } from '../../core/events/event';
import { readEventPage, type SourceLoss } from '../../core/events/event-page';
import {
  joinRingPieces,
  readRingHead,
  readRingOn,
  type RingHead,
  splitRingBuffer,
  type RingTail,
} from '../../core/events/ring-buffer';
import {
  type KeptFollowing,
  mayHaveRolledOver,
  type RowLosses,
  type SourcePosition,
} from '../../core/capture/following';
import type { SessionSnapshot } from '../../core/session/event-session';
import { findCurrentFile, findFirstFile } from '../../core/session/session-snapshots';
import { quoteInString } from '../../core/script/quote';
import { writeEventsRead, writeFilePattern } from '../../core/script/session';
import { fillTemplate } from '../../core/script/template';
import type { ParameterRead } from '../../core/script/text';
import type { TextRows } from '../../core/rows';
import { ConnectionError } from '../../hosts/host';
import { readTemplates } from '../../texts';
import { joinSentences, t } from '../../core/language';

/**
 * Rows of one page: bounded, because every read costs the server (docs/facts.md, SQL Server 4), and no more than it
 * gives in the time that a click may wait. The first page is the smallest; each may be twice as long as the one before.
 */
const LEAST_PAGE_ROWS = 500;
const USUAL_PAGE_ROWS = 4_000;
const MOST_PAGE_ROWS = 64_000;
const PAGE_MS = 250;

/** The cursor's file is gone: 25722 to 2022, 25717 in 2025. No file: 25718 (docs/facts.md, SQL Server 4). */
const rolledOver = [25717, 25722];
const NO_FILE = 25718;

/** An informational message. Not every host hands it on (docs/facts.md, SQL Server 4). */
export const SKIPPED_BLOCK = 25720;
const damagedFile: SourceLoss = {
  kind: 'damaged file',
  reason: t('The server skipped a damaged part of an event file.'),
};

const lostFiles: SourceLoss = {
  kind: 'files rolled over',
  reason: t('The event files rolled over before they were read.'),
};

/** The rows of one step of a reading, and what is missing around them. */
export interface SourceRows extends RowLosses {
  readonly rows: readonly EventRow[];
}

/**
 * What comes after a page. `nothing there`: there was nothing to read from. That is not `end`: without a file it is not
 * known whether there is something new.
 */
export type PageRead = 'more' | 'end' | 'nothing there';

/** How to ask for events. */
export interface PlaceOptions {
  readonly sessionName: string;
  readonly hasTimestampUtc: boolean;
  /** Only the file that is being written now, and later ones, are read. */
  readonly isNewestOnly?: boolean;
}

interface FilePlace {
  readonly kind: 'files';
  /** The file name that the session was created with. */
  readonly configuredFile: string;
  readonly hasTimestampUtc: boolean;
  /** Number of files that are kept; null: the server's default. */
  readonly maxRolloverFiles: number | null;
  /** The server that is asked. Another one that answers in its place, for instance behind a listener, gives no rows. */
  readonly serverName: string | null;
  /** Reading begins with a later file than the one in which the run begins. */
  readonly isNewestOnly: boolean;
  /**
   * The file in which the run begins, where reading begins too, or one before which nothing was there; null if that is
   * not known, or once the run has gone on in another: then files of earlier runs, which have the same name, are read
   * as well.
   */
  readonly firstFile: string | null;
  /**
   * The run goes on in another file, and nothing was read of the first one yet. It is read alone, which tells whether
   * it is still there.
   */
  readonly hasMoved: boolean;
  /** The file that was written at the last look; null: it did not say. */
  readonly currentFile: string | null;
  /** The last buffer that was taken. */
  readonly cursor: FileCursor | null;
  /** Files that something was read from. */
  readonly names: readonly string[];
  /** Rows of the next page, and the smallest page that holds a whole buffer. */
  readonly pageRows: number;
  readonly leastRows: number;
  /** What was lost before the next rows, and where reading was then. */
  readonly loss: { readonly what: SourceLoss; readonly behind: FileCursor | null } | null;
}

/** It is read whole, and only the events after the last reading are taken. */
interface RingPlace {
  readonly kind: 'ring';
  readonly sessionName: string;
  readonly seen: RingHead | null;
  readonly first: RingHead | null;
  readonly tail: RingTail | null;
}

export type EventPlace = FilePlace | RingPlace;

/** What one answer gives: rows, unless nothing is new. `again`: more is to be asked at once. */
type TakenPage = Readonly<{ place: EventPlace; step: SourceRows | null; read: PageRead | 'again' }>;

/** @param snapshot the look with which it is opened @param kept the place to go on from */
export function openPlace(
  { sessionName, hasTimestampUtc, isNewestOnly = false }: PlaceOptions,
  snapshot: SessionSnapshot,
  kept: Pick<KeptFollowing, 'position' | 'unread'> | null,
): EventPlace {
  const { configuredFile, maxRolloverFiles, serverName } = snapshot;
  if (configuredFile === null)
    return { kind: 'ring', sessionName, seen: null, first: null, tail: kept?.position.ring ?? null };
  const currentFile = findCurrentFile(snapshot);
  const firstFile = isNewestOnly ? currentFile : findFirstFile(snapshot);
  const [cursor, names] = [kept?.position.file ?? null, kept?.unread?.takingUp?.files ?? []];
  const files = {
    configuredFile,
    maxRolloverFiles,
    serverName,
    hasTimestampUtc,
    isNewestOnly,
    firstFile,
    currentFile,
    cursor,
    names,
  };
  return {
    kind: 'files',
    ...files,
    hasMoved: false,
    pageRows: LEAST_PAGE_ROWS,
    leastRows: LEAST_PAGE_ROWS,
    loss: null,
  };
}

/**
 * Just after what was taken last. Until a loss is told, the place before it: reading on from there finds the loss
 * again.
 */
export function positionOf(place: EventPlace): SourcePosition {
  if (place.kind === 'ring') return { file: null, ring: place.tail };
  return { file: place.loss === null ? place.cursor : place.loss.behind, ring: null };
}

/** Names of the files that something was read from; none for a ring buffer. */
export const namesOf = (place: EventPlace): readonly string[] => (place.kind === 'files' ? place.names : []);

/** Whether all events since the start of the session are there, as far as a reading from the beginning can tell. */
export function hasAllEvents(place: EventPlace): boolean {
  if (place.kind === 'ring') {
    const { first } = place;
    return (
      first !== null && !first.isTruncated && first.processed !== null && first.processed === first.eventCount
    );
  }
  return (
    !place.isNewestOnly &&
    (place.firstFile !== null || !mayHaveRolledOver(place.names.length, place.maxRolloverFiles))
  );
}

/** After a look at the session. */
export function noticeIn(place: EventPlace, snapshot: SessionSnapshot): EventPlace {
  if (place.kind === 'ring') return { ...place, seen: readRingHead(snapshot.targetData) };
  const currentFile = findCurrentFile(snapshot);
  return {
    ...place,
    currentFile,
    hasMoved: place.cursor === null && place.firstFile !== null && currentFile !== place.firstFile,
  };
}

/** The files rolled over: what is left is read from its beginning, and the loss is told with it. */
export function noticeLoss(place: EventPlace): EventPlace {
  if (place.kind === 'ring') return place;
  return {
    ...place,
    loss: place.loss ?? { what: lostFiles, behind: place.cursor },
    cursor: null,
    firstFile: null,
    hasMoved: false,
  };
}

/** The read that asks for what is next; null: the ring buffer has taken nothing since, so its text is not asked for. */
export function writePageRead(place: EventPlace): ParameterRead | null {
  if (place.kind === 'ring') {
    const isAsBefore = place.tail !== null && place.seen !== null && place.seen.processed !== null;
    if (isAsBefore && place.seen?.processed === place.tail?.processed) return null;
    return {
      text: fillTemplate(readTemplates.ringBuffer, { session_name: quoteInString(place.sessionName) }),
      parameters: [],
    };
  }
  const { cursor, firstFile, configuredFile, pageRows: rows, serverName, hasTimestampUtc } = place;
  // After a cursor the later files come by themselves; a single file can only be named by its path.
  const filePattern = (cursor === null ? firstFile : null) ?? writeFilePattern(configuredFile);
  return writeEventsRead(
    { filePattern, hasTimestampUtc, serverName, cursor, rows },
    readTemplates.checkpointEvents,
  );
}

/** What a refusal of that read means; null: nothing that reading could go on from. */
export function explainEnd(place: EventPlace, error: unknown): 'rolled over' | 'nothing there' | null {
  if (place.kind === 'ring' || !(error instanceof ConnectionError) || error.number === null) return null;
  /** A file was named from which something was read, or is to be read. */
  const isPlaced = place.cursor !== null || place.firstFile !== null;
  if (isPlaced && rolledOver.includes(error.number)) return 'rolled over';
  return error.number !== NO_FILE ? null : isPlaced ? 'rolled over' : 'nothing there';
}

/**
 * @param isDamaged whether the server said that it skipped a damaged part
 * @param tookMs how long it took
 * @throws ConnectionError if it cannot be read
 */
export function takePage(place: EventPlace, set: TextRows, isDamaged: boolean, tookMs: number): TakenPage {
  return place.kind === 'ring' ? takeRing(place, set) : takeFiles(place, set, isDamaged, tookMs);
}

function takeFiles(place: FilePlace, set: TextRows, isDamaged: boolean, tookMs: number): TakenPage {
  const { pageRows, cursor, loss } = place;
  const found = readEventPage(set, pageRows, cursor);
  // Without the column there are no rows, and that must not look like a server without checkpoints.
  const unreadable = found.problems.find((problem) => problem.kind !== 'unknown column');
  if (unreadable !== undefined) throw new ConnectionError('queryFailed', unreadable.message);
  const names = new Set(place.names);
  for (const row of found.rows) if (row.fileName !== null) names.add(row.fileName);
  const isTold = found.rows.length > 0 || isDamaged || (loss !== null && !found.more);
  const lossWithin = isDamaged ? damagedFile : null;
  const next = { ...place, cursor: found.cursor, names: [...names], loss: isTold ? null : loss };
  const step = isTold
    ? { rows: found.rows, lossBefore: loss?.what ?? null, lossWithin, lossBehind: null }
    : null;
  if (found.tooSmall) return { place: growPage(next), step, read: 'again' };
  if (found.more) return { place: fitPage(next, tookMs), step, read: 'more' };
  // The files after it are read too, before anything counts as the end.
  if (place.hasMoved) return { place: { ...next, firstFile: null, hasMoved: false }, step, read: 'again' };
  // Nothing is there yet: from now on it is noticed if that file, where something may come, is gone before it is read.
  return {
    place: next.cursor === null ? { ...next, firstFile: place.currentFile } : next,
    step,
    read: 'end',
  };
}

/** As many rows as the server gives in time, judged by the page before. In steps of 500, so that few texts differ. */
function fitPage(place: FilePlace, tookMs: number): FilePlace {
  const fitting =
    Math.floor((place.pageRows * PAGE_MS) / Math.max(1, tookMs) / LEAST_PAGE_ROWS) * LEAST_PAGE_ROWS;
  return {
    ...place,
    pageRows: Math.max(place.leastRows, Math.min(USUAL_PAGE_ROWS, 2 * place.pageRows, fitting)),
  };
}

function growPage(place: FilePlace): FilePlace {
  if (place.pageRows >= MOST_PAGE_ROWS)
    throw new ConnectionError(
      'queryFailed',
      t('One buffer of the event files holds more than {0} events.', MOST_PAGE_ROWS),
    );
  return { ...place, pageRows: place.pageRows * 2, leastRows: place.pageRows * 2 };
}

function takeRing(place: RingPlace, set: TextRows): TakenPage {
  const { ring, problem } = joinRingPieces(set);
  if (ring === null) throw new ConnectionError('queryFailed', problem);
  if (ring === '') return { place, step: null, read: 'nothing there' };
  const split = splitRingBuffer(ring);
  if (split.head === null)
    throw new ConnectionError(
      'queryFailed',
      joinSentences(t('The text of the ring buffer cannot be read.'), split.problem ?? ''),
    );
  const { rows, tail, lossBefore, lossBehind } = readRingOn(split, place.tail);
  const isTold = rows.length > 0 || lossBefore !== null || lossBehind !== null;
  const next = { ...place, first: place.first ?? split.head, tail };
  return { place: next, step: isTold ? { rows, lossBefore, lossBehind } : null, read: 'end' };
}
