import {
  isBrokenOff,
  readCaughtAnswers,
  writeCaughtReads,
  writeGatheredRead,
} from '../../core/script/caught-read';
import {
  addPrologue,
  countMostRows,
  declareParameters,
  joinReads,
  leaveOutComments,
  nameText,
} from '../../core/script/prologue';
import type { OwnSessionText, ParameterRead, ReadText } from '../../core/script/text';
import {
  type Cell,
  type Connection,
  ConnectionError,
  explainTooMuch,
  LONGEST_CELL,
  type QueryOptions,
  type ResultSet,
  type ServerAccess,
} from '../../hosts/host';
import { type LoginBreaker, ServerDoor } from './login-breaker';
import type { Click } from './login-standing';
import { ServerLink } from './server-link';
import { explainRefusal } from './failure';
import type { AskedQuery } from './observer-cost';
import type { AnswerRecorder } from './recorded-answers';
import { t } from '../../core/language';

/** Milliseconds after which any one query of ours is given up. */
const QUERY_TIMEOUT_MS = 30_000;
/** The same for a change. If it broke off, its work would be half done, and no CATCH would run. */
const CHANGE_TIMEOUT_MS = 120_000;

/** Milliseconds without an answer after which a server is said to be silent. */
const SILENT_AFTER_MS = 5_000;

interface QueryListener {
  /** The standing of the server, or what it waits for, has changed. */
  readonly standingChanged: () => void;
  /** The server fell silent, or answers again. */
  readonly silenceChanged: () => void;
}

const MINUTE_MS = 60_000;

/** How a server answers that was never asked. */
const NEVER_ASKED = {
  /**
   * When it answered last, by the clock of this computer (null: never), and since when a query waits for an answer
   * (null: it answers).
   */
  lastAnswerMs: null as number | null,
  silentSinceMs: null as number | null,
  /** Number of queries in a row that had no answer in time, and milliseconds that it was asked for in all. */
  unanswered: 0,
  spentMs: 0,
  /** Queries of the last minute, oldest first. */
  recent: [] as readonly AskedQuery[],
};
type Answering = Readonly<typeof NEVER_ASKED>;

/** What each event makes of it. `end`: with an answer or without. */
const steps = {
  answer: (was: Answering, atMs: number): Answering => ({
    ...was,
    lastAnswerMs: atMs,
    silentSinceMs: null,
    unanswered: 0,
  }),
  silence: (was: Answering, sinceMs: number): Answering => ({
    ...was,
    silentSinceMs: was.silentSinceMs ?? sinceMs,
  }),
  timeout: (was: Answering): Answering => ({ ...was, unanswered: was.unanswered + 1 }),
  end: (was: Answering, asked: AskedQuery): Answering => ({
    ...was,
    spentMs: was.spentMs + asked.tookMs,
    recent: [...was.recent, asked],
  }),
};

interface WaitingRead {
  readonly read: ParameterRead;
  readonly onNotice: ((number: number) => void) | undefined;
  readonly resolve: (answer: ResultSet) => void;
  readonly reject: (error: unknown) => void;
}

/** Asks one server, and notes how it answers. Reads that are asked for at the same moment go in one text. */
export class ServerQuery {
  readonly door: ServerDoor;
  answering: Answering = NEVER_ASKED;
  /** Reads that will go in one text. */
  private readonly waiting: WaitingRead[] = [];
  /** Texts that were refused the last time. Together with others, they would have those refused too. */
  private readonly refused = new Set<string>();
  readonly link: ServerLink;
  /** What is being done now, and for which click. */
  private work = { running: new AbortController(), click: null as Click, isOver: false };

  constructor(
    private readonly access: ServerAccess,
    private readonly breaker: LoginBreaker,
    private readonly listener: QueryListener | null = null,
    /** Takes the answers while a capture is saved. */
    private readonly recorder: AnswerRecorder | null = null,
  ) {
    this.door = new ServerDoor(breaker, access, () => listener?.standingChanged());
    this.link = new ServerLink(this.door);
  }

  /** Milliseconds from any begin, by a clock that is never set. */
  elapsedMs(): number {
    return this.breaker.world.elapsedMs();
  }

  /** Whether the user waits for what is being done. */
  get isForClick(): boolean {
    return this.work.click !== null;
  }

  /** What the server was asked in the last minute, oldest first: what we cost it. */
  get lastMinute(): readonly AskedQuery[] {
    const sinceMs = this.breaker.world.nowMs() - MINUTE_MS;
    return this.answering.recent.filter(({ atMs }) => atMs > sinceMs);
  }

  /**
   * Runs one read and gives all its rows, or none. Reads that are asked for at the same moment go in one text, because
   * each text costs the server a query, and some hosts a login.
   * @param onNotice is told the server's informational messages, where the host hands them on
   * @throws ConnectionError
   */
  run(read: ReadText | ParameterRead, onNotice?: (number: number) => void): Promise<ResultSet> {
    return new Promise((resolve, reject) => {
      this.waiting.push({
        read: typeof read === 'string' ? { text: read, parameters: [] } : read,
        onNotice,
        resolve,
        reject,
      });
      if (this.waiting.length === 1) queueMicrotask(() => void this.sendWaiting());
    });
  }

