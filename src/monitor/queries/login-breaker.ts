/**
 * The one place that decides about logging in again. Repeated refused logins lock accounts, so one refusal stops every
 * login of that account, by polls, samples, facts and evidence, on every server, until the user clicks or the password
 * is another one. A server that cannot be reached is tried again after a while, one whose certificate is not trusted
 * never by itself. Nothing but a click lets a host ask the user anything.
 */
import { countOf } from '../../core/format';
import { ConnectionError, type Account, type Connection, type ServerAccess } from '../../hosts/host';
import { t } from '../../core/language';
import {
  type AccountState,
  ASKED,
  type LoginChange,
  type Click,
  describeHeld,
  describeStanding,
  type DoorNow,
  type DoorState,
  findHindrance,
  findRefusal,
  findRetry,
  HeldBack,
  onLogin,
  type Standing,
  UNTRIED,
} from './login-standing';
import { type Timing, untilAborted } from './slices';
import { WorkQueue } from './work-queue';

export interface BreakerWorld extends Timing {
  /** The clock of this computer, for what people read. */
  readonly nowMs: () => number;
}

/**
 * A refusal comes at once. After this time the next login of the account may go, so a silent server delays no other for
 * longer.
 */
const LONGEST_TURN_MS = 5_000;

/** `turns`: logins of one account go one at a time. */
interface KnownAccount {
  readonly state: AccountState;
  readonly turns: WorkQueue;
}

export class LoginBreaker {
  private readonly accounts = new Map<string, KnownAccount>();
  /** Questions to the user go one at a time: two at once would replace each other. */
  readonly questions = new WorkQueue();
  private order = 0;

  constructor(readonly world: BreakerWorld) {}

  /** Must be called when the user clicks, before any wait. */
  click(): number {
    return ++this.order;
  }

  account(account: Account): KnownAccount {
    const untried = {
      state: { account, logins: 0, refused: 0, refusals: new Map() },
      turns: new WorkQueue(),
    };
    const known = this.accounts.get(account.key) ?? untried;
    this.accounts.set(account.key, known);
    return known;
  }

  note(account: Account, news: Partial<AccountState>): void {
    const { state, turns } = this.account(account);
    this.accounts.set(account.key, { state: { ...state, ...news }, turns });
  }

  /** Every account that logged in since the window was opened, one a line, for the diagnostics. Contains no secret. */
  describe(): readonly string[] {
    return [...this.accounts.values()].map(({ state: { account, logins, refused, refusals } }) => {
      const stopped = [...refusals.values()].map(({ server, sinceMs }) =>
        t('stopped by {0} since {1}', server, new Date(sinceMs).toISOString()),
      );
      const sent = countOf(logins, t('{0} login sent'), t('{0} logins sent'));
      return `${account.shown}: ${[sent, t('{0} refused', refused), ...stopped].join(', ')}`;
    });
  }
}

/** The door of one server: every login to it goes through here, and every query of a product that logs in for each. */
export class ServerDoor {
  private door: DoorState = UNTRIED;
  private readonly account: Account;

  constructor(
    private readonly breaker: LoginBreaker,
    private readonly access: ServerAccess,
    /** `standing` or `waitsFor` has changed. */
    private readonly changed: () => void,
  ) {
    this.account = breaker.account(access.account).state.account;
  }

  get now(): DoorNow {
    const { world } = this.breaker;
    const account = this.breaker.account(this.account).state;
    return {
      door: this.door,
      account,
      server: this.access.label,
      nowMs: world.nowMs(),
      elapsedMs: world.elapsedMs(),
    };
  }

  get waitsFor(): string | null {
    return this.door.waitsFor;
  }

  get standing(): Standing | null {
    return describeStanding(this.now);
  }

  get retryInMs(): number | null {
    return findRetry(this.now);
  }

  hurry(): void {
    this.tell(onLogin.hurry);
  }

  /** The user left this server: only a click opens it again. */
  hold(sentence: string): void {
    this.tell(onLogin.failure, new ConnectionError('needsClick', sentence), '', null, this.breaker.click());
  }

  /** Something happens: the one place where that changes anything. */
  private tell<Rest extends readonly unknown[]>(
    event: (now: DoorNow, ...rest: Rest) => LoginChange,
    ...rest: Rest
  ): void {
    const { door, account, isNews = false } = event(this.now, ...rest);
    this.door = { ...this.door, ...door };
    if (account !== undefined) this.breaker.note(this.account, account);
    if (isNews) this.changed();
  }

