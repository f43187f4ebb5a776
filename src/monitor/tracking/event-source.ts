import type { SourceLoss } from '../../core/events/event-page';
import type { EventRow } from '../../core/events/event';
import type { SessionSnapshot } from '../../core/session/event-session';
import type { RowLosses, SourcePosition } from '../../core/capture/following';
import type { TextRows } from '../../core/rows';

/** The rows of one step of a reading, and what is missing around them. */
export interface SourceRows extends RowLosses {
  readonly rows: readonly EventRow[];
}

/** What comes after a page. `nothing there`: there was nothing to read from. That is not `end`: without a file nobody knows whether there is something new. */
export type PageRead = 'more' | 'end' | 'nothing there';

/** A page of the event files that the server was asked for. */
export interface AskedPage {
  readonly filePattern: string;
  /** At most. */
  readonly rows: number;
  /** By the clock of `ServerQuery.elapsedMs`. */
  readonly fromMs: number;
  readonly answer: Promise<TextRows | 'rolled over' | 'no file yet'>;
  /** What the server said while it answered; complete once the answer is there. */
  lossWithin: SourceLoss | null;
}

/** The place of the events of one run of a session: its files or its ring buffer. */
export interface EventSource {
  /** Just after what was taken last. */
  readonly position: SourcePosition;
  /** Whether the recorded events are still there after the session has stopped. */
  readonly outlivesSession: boolean;
  /** Whether all events since the start of the session are there, as far as a reading from the beginning can tell. */
  readonly isWhole: boolean;
  /** Names of the files that something was read from; none for a ring buffer. */
  readonly files: readonly string[];
  /** Tells the source of a look at the session, before anything is read. */
  notice(snapshot: SessionSnapshot): void;
  /** Asks for the next page early, so that it goes in one text with the look before it; null if the source waits for the look. Never fails. */
  askAhead(): AskedPage | null;
  /**
   * Reads the next page and hands over what is new. @param confirmServer is asked before events are called lost: throws if another server answers now
   * @param asked the same page, if it was asked for early @throws ConnectionError; what was handed over before then counts, and `position` is after it
   */
  readPage(take: (step: SourceRows) => void, confirmServer: () => Promise<unknown>, asked: AskedPage | null): Promise<PageRead>;
}
