/**
 * The one place that decides about logging in again. Repeated refused logins lock accounts, so one refusal stops every login of that account, by polls,
 * samples, facts and evidence, on every server, until the user clicks or the password is another one. A server that cannot be reached is tried again after
 * a while, one whose certificate is not trusted never by itself. Nothing but a click lets a host ask the user anything.
 */
import { countOf } from '../../core/format';
import { ConnectionError, type Account, type Connection, type ServerAccess } from '../../hosts/host';
import { t } from '../../core/language';
import { type Timing, untilAborted } from './slices';

/** A click of the user, numbered in order with all refusals: a click allows no new try after a later refusal. null: work in the background. */
export type Click = number | null;

/** Why we do not log in to a server without a click just now. */
export interface Standing {
  /** `refused`: the login; `waiting`: for a click, because we would have to ask the user; `certificate`: not trusted; `unreachable`: tried again later. */
  readonly kind: 'refused' | 'certificate' | 'waiting' | 'unreachable';
  /** What happened, for the user. */
  readonly sentence: string;
  /** By the clock of this computer, in milliseconds of UTC. */
  readonly sinceMs: number;
  /** Milliseconds until it is tried again without a click; null: only after a click. */
  readonly retryInMs: number | null;
}

export interface BreakerWorld extends Timing {
  /** The clock of this computer, for what people read. */
  readonly nowMs: () => number;
}

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
/** A refusal comes at once. After this time the next login of the account may go, so a silent server delays no other for longer. */
const LONGEST_TURN_MS = 5_000;
/** Stands for the mark of a secret if the user was asked for one and gave none. */
const ASKED = 'asked';

/** The breaker's own answer in place of an attempt: nothing was sent. */
class HeldBack extends ConnectionError {}

function holdBack({ reason, message, number }: ConnectionError, said = message): HeldBack {
  return new HeldBack(reason, said, number);
}

interface Refusal {
  readonly kind: Exclude<Standing['kind'], 'unreachable'>;
  readonly order: number;
  readonly sinceMs: number;
  readonly error: ConnectionError;
  /** The server that refused, as the user named it. */
  readonly server: string;
}

/** What is known of one account by one way of connecting, on all servers. */
interface AccountState {
  readonly account: Account;
  logins: number;
  refused: number;
  /** By the mark of the secret that was refused. Another secret may still be good. */
  readonly refusals: Map<string, Refusal>;
  turn: Promise<void>;
}

export class LoginBreaker {
  private readonly accounts = new Map<string, AccountState>();
  private order = 0;
  private questions: Promise<unknown> = Promise.resolve();

  constructor(readonly world: BreakerWorld) {}

  click(): number {
    return ++this.order;
  }

  account(account: Account): AccountState {
    const known = this.accounts.get(account.key);
    if (known !== undefined) return known;
    const state: AccountState = { account, logins: 0, refused: 0, refusals: new Map(), turn: Promise.resolve() };
    this.accounts.set(account.key, state);
    return state;
  }

  /** Questions to the user go one at a time: two at once would replace each other. */
  askInTurn<T>(ask: () => Promise<T>): Promise<T> {
    const asked = this.questions.then(ask);
    this.questions = asked.catch(() => undefined);
    return asked;
  }

