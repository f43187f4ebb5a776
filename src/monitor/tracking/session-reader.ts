import type { Capture } from '../../core/capture/capture';
import type { SessionSnapshot } from '../../core/session/event-session';
import type { ParameterRead } from '../../core/script/text';
import { ConnectionError } from '../../hosts/host';
import type { ServerQuery } from '../queries/server-query';
import { explainEnd, noticeLoss, type PageRead, SKIPPED_BLOCK, takePage, writePageRead } from './event-place';
import {
  beginReading,
  boundRows,
  type FollowingPlan,
  onReading,
  type Reading,
  type ReadingStep,
} from './reading';
import { readServerClock } from '../facts/facts-reading';
import { lookAtSession } from './session-looks';
import { t } from '../../core/language';

/**
 * The result of a turn. `more`: there is more to read now; `end`: everything was read; `nothing`: the session does not
 * run, and there was nothing to read.
 */
export type Turn = 'more' | 'end' | 'nothing';

type AskedPage = ReturnType<typeof askPage>;

/** @returns `isDamaged`: whether the server said that it skipped a damaged part; complete once the answer is there */
function askPage(query: ServerQuery, read: ParameterRead) {
  const notices = new Set<number>();
  const answer = query.run(read, (number) => void notices.add(number));
  // If the answer is not taken, its failure does not matter.
  answer.catch(() => undefined);
  return { read, fromMs: query.elapsedMs(), answer, isDamaged: (): boolean => notices.has(SKIPPED_BLOCK) };
}

/**
 * Asks a server for what a reading needs, and does to the capture what the reading says. It has no timers: its owner
 * says when to read.
 */
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

  /**
   * The one place where something happens to the reading and to its capture.
   * @throws ConnectionError if nothing was there to be read
   */
  tell<Rest extends readonly unknown[]>(
    event: (reading: Reading, ...rest: Rest) => ReadingStep,
    ...rest: Rest
  ): void {
    const { reading, told, failure = null } = event(this.reading, ...rest);
    this.reading = reading;
    for (const tell of told) tell(this.capture);
    if (failure !== null) throw failure;
  }

  /**
   * Looks at the session, if everything of the last look was read, and reads the next page. If the session does not run
   * any more, the rest of it is read; if it runs again, it is followed again.
   * @throws AnotherServer, ConnectionError; nothing that is in the files is lost then
   */
  async takeTurn(): Promise<Turn> {
    const { isReading, hasFailed, isRunning, endUtcMs, source } = this.reading;
    if (isReading && !hasFailed) return this.noting(() => this.readPage(null));
    // After most looks there is something to read, and we know where: so a page of the files is asked for at the same
    // moment.
    const looking = this.lookNow();
    const next =
      isRunning && endUtcMs === null && source.place.kind === 'files' ? writePageRead(source.place) : null;
    const ahead = next === null ? null : askPage(this.query, next);
    await looking;
    return this.reading.isReading ? this.noting(() => this.readPage(ahead)) : 'nothing';
  }

  /**
   * Looks at the session and notes what may have been lost since the last look. The next turns read what there is.
   * @throws AnotherServer, ConnectionError
   */
  lookNow(): Promise<SessionSnapshot> {
    return this.noting(async () => {
      const snapshot = await this.look();
      this.tell(onReading.look, snapshot);
      return snapshot;
    });
  }

  private async noting<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.tell(onReading.failure);
      if (error instanceof ConnectionError && error.reason === 'permissionDenied') {
        const clock = await readServerClock(this.query, this.reading.plan.snapshot.serverName).catch(
          () => null,
        );
        if (clock !== null) this.tell(onReading.refusal, clock.nowUtcMs);
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

  /**
   * Reads one page; another if a page holds no whole buffer, or if files were gone.
   * @param ahead a page that was asked for with the look
   */
  private async readPage(ahead: AskedPage | null): Promise<Turn> {
    let read: PageRead | 'again' = 'again';
    for (let early = ahead; read === 'again'; early = null) {
      const next = writePageRead(this.reading.source.place);
      // The look may have told that reading begins elsewhere.
      const asked = JSON.stringify(early?.read) === JSON.stringify(next) ? early : null;
      read = next === null ? 'end' : await this.takeAnswer(asked ?? askPage(this.query, next));
    }
    this.requireGoing();
    const isLast = read !== 'more' && this.reading.later.length === 0;
    // Another server may have taken its place meanwhile: it gives no rows, and that looks like the end.
    if (isLast && this.reading.isLong) this.tell(onReading.lookBetween, await this.look());
    this.tell(onReading.page, read);
    return isLast ? 'end' : 'more';
  }

  private async takeAnswer(asked: AskedPage): Promise<PageRead | 'again'> {
    const { place } = this.reading.source;
    try {
      const page = takePage(
        place,
        await asked.answer,
        asked.isDamaged(),
        this.query.elapsedMs() - asked.fromMs,
      );
      this.tell(onReading.place, page.place);
      if (page.step === null) return page.read;
      this.requireGoing();
      const { capture, reading } = this;
      const before = capture.lastEventUtcMs;
      const { earliestUtcMs, behindUtcMs } = boundRows(reading, page.step);
      this.tell(
        onReading.rows,
        page.step,
        capture.append(page.step.rows, earliestUtcMs, behindUtcMs, reading.snapshot.nowUtcMs),
        before,
      );
      return page.read;
    } catch (error) {
      const end = explainEnd(place, error);
      if (end === null) throw error;
      if (end === 'nothing there') return end;
      // Another server may have taken its place: it has no such files.
      this.tell(onReading.lookBetween, await this.look());
      this.tell(onReading.place, noticeLoss(place));
      return 'again';
    }
  }

  private requireGoing(): void {
    if (this.reading.isHalted) throw new ConnectionError('cancelled', t('The window is being closed.'));
  }
}
