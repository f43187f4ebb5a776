import type { Capture } from '../../core/capture/capture';
import type { SessionSnapshot } from '../../core/session/event-session';
import type { ParameterRead } from '../../core/script/text';
import type { TextRows } from '../../core/rows';
import { ConnectionError } from '../../hosts/host';
import type { ServerQuery } from '../queries/server-query';
import { explainEnd, noticeLoss, type PageRead, SKIPPED_BLOCK, type SourceRows, takePage, writePageRead } from './event-place';
import { beginReading, boundRows, type FollowingPlan, on, type Reading, type Step } from './reading';
import { lookAtSession, readServerClock } from './session-looks';
import { t } from '../../core/language';

/** The result of a turn. `more`: there is more to read now; `end`: everything was read; `nothing`: the session does not run, and there was nothing to read. */
export type Turn = 'more' | 'end' | 'nothing';

/** A page of events that the server was asked for. */
interface AskedPage {
  readonly read: ParameterRead;
  readonly fromMs: number;
  readonly answer: Promise<TextRows>;
  /** Whether the server said that it skipped a damaged part; complete once the answer is there. */
  isDamaged: boolean;
}

/** Asks a server for what a reading needs, and does to the capture what the reading says. It has no timers: its owner says when to read. */
export class SessionReader {
  reading: Reading;

  constructor(
    private readonly query: ServerQuery,
    readonly capture: Capture,
    plan: FollowingPlan,
  ) {
    const begin = beginReading(plan);
    this.reading = begin.reading;
    this.tell(() => begin);
  }

  /** The one place where something happens to the reading and to its capture. @throws ConnectionError if nothing was there to be read */
  tell<Rest extends readonly unknown[]>(event: (reading: Reading, ...rest: Rest) => Step, ...rest: Rest): void {
    const { reading, told, failure = null } = event(this.reading, ...rest);
    this.reading = reading;
    for (const tell of told) tell(this.capture);
    if (failure !== null) throw failure;
  }

  /**
   * Looks at the session, if everything of the last look was read, and reads the next page. If the session does not run any more, the rest of it is
   * read; if it runs again, it is followed again. @throws AnotherServer, ConnectionError; nothing that is in the files is lost then
   */
  async takeTurn(): Promise<Turn> {
    const { isReading, hasFailed, isRunning, endUtcMs, source } = this.reading;
    if (isReading && !hasFailed) return this.noting(() => this.readPage(null));
    // After most looks there is something to read, and we know where: so a page of the files is asked for at the same moment.
    const looking = this.lookNow();
    const next = isRunning && endUtcMs === null && source.place.kind === 'files' ? writePageRead(source.place) : null;
    const ahead = next === null ? null : this.ask(next);
    await looking;
    return this.reading.isReading ? this.noting(() => this.readPage(ahead)) : 'nothing';
  }

  /** Looks at the session and notes what may have been lost since the last look. The next turns read what there is. @throws AnotherServer, ConnectionError */
  lookNow(): Promise<SessionSnapshot> {
    return this.noting(async () => {
      const snapshot = await this.look();
      this.tell(on.look, snapshot);
      return snapshot;
    });
  }

  private async noting<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.tell(on.failure);
      if (error instanceof ConnectionError && error.reason === 'permissionDenied') {
        const clock = await readServerClock(this.query, this.reading.plan.snapshot.serverName).catch(() => null);
        if (clock !== null) this.tell(on.refusal, clock.nowUtcMs);
      }
      throw error;
    }
  }

  private async look(): Promise<SessionSnapshot> {
    const { plan } = this.reading;
    const snapshot = await lookAtSession(this.query, plan.snapshot.serverName, plan.sessionName);
    this.requireGoing();
    return snapshot;
  }

  private ask(read: ParameterRead): AskedPage {
    const onNotice = (number: number): void => void (page.isDamaged ||= number === SKIPPED_BLOCK);
    const page: AskedPage = { read, fromMs: this.query.elapsedMs(), answer: this.query.run(read, onNotice), isDamaged: false };
    // If nobody takes the answer, its failure does not matter.
    page.answer.catch(() => undefined);
    return page;
  }

  private async readPage(ahead: AskedPage | null): Promise<Turn> {
    const read = await this.readOn(ahead);
    this.requireGoing();
    const isLast = read !== 'more' && this.reading.later.length === 0;
    // Another server may have taken its place meanwhile: it gives no rows, and that looks like the end.
    if (isLast && this.reading.isLong) this.tell(on.lookBetween, await this.look());
    this.tell(on.page, read);
    return isLast ? 'end' : 'more';
  }

  /** Reads one page; another if a page holds no whole buffer, or if files were gone. */
  private async readOn(ahead: AskedPage | null): Promise<PageRead> {
    for (let early = ahead; ; early = null) {
      const read = writePageRead(this.reading.source.place);
      if (read === null) return 'end';
      // The look may have told that reading begins elsewhere.
      const asked = JSON.stringify(early?.read) === JSON.stringify(read) ? early : null;
      const taken = await this.takeAnswer(asked ?? this.ask(read));
      if (taken !== 'again') return taken;
    }
  }

  private async takeAnswer(asked: AskedPage): Promise<PageRead | 'again'> {
    const { place } = this.reading.source;
    try {
      const set = await asked.answer;
      const page = takePage(place, set, asked.isDamaged, this.query.elapsedMs() - asked.fromMs);
      this.tell(on.place, page.place);
      if (page.step !== null) this.takeRows(page.step);
      return page.read;
    } catch (error) {
      const end = explainEnd(place, error);
      if (end === null) throw error;
      if (end === 'nothing there') return end;
      // Another server may have taken its place: it has no such files.
      this.tell(on.lookBetween, await this.look());
      this.tell(on.place, noticeLoss(place));
      return 'again';
    }
  }

  private takeRows(rows: SourceRows): void {
    this.requireGoing();
    const { capture, reading } = this;
    const before = capture.lastEventUtcMs;
    const { earliestUtcMs, behindUtcMs } = boundRows(reading, rows);
    const events = capture.append(rows.rows, earliestUtcMs, behindUtcMs, reading.snapshot.nowUtcMs);
    this.tell(on.rows, rows, events, before);
  }

  private requireGoing(): void {
    if (this.reading.isHalted) throw new ConnectionError('cancelled', t('The window is being closed.'));
  }
}
