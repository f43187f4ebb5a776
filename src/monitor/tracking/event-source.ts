import type { SourceLoss } from '../../core/events/event-page';
import type { EventRow } from '../../core/events/event';
import type { SessionSnapshot } from '../../core/session/event-session';
import type { RowLosses, SourcePosition } from '../../core/capture/following';
import type { TextRows } from '../../core/rows';

/** Rows of one step of a reading, and what is missing around them. */
export interface SourceRows extends RowLosses {
  readonly rows: readonly EventRow[];
}

/** What comes behind a page. `nothing there`: there was nothing that could be read; no file is not "nothing new". */
export type PageRead = 'more' | 'end' | 'nothing there';

/** A page of event files that was asked for. */
export interface AskedPage {
  readonly filePattern: string;
  /** At most. */
  readonly rows: number;
  /** By the clock of `ServerQuery.elapsedMs`. */
  readonly fromMs: number;
  readonly answer: Promise<TextRows | 'rolled over' | 'no file yet'>;
  /** What the server said while it answered; whole with the answer. */
  lossWithin: SourceLoss | null;
}

/** Where the events of one run of a session are: its files or its ring buffer. */
export interface EventSource {
  /** Behind what was taken last. */
  readonly position: SourcePosition;
  /** Whether what was recorded is still there when the session has stopped. */
  readonly outlivesSession: boolean;
  /** Whether everything is there since the session was started, as far as a reading from the beginning can tell. */
  readonly isWhole: boolean;
  /** Names of the files of which something was read; none of a ring buffer. */
  readonly files: readonly string[];
  /** Tells of a look at the session, before what it shows is read. */
  notice(snapshot: SessionSnapshot): void;
  /** Asks for the next page ahead, so that it goes with the look before it; null where it is not asked for before it is known that there is something. Never fails. */
  askAhead(): AskedPage | null;
  /**
   * Reads the next page and hands over what is new. @param confirmServer is asked before events are called lost: throws where another server answers by now
   * @param asked the same page, where it was asked for ahead @throws ConnectionError; what was handed over before stays handed over, and `position` is behind it
   */
  readPage(take: (step: SourceRows) => void, confirmServer: () => Promise<unknown>, asked: AskedPage | null): Promise<PageRead>;
}