  private async sendWaiting(): Promise<void> {
    const reads = this.waiting.splice(0);
    const isAlone = ({ read }: WaitingRead): boolean => this.refused.has(read.text);
    const together = reads.filter((one) => !isAlone(one));
    for (const each of [together, ...reads.filter(isAlone).map((one) => [one])])
      if (each.length > 0) await this.send(each);
  }

  /**
   * Never fails: each read gets its own answer or error. If several were refused together, each is asked alone, to find
   * which one it was.
   */
  private async send(reads: readonly WaitingRead[]): Promise<void> {
    const text = joinReads(reads.map((one) => one.read.text));
    try {
      const answers = await this.ask(text, (asked) => fetchReads(asked, text, reads));
      for (const [at, { read, resolve, reject }] of reads.entries()) {
        const answer = answers[at];
        this.refused.delete(read.text);
        if (answer !== undefined) this.recorder?.note(read, answer);
        if (answer === undefined || answer instanceof ConnectionError)
          reject(answer ?? describeShape(this.access));
        else resolve(answer);
      }
    } catch (error) {
      if (reads.length > 1 && isAnswer(error)) for (const one of reads) await this.send([one]);
      else
        for (const { read, reject } of reads) {
          if (isAnswer(error)) this.refused.add(read.text);
          if (error instanceof ConnectionError) this.recorder?.note(read, error);
          reject(error);
        }
    }
  }

  /**
   * Runs one read that gathers what a procedure answers and catches its errors itself. Its rows contain the error.
   * @throws ConnectionError
   */
  async gather(text: ReadText): Promise<ResultSet> {
    const answer = await this.ask(text, (asked) =>
      asked.connection.capabilities.errors ? fetchLast(asked, text) : fetchGathered(asked, text),
    );
    this.recorder?.note({ text, parameters: [] }, answer);
    return answer;
  }

  /**
   * Runs one text about our own event session. It catches its errors itself and gives a row that says how it went. The
   * user can cancel until it is sent; from then on the work goes to its end, and looks at what it did.
   * @throws ConnectionError
   */
  async change(text: OwnSessionText): Promise<ResultSet> {
    if (this.work.running.signal.aborted)
      throw new ConnectionError('cancelled', t('Cancelled before anything was changed.'));
    this.work = { ...this.work, running: new AbortController() };
    return this.ask(text, (asked) => fetchLast(asked, text), true);
  }

  /** Notes when the server answers, and since when it does not. */
  private async ask<T>(
    text: ReadText | OwnSessionText,
    fetch: (asked: Asked) => Promise<T>,
    isChange = false,
  ): Promise<T> {
    const { access, link } = this;
    const { click, running } = this.work;
    const { nowMs, elapsedMs, schedule } = this.breaker.world;
    const [askedMs, fromMs] = [nowMs(), elapsedMs()];
    const answered = { rows: 0, characters: 0 };
    const silence = schedule(SILENT_AFTER_MS, () => this.noteSilence(askedMs));
    try {
      const options = { timeoutMs: isChange ? CHANGE_TIMEOUT_MS : QUERY_TIMEOUT_MS, signal: running.signal };
      const query = (connection: Connection): Promise<T> => fetch({ connection, access, options, answered });
      const answer = await link.send({ query, signal: running.signal, click, isChange });
      this.note(steps.answer(this.answering, nowMs()));
      return answer;
    } catch (error) {
      if (isAnswer(error)) this.note(steps.answer(this.answering, nowMs()));
      if (error instanceof ConnectionError && error.reason === 'timedOut') {
        this.noteSilence(askedMs);
        this.note(steps.timeout(this.answering));
        // If a product logs in for each query, it may be stuck with this connection itself.
        if (this.answering.unanswered > 1) await this.link.close();
      }
      throw error;
    } finally {
      silence.dispose();
      const asked = {
        name: nameText(text) ?? 'another',
        atMs: askedMs,
        tookMs: elapsedMs() - fromMs,
        isLogin: link.isLoginForEach,
      };
      this.note(steps.end({ ...this.answering, recent: this.lastMinute }, { ...asked, ...answered }));
    }
  }

  private note(answering: Answering): void {
    const isChanged = (answering.silentSinceMs === null) !== (this.answering.silentSinceMs === null);
    this.answering = answering;
    if (isChanged) this.listener?.silenceChanged();
  }

  /** While the user is being asked something, the server is not. */
  private noteSilence(sinceMs: number): void {
    if (this.door.waitsFor === null) this.note(steps.silence(this.answering, sinceMs));
  }