  /** Every account that logged in since the window was opened, one a line, for the diagnostics. Contains no secret. */
  describe(): readonly string[] {
    return [...this.accounts.values()].map(({ account, logins, refused, refusals }) => {
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
  /** What we are asking the user, as a part of a sentence; more to know follows in lines below. null: nothing. */
  waitsFor: string | null = null;
  private stop: Refusal | null = null;
  /** The refusal of another server of the same account that held this one back. */
  private heldBy: Refusal | null = null;
  private lost: { readonly error: ConnectionError; readonly sinceMs: number; readonly failures: number; readonly dueMs: number } | null =
    null;
  private readonly account: AccountState;
  private isInTurn = false;
  /** The failure that was counted last. It passes here twice, and is counted once. */
  private told: unknown = null;

  constructor(
    private readonly breaker: LoginBreaker,
    private readonly access: ServerAccess,
    /** `standing` or `waitsFor` has changed. */
    private readonly changed: () => void,
  ) {
    this.account = breaker.account(access.account);
  }

  get standing(): Standing | null {
    const { stop, lost } = this;
    if (stop !== null) return { kind: stop.kind, sentence: stop.error.message, sinceMs: stop.sinceMs, retryInMs: null };
    const held = this.findHolder();
    if (held !== null)
      return { kind: held.kind, sentence: describeHeld(held, this.account.account), sinceMs: held.sinceMs, retryInMs: null };
    if (lost === null) return null;
    return { kind: 'unreachable', sentence: lost.error.message, sinceMs: lost.sinceMs, retryInMs: this.retryInMs };
  }

  /** Whether the account was refused somewhere, and not let in since. */
  get isAccountRefused(): boolean {
    return this.account.refusals.size > 0;
  }

  /** Milliseconds until it may be tried again without a click; 0: now; null: only after a click. */
  get retryInMs(): number | null {
    if (this.stop !== null || this.findHolder() !== null) return null;
    return this.lost === null ? 0 : Math.max(0, this.lost.dueMs - this.breaker.world.elapsedMs());
  }

  /** Somebody wants to know now: a server that was not reached is due at once. */
  hurry(): void {
    if (this.lost !== null) this.lost = { ...this.lost, dueMs: this.breaker.world.elapsedMs() };
  }

  /** The user left this server: only a click opens it again. */
  hold(sentence: string): void {
    this.halt('waiting', new ConnectionError('needsClick', sentence));
  }

  /** @throws ConnectionError; if nothing may be sent now, with the last error */
  async open(signal: AbortSignal, click: Click): Promise<Connection> {
    this.require(click);
    if (!this.isInTurn) this.told = null;
    let mark = '';
    let isSent = false;
    const turn = new Turn(this.breaker.world, this.account);
    try {
      const connection = await this.access.open({
        signal,
        mayAsk: click !== null,
        check: (secret = '') => this.requireAccount(click, secret),
        turn: async (secret = '') => {
          mark = secret;
          if (!this.isInTurn) await turn.take(signal);
          this.requireAccount(click, secret);
          this.account.logins++;
          isSent = true;
        },
        askUser: (what, ask) => this.askUser(what, ask, click, signal),
      });
      // A connection that was open already says nothing about the account.
      if (isSent) this.succeed(mark);
      return connection;
    } catch (error) {
      this.fail(error, mark, click);
      throw error;
    } finally {
      turn.end();
    }
  }

  /**
   * Runs one query of a product that logs in for each query: in the turn of its account, and not at all if the account was refused. The work may open
   * the connection again, which tells a refused login from a server that is gone.
   */
  async loginFor<T>(signal: AbortSignal, click: Click, work: () => Promise<T>): Promise<T> {
    this.require(click);
    this.requireAccount(click, '');
    this.told = null;
    const turn = new Turn(this.breaker.world, this.account);
    try {
      await turn.take(signal);
      this.isInTurn = true;
      this.require(click);
      this.requireAccount(click, '');
      this.account.logins++;
      const answer = await work();
      this.succeed('');
      return answer;
    } catch (error) {
      const reason = error instanceof ConnectionError ? error.reason : null;
      if (reason === 'loginFailed' || reason === 'unreachable') this.fail(error, '', click);
      // If nothing answered, no login was sent.
      if (reason === 'unreachable' && !(error instanceof HeldBack)) this.account.logins--;
      throw error;
    } finally {
      this.isInTurn = false;
      turn.end();
    }
  }

  private async askUser<T>(what: string, ask: () => Promise<T>, click: Click, signal: AbortSignal): Promise<T> {
    if (click === null)
      throw new ConnectionError(
        'needsClick',
        t('The connection to {0} is waiting for {1}.', this.access.label, what.split('\n', 1)[0] ?? ''),
      );
    this.setWaiting(what);
    try {
      return await this.breaker.askInTurn(async () => {
        if (signal.aborted) throw new ConnectionError('cancelled', t('The work on {0} was cancelled.', this.access.label));
        this.requireAccount(click, ASKED);
        try {
          return await ask();
        } catch (error) {
          // Noted before the next question, which may be about the same account.
          if (error instanceof ConnectionError) this.fail(error, '', click);
          throw error;
        }
      });
    } finally {
      this.setWaiting(null);
    }
  }

  private setWaiting(what: string | null): void {
    this.waitsFor = what;
    this.changed();
  }

  private require(click: Click): void {
    const { stop, lost } = this;
    if (stop !== null && (click === null || stop.order > click)) throw holdBack(stop.error);
    if (lost !== null && click === null && this.breaker.world.elapsedMs() < lost.dueMs) throw holdBack(lost.error);
  }

  private requireAccount(click: Click, mark: string): void {
    const refusal = this.account.refusals.get(mark);
    if (refusal === undefined || (click !== null && click > refusal.order)) return;
    const isNews = this.heldBy !== refusal;
    this.heldBy = refusal;
    if (isNews) this.changed();
    throw holdBack(refusal.error, describeHeld(refusal, this.account.account));
  }

  private findHolder(): Refusal | null {
    const { heldBy } = this;
    return heldBy !== null && [...this.account.refusals.values()].includes(heldBy) ? heldBy : null;
  }

  /** The account is good. A refusal by another server still holds there. */
  private succeed(mark: string): void {
    const wasGood = this.standing === null;
    this.account.refusals.delete(mark);
    this.account.refusals.delete(ASKED);
    this.stop = this.heldBy = this.lost = null;
    if (!wasGood) this.changed();
  }

  private fail(error: unknown, mark: string, click: Click): void {
    if (error instanceof HeldBack || error === this.told) return;
    this.told = error;
    const failure = error instanceof ConnectionError ? error : new ConnectionError('unreachable', String(error));
    switch (failure.reason) {
      case 'cancelled':
        return;
      case 'loginFailed':
        this.account.refused++;
        return this.refuse('refused', failure, mark);
      case 'promptClosed':
        return this.refuse('waiting', failure, ASKED);
      case 'needsClick':
      case 'permissionDenied':
        this.halt('waiting', failure);
        return;
      case 'untrustedCertificate':
        this.halt('certificate', failure);
        return;
      default:
        return this.lose(failure, click);
    }
  }

  private refuse(kind: Refusal['kind'], error: ConnectionError, mark: string): void {
    this.account.refusals.set(mark, this.halt(kind, error));
  }

  private halt(kind: Refusal['kind'], error: ConnectionError): Refusal {
    const { world } = this.breaker;
    const refusal: Refusal = { kind, order: this.breaker.click(), sinceMs: world.nowMs(), error, server: this.access.label };
    this.stop = refusal;
    this.lost = null;
    this.changed();
    return refusal;
  }

  private lose(error: ConnectionError, click: Click): void {
    const { elapsedMs, nowMs } = this.breaker.world;
    // Repeated clicks do not make the pauses longer.
    const failures = click === null ? (this.lost?.failures ?? 0) + 1 : 1;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    this.lost = { error, failures, sinceMs: this.lost?.sinceMs ?? nowMs(), dueMs: elapsedMs() + pauseMs };
    this.stop = null;
    this.changed();
  }
}

/** The turn of one login of an account: the next login goes when this one has its answer, or has waited too long for it. */
class Turn {
  private finish: () => void = () => undefined;
  private timer: { dispose(): void } | null = null;
  private isTaken = false;

  constructor(
    private readonly world: BreakerWorld,
    private readonly account: AccountState,
  ) {}

  /** @throws ConnectionError `cancelled` */
  async take(signal: AbortSignal): Promise<void> {
    // Azure sends a login on to another address: that belongs to the same turn.
    if (this.isTaken) return;
    this.isTaken = true;
    const before = this.account.turn;
    const mine = new Promise<void>((resolve) => (this.finish = resolve));
    this.account.turn = before.then(() => mine);
    await untilAborted(before, signal, undefined);
    if (signal.aborted) throw new ConnectionError('cancelled', t('Cancelled while waiting for another login.'));
    this.timer = this.world.schedule(LONGEST_TURN_MS, () => this.end());
  }

  end(): void {
    this.timer?.dispose();
    this.finish();
  }
}

function describeHeld({ kind, server, error }: Refusal, { shown }: Account): string {
  if (kind === 'waiting') return t('Not asked again for {0}: {1}', shown, error.message);
  return t('Not logged in, because {0} refused {1}: {2}', server, shown, error.message);
}
