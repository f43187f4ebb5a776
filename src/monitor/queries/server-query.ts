import { isBrokenOff, readCaughtAnswers, writeCaughtReads, writeGatheredRead } from '../../core/script/caught-read';
import { addPrologue, countMostRows, declareParameters, joinReads, leaveOutComments, nameText } from '../../core/script/prologue';
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
  /** When it answered last, by the clock of this computer (null: never), and since when a query waits for an answer (null: it answers). */
  ...{ lastAnswerMs: null as number | null, silentSinceMs: null as number | null },
  /** Number of queries in a row that had no answer in time, and milliseconds that it was asked for in all. */
  ...{ unanswered: 0, spentMs: 0 },
  /** Queries of the last minute, oldest first. */
  recent: [] as readonly AskedQuery[],
};
type Answering = Readonly<typeof NEVER_ASKED>;

/** What each event makes of it. `end`: with an answer or without. */
const steps = {
  answer: (was: Answering, atMs: number): Answering => ({ ...was, lastAnswerMs: atMs, silentSinceMs: null, unanswered: 0 }),
  silence: (was: Answering, sinceMs: number): Answering => ({ ...was, silentSinceMs: was.silentSinceMs ?? sinceMs }),
  timeout: (was: Answering): Answering => ({ ...was, unanswered: was.unanswered + 1 }),
  end: (was: Answering, asked: AskedQuery): Answering => ({ ...was, spentMs: was.spentMs + asked.tookMs, recent: [...was.recent, asked] }),
};

interface WaitingRead {
  readonly read: ParameterRead;
  readonly onNotice: ((number: number) => void) | undefined;
  readonly resolve: (answer: ResultSet) => void;
  readonly reject: (error: unknown) => void;
}