  /**
   * Does one piece of work at a time, or one that another lets pass. Aborting the signal ends its query, also on the
   * server if the host can.
   * @param click null: in the background
   */
  async during<T>(signal: AbortSignal | undefined, click: Click, work: () => Promise<T>): Promise<T> {
    if (this.work.isOver || signal?.aborted === true)
      throw new ConnectionError('cancelled', t('Cancelled before it began.'));
    const before = this.work;
    const running = new AbortController();
    const end = (): void => running.abort();
    this.work = { running, click, isOver: false };
    signal?.addEventListener('abort', end);
    try {
      return await work();
    } finally {
      signal?.removeEventListener('abort', end);
      // The work that let this one pass goes on, unless all has ended meanwhile.
      if (this.work.isOver) before.running.abort();
      this.work = { ...before, isOver: this.work.isOver };
    }
  }

  /** Ends what runs and closes for good. */
  async dispose(): Promise<void> {
    this.work = { ...this.work, isOver: true };
    this.work.running.abort();
    await this.link.close();
  }
}

/** Whether the server itself said no. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof ConnectionError)) return false;
  return error.reason === 'queryFailed' || (error.reason === 'permissionDenied' && error.number !== null);
}

/** A query by a connection. `answered`: what the answers hold so far. */
interface Asked {
  readonly connection: Connection;
  readonly access: ServerAccess;
  readonly options: QueryOptions;
  readonly answered: { rows: number; characters: number };
}

async function fetch(
  { connection, access, options, answered }: Asked,
  text: ReadText | OwnSessionText,
  more: Partial<QueryOptions> = {},
): Promise<readonly ResultSet[]> {
  const before = answered.rows;
  const mostRows = before + countMostRows(text);
  const onRow = (row: readonly Cell[]): void => {
    for (const cell of row) answered.characters += cell?.length ?? 0;
    if (++answered.rows > mostRows || row.some((cell) => (cell?.length ?? 0) > LONGEST_CELL))
      throw explainTooMuch(access.label, connection.capabilities.session ? 'disconnected' : 'queryFailed');
  };
  const sets = await connection.query(text, { ...options, ...more, onRow });
  if (answered.rows === before) for (const { rows } of sets) rows.forEach(onRow);
  return sets;
}

/** Our texts end with the SELECT that matters. */
async function fetchLast(asked: Asked, text: ReadText | OwnSessionText): Promise<ResultSet> {
  return takeLast(await fetch(asked, addPrologue(text)));
}

/** By a host that also gives the rows before a connection broke. */
async function fetchGathered(asked: Asked, text: ReadText): Promise<ResultSet> {
  const gathered = writeGatheredRead(text);
  const sets = await fetch(asked, addPrologue(text, leaveOutComments(gathered.text)));
  const [answer] = unwrap(asked, takeLast(sets), [gathered.select]);
  if (answer === undefined || answer instanceof ConnectionError) throw answer ?? describeShape(asked.access);
  return answer;
}

/** @returns the answer to each @throws ConnectionError if all failed together */
async function fetchReads(
  asked: Asked,
  text: ReadText,
  reads: readonly WaitingRead[],
): Promise<readonly (ResultSet | ConnectionError)[]> {
  const { capabilities } = asked.connection;
  const told = reads.flatMap(({ onNotice }) => onNotice ?? []);
  const more =
    told.length === 0 ? {} : { onNotice: (number: number) => told.forEach((tell) => tell(number)) };
  const declared = reads.map(({ read }) => leaveOutComments(declareParameters(read)));
  if (!capabilities.errors)
    return unwrap(
      asked,
      takeLast(await fetch(asked, addPrologue(text, writeCaughtReads(declared)), more)),
      declared,
    );
  const parameters = reads.flatMap(({ read }) => read.parameters);
  const sets = capabilities.parameters
    ? await fetch(asked, addPrologue(text), parameters.length === 0 ? more : { ...more, parameters })
    : await fetch(asked, addPrologue(text, joinReads(declared)), more);
  return reads.length === 1 ? [takeLast(sets)] : sets;
}

function unwrap(
  { access }: Asked,
  set: ResultSet,
  texts: readonly ReadText[],
): readonly (ResultSet | ConnectionError)[] {
  const answers = readCaughtAnswers(set, texts);
  if (isBrokenOff(set, texts))
    throw new ConnectionError(
      'disconnected',
      t('The answer from {0} was cut off. None of it was used.', access.label),
    );
  if (answers === null) throw describeShape(access);
  return answers.map((answer) =>
    answer.error === null ? answer : explainRefusal(answer.error, access.label),
  );
}

function describeShape({ label }: ServerAccess): ConnectionError {
  return new ConnectionError('queryFailed', t('The answer from {0} does not have the expected form.', label));
}

function takeLast(sets: readonly ResultSet[]): ResultSet {
  const last = sets[sets.length - 1];
  if (last === undefined)
    throw new ConnectionError('queryFailed', t('The server answered without a result.'));
  return last;
}