  /** @throws ConnectionError; if nothing may be sent now, with the last error */
  async open(signal: AbortSignal, click: Click): Promise<Connection> {
    this.require(click);
    if (!this.door.isInTurn) this.tell(onLogin.begin);
    let mark = '';
    let isSent = false;
    const turn = new Turn(this.breaker, this.account);
    try {
      const connection = await this.access.open({
        signal,
        mayAsk: click !== null,
        check: (secret = '') => this.requireAccount(click, secret),
        turn: async (secret = '') => {
          mark = secret;
          if (!this.door.isInTurn) await turn.take(signal);
          this.requireAccount(click, secret);
          this.tell(onLogin.login);
          isSent = true;
        },
        askUser: (what, ask) => this.askUser(what, ask, click, signal),
      });
      // A connection that was open already says nothing about the account.
      if (isSent) this.tell(onLogin.success, mark);
      return connection;
    } catch (error) {
      this.tell(onLogin.failure, error, mark, click, this.breaker.click());
      throw error;
    } finally {
      turn.end();
    }
  }

  /**
   * Runs one query of a product that logs in for each query: in the turn of its account, and not at all if the account
   * was refused. The work may open the connection again, which tells a refused login from a server that is gone.
   */
  async loginFor<T>(signal: AbortSignal, click: Click, work: () => Promise<T>): Promise<T> {
    this.require(click, '');
    this.tell(onLogin.begin);
    const turn = new Turn(this.breaker, this.account);
    try {
      await turn.take(signal);
      this.tell(onLogin.turn, true);
      this.require(click, '');
      this.tell(onLogin.login);
      const answer = await work();
      this.tell(onLogin.success, '');
      return answer;
    } catch (error) {
      const reason = error instanceof ConnectionError ? error.reason : null;
      if (reason === 'loginFailed' || reason === 'unreachable')
        this.tell(onLogin.failure, error, '', click, this.breaker.click());
      if (reason === 'unreachable' && !(error instanceof HeldBack)) this.tell(onLogin.unsent);
      throw error;
    } finally {
      this.tell(onLogin.turn, false);
      turn.end();
    }
  }

  private async askUser<T>(
    what: string,
    ask: () => Promise<T>,
    click: Click,
    signal: AbortSignal,
  ): Promise<T> {
    if (click === null)
      throw new ConnectionError(
        'needsClick',
        t('The connection to {0} is waiting for {1}.', this.access.label, what.split('\n', 1)[0] ?? ''),
      );
    try {
      return await this.breaker.questions.add(async () => {
        if (signal.aborted)
          throw new ConnectionError('cancelled', t('The work on {0} was cancelled.', this.access.label));
        this.requireAccount(click, ASKED);
        // Not earlier: a box may name nothing, and only one row is to say what it is for.
        this.tell(onLogin.ask, what);
        try {
          return await ask();
        } catch (error) {
          // Noted before the next question, which may be about the same account.
          if (error instanceof ConnectionError)
            this.tell(onLogin.failure, error, '', click, this.breaker.click());
          throw error;
        }
      }, false);
    } finally {
      this.tell(onLogin.ask, null);
    }
  }

  /** @param secret the mark of the one that would be sent; null: it is not known yet */
  private require(click: Click, secret: string | null = null): void {
    const hindrance = findHindrance(this.now, click);
    if (hindrance !== null) throw hindrance;
    if (secret !== null) this.requireAccount(click, secret);
  }

  private requireAccount(click: Click, secret: string): void {
    const refusal = findRefusal(this.now, click, secret);
    if (refusal === null) return;
    this.tell(onLogin.hold, refusal);
    throw new HeldBack(refusal.error, describeHeld(refusal, this.account));
  }
}

/** The turn of one login of an account: the next login goes when this one has its answer, or waited too long for it. */
class Turn {
  private readonly over = new AbortController();
  private isTaken = false;

  constructor(
    private readonly breaker: LoginBreaker,
    private readonly account: Account,
  ) {}

  /** @throws ConnectionError `cancelled` */
  async take(signal: AbortSignal): Promise<void> {
    // Azure sends a login on to another address: that belongs to the same turn.
    if (this.isTaken) return;
    this.isTaken = true;
    const begun = new Promise<void>(
      (begin) => void this.breaker.account(this.account).turns.add(() => this.hold(begin), false),
    );
    await untilAborted(begun, signal, undefined);
    if (signal.aborted)
      throw new ConnectionError('cancelled', t('Cancelled while waiting for another login.'));
  }

  private async hold(begin: () => void): Promise<void> {
    begin();
    const patience = this.breaker.world.schedule(LONGEST_TURN_MS, () => this.end());
    await untilAborted(new Promise<void>(() => undefined), this.over.signal, undefined);
    patience.dispose();
  }

  end(): void {
    this.over.abort();
  }
}
