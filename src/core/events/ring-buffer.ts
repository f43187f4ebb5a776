/** Takes event texts out of the text of a ring buffer target. Its shapes are in docs/facts.md, SQL Server 3. */
import type { SourceLoss } from './event-page';
import { t } from '../language';
import { defineRow, integer, readRows, text, type TextRows } from '../rows';
import type { EventRow } from './event';
import { describeXmlProblem, walkXml, type XmlTag, type XmlVisitor } from './xml-walk';

/** The end of a ring buffer when it was read last. */
export interface RingTail {
  /** Its last events, the newest last. Reading goes on after them, because a ring has no positions. */
  readonly texts: readonly string[];
  /** How many events it had taken since the session started; null if it did not say. */
  readonly processed: number | null;
  /** How many events it says it dropped; null if it did not say. Absent: an earlier version kept this. */
  readonly dropped?: number | null;
}

/**
 * What the target says about itself, from the attributes of `<RingBufferTarget>`; null if an attribute is not there or
 * is no number.
 */
export interface RingHead {
  readonly isTruncated: boolean;
  readonly processed: number | null;
  readonly eventCount: number | null;
  readonly dropped: number | null;
}

interface RingText {
  /** null if the text does not begin like that of a ring buffer. */
  readonly head: RingHead | null;
  /** Whole events, oldest first, unchanged. */
  readonly events: readonly string[];
  /** Why the text is not well formed to its end. The events before that point are whole. */
  readonly problem: string | null;
}

/** Splits the text with the walk that also reads events, so that markup inside of a value splits nothing. */
export function splitRingBuffer(ring: string): RingText {
  const splitter = new RingSplitter(ring);
  const problem = walkXml(ring, splitter);
  return {
    head: splitter.head,
    events: splitter.events,
    problem: problem && describeXmlProblem(problem),
  };
}

/** The head alone. The beginning of the text is enough for it. */
export function readRingHead(beginning: string | null): RingHead | null {
  return beginning === null ? null : splitRingBuffer(beginning).head;
}

class RingSplitter implements XmlVisitor {
  head: RingHead | null = null;
  readonly events: string[] = [];
  private from = -1;
  private isClosed = false;

  constructor(private readonly ring: string) {}

  open(depth: number, tag: XmlTag): void {
    if (depth === 1 && tag.name === 'RingBufferTarget') this.head = readHead(tag);
    if (depth !== 2) return;
    this.cut(tag.at);
    this.from = tag.at;
    this.isClosed = false;
  }

  characters(depth: number, from: number): void {
    if (depth === 1) this.cut(from);
  }

  close(depth: number): void {
    if (depth === 2) this.isClosed = true;
    else if (depth === 1) this.cut(this.ring.lastIndexOf('</'));
  }

  /** The element that was open last ends here. */
  private cut(at: number): void {
    if (this.from >= 0 && this.isClosed) this.events.push(this.ring.slice(this.from, at));
    this.from = -1;
  }
}

function readHead(tag: XmlTag): RingHead {
  const number = (name: string): number | null => {
    const value = tag.attribute(name);
    return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null;
  };
  const truncated = number('truncated');
  return {
    isTruncated: truncated !== null && truncated > 0,
    processed: number('totalEventsProcessed'),
    eventCount: number('eventCount'),
    dropped: number('droppedCount'),
  };
}

const pieceRow = defineRow({ piece: integer(), text_length: integer(), text_piece: text() });

type JoinedRing =
  | { readonly ring: string; readonly problem: null }
  /** `problem` is one sentence. */
  | { readonly ring: null; readonly problem: string };

/**
 * The whole text from the answer of sql/read/ring-buffer.sql; empty if there is no ring. Pieces that do not fit
 * together are refused.
 */
export function joinRingPieces(set: TextRows): JoinedRing {
  const { rows, problems } = readRows(pieceRow, set);
  const wrong = problems.find(({ kind }) => kind !== 'unknown column');
  if (wrong !== undefined) return { ring: null, problem: wrong.message };
  const ring = rows.map((row) => row.textPiece).join('');
  if (rows.every((row, at) => row.piece === at && row.textLength === ring.length))
    return { ring, problem: null };
  return { ring: null, problem: t('A part of the ring buffer did not arrive.') };
}

/**
 * How many texts are kept to find the place again. Two events can have the same text if the session has no causality
 * tracking.
 */
const TAIL = 5;

interface RingReading {
  readonly rows: readonly EventRow[];
  readonly tail: RingTail;
  readonly lossBefore: SourceLoss | null;
  readonly lossBehind: SourceLoss | null;
}

/**
 * What is new in a ring since it was read last: the events after those that were its last then. If those are gone,
 * events in between were overwritten. If fewer have come than the target counts, its text was cut.
 * @param before null: nothing was read yet
 */
export function readRingOn({ head, events, problem }: RingText, before: RingTail | null): RingReading {
  const from = before === null ? 0 : findEndOf(before.texts, events);
  const fresh = events.slice(from ?? 0);
  const kept = from === null ? fresh : [...(before?.texts ?? []), ...fresh];
  const tail: RingTail = {
    texts: kept.slice(-TAIL),
    processed: head?.processed ?? before?.processed ?? null,
    dropped: head?.dropped ?? null,
  };
  const rows = fresh.map((eventData) => ({ objectName: null, eventData, fileName: null, fileOffset: null }));
  const missing = countMissing(head, before, fresh.length);
  const isCut =
    problem !== null ||
    head === null ||
    head.isTruncated ||
    (head.eventCount !== null && head.eventCount > events.length);
  const hasDropped = (head?.dropped ?? 0) > (before?.dropped ?? 0);
  const isOverwritten = before !== null && (from === null || hasDropped || (missing > 0 && !isCut));
  return {
    rows,
    tail,
    lossBefore: isOverwritten
      ? { kind: 'ring buffer overwritten', reason: t('The ring buffer was overwritten before it was read.') }
      : null,
    lossBehind: isCut
      ? {
          kind: 'ring buffer overwritten',
          reason: t('The text of the ring buffer was cut, so not all of its events could be read.'),
        }
      : null,
  };
}

/** How many events the target took since the last reading, less those that came; 0 if it does not say. */
function countMissing(head: RingHead | null, before: RingTail | null, fresh: number): number {
  if (head?.processed === null || head === null || before === null || before.processed === null) return 0;
  return Math.max(0, head.processed - before.processed - fresh);
}

/** The position after the last place at which these texts follow each other; null if there is none. */
function findEndOf(texts: readonly string[], events: readonly string[]): number | null {
  if (texts.length === 0) return 0;
  const last = texts[texts.length - 1];
  for (let end = events.length; end > 0; end--) {
    if (events[end - 1] !== last) continue;
    // The oldest of them may have been overwritten since.
    const length = Math.min(texts.length, end);
    const isSame = texts.slice(texts.length - length).every((each, i) => each === events[end - length + i]);
    if (isSame && (length === texts.length || end === length)) return end;
  }
  return null;
}