/** The one connection of a monitored server: opened for the first query, and again after it was lost, if its door allows that. */
export class ServerQuery {
  readonly door: ServerDoor;
  answering: Answering = NEVER_ASKED;
  /** Reads that will go in one text. */
  private readonly waiting: WaitingRead[] = [];
  /** Texts that were refused the last time. Together with others, they would have those refused too. */
  private readonly refused = new Set<string>();
  private connection: Connection | null = null;
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
  }

  /** Milliseconds from any begin, by a clock that nobody sets. */
  elapsedMs(): number {
    return this.breaker.world.elapsedMs();
  }

  /** Whether each query is a login, as far as is known. */
  get isLoginForEach(): boolean {
    return this.connection?.capabilities.session === false;
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

  /** Must be called when the user clicks, before any wait. */
  takeClick(): Click {
    return this.breaker.click();
  }

  /**
   * Runs one read and gives all its rows, or none. Reads that are asked for at the same moment go in one text, because each text costs the server a
   * query, and some hosts a login. @param onNotice is told the server's informational messages, where the host hands them on @throws ConnectionError
   */
  run(read: ReadText | ParameterRead, onNotice?: (number: number) => void): Promise<ResultSet> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ read: typeof read === 'string' ? { text: read, parameters: [] } : read, onNotice, resolve, reject });
      if (this.waiting.length === 1) queueMicrotask(() => void this.sendWaiting());
    });
  }

  private async sendWaiting(): Promise<void> {
    const reads = this.waiting.splice(0);
    const isAlone = ({ read }: WaitingRead): boolean => this.refused.has(read.text);
    const together = reads.filter((one) => !isAlone(one));
    for (const each of [together, ...reads.filter(isAlone).map((one) => [one])]) if (each.length > 0) await this.send(each);
  }

  /** Never fails: each read gets its own answer or error. If several were refused together, each is asked alone, to find which one it was. */
  private async send(reads: readonly WaitingRead[]): Promise<void> {
    const text = joinReads(reads.map((one) => one.read.text));
    try {
      const answers = await this.ask(text, (connection, options) => this.sendReads(connection, options, text, reads));
      for (const [at, { read, resolve, reject }] of reads.entries()) {
        const answer = answers[at];
        this.refused.delete(read.text);
        if (answer !== undefined) this.recorder?.note(read, answer);
        if (answer === undefined || answer instanceof ConnectionError) reject(answer ?? this.describeShape());
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

  /** @returns the answer to each @throws ConnectionError if all failed together */
  private async sendReads(
    connection: Connection,
    common: AskOptions,
    text: ReadText,
    reads: readonly WaitingRead[],
  ): Promise<readonly (ResultSet | ConnectionError)[]> {
    const { capabilities } = connection;
    const told = reads.flatMap(({ onNotice }) => onNotice ?? []);
    const options = told.length === 0 ? common : { ...common, onNotice: (number: number) => told.forEach((tell) => tell(number)) };
    const declared = reads.map(({ read }) => leaveOutComments(declareParameters(read)));
    if (!capabilities.errors)
      return this.unwrap(takeLast(await this.fetch(connection, addPrologue(text, writeCaughtReads(declared)), options)), declared);
    const parameters = reads.flatMap(({ read }) => read.parameters);
    const sets = capabilities.parameters
      ? await this.fetch(connection, addPrologue(text), parameters.length === 0 ? options : { ...options, parameters })
      : await this.fetch(connection, addPrologue(text, joinReads(declared)), options);
    return reads.length === 1 ? [takeLast(sets)] : sets;
  }

  /** Runs one read that gathers what a procedure answers and catches its errors itself. Its rows contain the error. @throws ConnectionError */
  async gather(text: ReadText): Promise<ResultSet> {
    const answer = await this.ask(text, (connection, options) =>
      connection.capabilities.errors ? this.fetchLast(text)(connection, options) : this.fetchGathered(connection, options, text),
    );
    this.recorder?.note({ text, parameters: [] }, answer);
    return answer;
  }

  /**
   * Runs one text about our own event session. It catches its errors itself and gives a row that says how it went. The user can cancel until it is
   * sent; from then on the work goes to its end, and looks at what it did. @throws ConnectionError
   */
  async change(text: OwnSessionText): Promise<ResultSet> {
    if (this.work.running.signal.aborted) throw new ConnectionError('cancelled', t('Cancelled before anything was changed.'));
    this.work = { ...this.work, running: new AbortController() };
    return this.ask(text, this.fetchLast(text), CHANGE_TIMEOUT_MS);
  }

  /** By a host that also gives the rows before a connection broke. */
  private async fetchGathered(connection: Connection, options: AskOptions, text: ReadText): Promise<ResultSet> {
    const gathered = writeGatheredRead(text);
    const sets = await this.fetch(connection, addPrologue(text, leaveOutComments(gathered.text)), options);
    const [answer] = this.unwrap(takeLast(sets), [gathered.select]);
    if (answer === undefined || answer instanceof ConnectionError) throw answer ?? this.describeShape();
    return answer;
  }

  private fetchLast(text: ReadText | OwnSessionText): Query<ResultSet> {
    return async (connection, options) => takeLast(await this.fetch(connection, addPrologue(text), options));
  }

  /** Notes when the server answers, and since when it does not. */
  private async ask<T>(text: ReadText | OwnSessionText, query: Query<T>, timeoutMs = QUERY_TIMEOUT_MS): Promise<T> {
    const { nowMs, schedule } = this.breaker.world;
    const askedMs = nowMs();
    const answered = { rows: 0, characters: 0 };
    const silence = schedule(SILENT_AFTER_MS, () => this.noteSilence(askedMs));
    try {
      const answer = await this.askOnce(query, { timeoutMs, answered });
      this.note(steps.answer(this.answering, nowMs()));
      return answer;
    } catch (error) {
      if (isAnswer(error)) this.note(steps.answer(this.answering, nowMs()));
      if (error instanceof ConnectionError && error.reason === 'timedOut') {
        this.noteSilence(askedMs);
        this.note(steps.timeout(this.answering));
        // If a product logs in for each query, it may be stuck with this connection itself.
        if (this.answering.unanswered > 1) await this.disconnect();
      }
      throw error;
    } finally {
      silence.dispose();
      const asked = { name: nameText(text) ?? 'another', atMs: askedMs, tookMs: nowMs() - askedMs, isLogin: this.isLoginForEach };
      this.note(steps.end({ ...this.answering, recent: this.lastMinute }, { ...asked, ...answered }));
    }
  }

  private async fetch(connection: Connection, text: ReadText | OwnSessionText, asked: AskOptions): Promise<readonly ResultSet[]> {
    const { answered, ...options } = asked;
    const mostRows = answered.rows + countMostRows(text);
    const before = answered.rows;
    const onRow = (row: readonly Cell[]): void => {
      for (const cell of row) answered.characters += cell?.length ?? 0;
      if (++answered.rows > mostRows || row.some((cell) => (cell?.length ?? 0) > LONGEST_CELL))
        throw explainTooMuch(this.access.label, connection.capabilities.session ? 'disconnected' : 'queryFailed');
    };
    const sets = await connection.query(text, { ...options, onRow });
    if (answered.rows === before) for (const { rows } of sets) rows.forEach(onRow);
    return sets;
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

  private async askOnce<T>(query: Query<T>, asked: Pick<AskOptions, 'timeoutMs' | 'answered'>): Promise<T> {
    const { signal } = this.work.running;
    const options = { ...asked, signal };
    // A product that logs in for each query would be refused twice: by the query, and by the connection that finds out why.
    if (this.connection?.capabilities.session === false && this.door.isAccountRefused) await this.disconnect();
    const connection = this.connection ?? (await this.open(signal));
    if (connection.capabilities.session) return this.sendBy(connection, query, options);
    return this.door.loginFor(signal, this.work.click, () => this.sendWithLogin(connection, query, options));
  }

  private async sendBy<T>(connection: Connection, query: Query<T>, options: AskOptions): Promise<T> {
    try {
      return await query(connection, options);
    } catch (error) {
      const lost = connection.capabilities.session ? lostInSession : lostWithLogin;
      if (!(error instanceof ConnectionError) || lost.includes(error.reason)) await this.disconnect();
      throw error;
    }
  }

  /**
   * A product that logs in for each query does not say whether the login was refused or the server is gone: opening the connection again tells. If it
   * opens, a read is sent once more. A change is not: it may have been made.
   */
  private async sendWithLogin<T>(
    connection: Connection,
    query: Query<T>,
    options: AskOptions & { readonly signal: AbortSignal },
  ): Promise<T> {
    try {
      return await this.sendBy(connection, query, options);
    } catch (error) {
      if (!(error instanceof ConnectionError) || error.reason !== 'disconnected') throw error;
      const again = await this.open(options.signal);
      if (options.timeoutMs === CHANGE_TIMEOUT_MS) throw error;
      return this.sendBy(again, query, options);
    }
  }

  private unwrap(set: ResultSet, texts: readonly ReadText[]): readonly (ResultSet | ConnectionError)[] {
    const answers = readCaughtAnswers(set, texts);
    if (isBrokenOff(set, texts))
      throw new ConnectionError(
        'disconnected',
        t('The answer of {0} broke off before its end. Nothing of it was used.', this.access.label),
      );
    if (answers === null) throw this.describeShape();
    return answers.map((answer) => (answer.error === null ? answer : explainRefusal(answer.error, this.access.label)));
  }

  private describeShape(): ConnectionError {
    return new ConnectionError('queryFailed', t('The answer of {0} does not have the expected form.', this.access.label));
  }

  /** A host that cannot be stopped may hand over a connection that nobody waits for any more. That one is closed. */
  private async open(signal: AbortSignal): Promise<Connection> {
    const connection = await this.door.open(signal, this.work.click);
    if (signal.aborted) {
      await connection.close();
      throw new ConnectionError('cancelled', t('Cancelled while connecting.'));
    }
    this.connection = connection;
    return connection;
  }

  /** Closes the connection; the next query opens another. */
  async disconnect(): Promise<void> {
    const connection = this.connection;
    this.connection = null;
    await connection?.close();
  }

  /** Does one piece of work at a time. Aborting the signal ends its query, also on the server if the host can. @param click null: work in the background */
  async during<T>(signal: AbortSignal | undefined, click: Click, work: () => Promise<T>): Promise<T> {
    if (this.work.isOver || signal?.aborted === true) throw new ConnectionError('cancelled', t('Cancelled before it began.'));
    const running = new AbortController();
    const end = (): void => running.abort();
    this.work = { running, click, isOver: false };
    signal?.addEventListener('abort', end);
    try {
      return await work();
    } finally {
      this.work = { ...this.work, click: null };
      signal?.removeEventListener('abort', end);
    }
  }

  /** Ends what runs and closes for good. */
  async dispose(): Promise<void> {
    this.work = { ...this.work, isOver: true };
    this.work.running.abort();
    await this.disconnect();
  }
}

/** Whether the server itself said no. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof ConnectionError)) return false;
  return error.reason === 'queryFailed' || (error.reason === 'permissionDenied' && error.number !== null);
}

/** `answered`: what the answers hold so far. */
type AskOptions = QueryOptions & { readonly answered: { rows: number; characters: number } };
type Query<T> = (connection: Connection, options: AskOptions) => Promise<T>;

/** The connection is of no use after these. */
const lostInSession: readonly string[] = ['disconnected', 'timedOut', 'loginFailed'];
/** If each query is a login, a query without an answer says nothing of the connection; and opening another one may ask for a password again. */
const lostWithLogin: readonly string[] = ['disconnected', 'loginFailed'];

/** Our texts end with the SELECT that matters. */
function takeLast(sets: readonly ResultSet[]): ResultSet {
  const last = sets[sets.length - 1];
  if (last === undefined) throw new ConnectionError('queryFailed', t('The server answered without a result.'));
  return last;
}
