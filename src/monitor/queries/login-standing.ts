/** What is known of logging in to one server, and what each event makes of it and of its account. Values only. */
import { ConnectionError, type Account, type ConnectionFailure } from '../../hosts/host';
import { t } from '../../core/language';

/**
 * A click of the user, numbered in order with all refusals: a click allows no new try after a later refusal. null: work
 * in the background.
 */
export type Click = number | null;

/** Why we do not log in to a server without a click just now. */
export interface Standing {
  /**
   * `refused`: the login; `waiting`: for a click, because we would have to ask the user; `certificate`: not trusted;
   * `unreachable`: tried again later; `gone`: the product by which we connect cannot help.
   */
  readonly kind: 'refused' | 'certificate' | 'waiting' | 'unreachable' | 'gone';
  /** What happened, for the user. */
  readonly sentence: string;
  /** By the clock of this computer, in milliseconds of UTC. */
  readonly sinceMs: number;
  /** Milliseconds until it is tried again without a click; null: only after a click. */
  readonly retryInMs: number | null;
}

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
/** Stands for the mark of a secret if the user was asked for one and gave none. */
export const ASKED = 'asked';

/** Our own answer in place of an attempt: nothing was sent. */
export class HeldBack extends ConnectionError {
  constructor({ reason, message, number }: ConnectionError, said = message) {
    super(reason, said, number);
  }
}

interface Refusal {
  readonly kind: Exclude<Standing['kind'], 'unreachable' | 'gone'>;
  readonly order: number;
  readonly sinceMs: number;
  readonly error: ConnectionError;
  /** The server that refused, as the user named it. */
  readonly server: string;
}

/** What is known of one account by one way of connecting, on all servers. */
export interface AccountState {
  readonly account: Account;
  readonly logins: number;
  readonly refused: number;
  /** By the mark of the secret that was refused. Another secret may still be good. */
  readonly refusals: ReadonlyMap<string, Refusal>;
}

/** What is known of a server that was not tried yet. */
export const UNTRIED = {
  /** What we are asking the user, as a part of a sentence; more to know follows in lines below. null: nothing. */
  waitsFor: null as string | null,
  stop: null as Refusal | null,
  /** The refusal of another server of the same account that held this one back. */
  heldBy: null as Refusal | null,
  lost: null as {
    readonly error: ConnectionError;
    readonly sinceMs: number;
    readonly failures: number;
    readonly dueMs: number;
  } | null,
  /** A query that is a login has the turn of its account. */
  isInTurn: false,
  /** The failure that was counted last. It passes twice, and is counted once. */
  counted: null as unknown,
};
export type DoorState = Readonly<typeof UNTRIED>;

/** What is known of the server and of its account, at the moment. */
export interface DoorNow {
  readonly door: DoorState;
  readonly account: AccountState;
  /** As the user named it. */
  readonly server: string;
  /** By the clock of this computer, and by one that is never set. */
  readonly nowMs: number;
  readonly elapsedMs: number;
}

/** `isNews`: how the server stands, or what it waits for, has changed. */
export interface LoginChange {
  readonly door?: Partial<DoorState>;
  readonly account?: Partial<AccountState>;
  readonly isNews?: boolean;
}

/**
 * How a server stands after a failure, until a click. If it holds on all servers of the account: under which mark.
 * After any other it was not reached.
 */
const stops: Partial<
  Record<ConnectionFailure, { readonly kind: Refusal['kind']; readonly markOf?: (secret: string) => string }>
> = {
  loginFailed: { kind: 'refused', markOf: (secret) => secret },
  promptClosed: { kind: 'waiting', markOf: () => ASKED },
  needsClick: { kind: 'waiting' },
  permissionDenied: { kind: 'waiting' },
  untrustedCertificate: { kind: 'certificate' },
};

export const onLogin = {
  begin: (): LoginChange => ({ door: { counted: null } }),
  turn: (_: DoorNow, isInTurn: boolean): LoginChange => ({ door: { isInTurn } }),
  ask: (_: DoorNow, waitsFor: string | null): LoginChange => ({ door: { waitsFor }, isNews: true }),
  login: ({ account }: DoorNow): LoginChange => ({ account: { logins: account.logins + 1 } }),
  /** Nothing answered, so no login was sent. */
  unsent: ({ account }: DoorNow): LoginChange => ({ account: { logins: account.logins - 1 } }),
  /** The account is good. A refusal by another server still holds there. */
  success: (now: DoorNow, secret: string): LoginChange => {
    const refusals = new Map([...now.account.refusals].filter(([mark]) => mark !== secret && mark !== ASKED));
    return {
      door: { stop: null, heldBy: null, lost: null },
      account: { refusals },
      isNews: describeStanding(now) !== null,
    };
  },
  failure: (now: DoorNow, error: unknown, secret: string, click: Click, order: number): LoginChange => {
    const { door, account, elapsedMs, nowMs, server } = now;
    if (error instanceof HeldBack || error === door.counted) return {};
    const failure =
      error instanceof ConnectionError ? error : new ConnectionError('unreachable', String(error));
    const stopped = stops[failure.reason];
    if (failure.reason === 'cancelled') return { door: { counted: error } };
    if (stopped === undefined) {
      // Repeated clicks do not make the pauses longer.
      const failures = click === null ? (door.lost?.failures ?? 0) + 1 : 1;
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
      const dueMs = failure.reason === 'hostGone' ? Infinity : elapsedMs + pauseMs;
      const lost = { error: failure, failures, sinceMs: door.lost?.sinceMs ?? nowMs, dueMs };
      return { door: { counted: error, lost, stop: null }, isNews: true };
    }
    const { kind, markOf } = stopped;
    const stop = { kind, order, sinceMs: nowMs, error: failure, server };
    const refusals =
      markOf === undefined ? account.refusals : new Map([...account.refusals, [markOf(secret), stop]]);
    const refused = account.refused + (kind === 'refused' ? 1 : 0);
    return { door: { counted: error, stop, lost: null }, account: { refusals, refused }, isNews: true };
  },
  /** A refusal on another server holds this one back. */
  hold: ({ door }: DoorNow, heldBy: Refusal): LoginChange => ({
    door: { heldBy },
    isNews: door.heldBy !== heldBy,
  }),
  /** A person wants to know now: a server that was not reached is due at once. */
  hurry: ({ door: { lost }, elapsedMs }: DoorNow): LoginChange => ({
    door: { lost: lost && { ...lost, dueMs: elapsedMs } },
  }),
};

/** How the server stands; null: it may be asked. */
export function describeStanding(now: DoorNow): Standing | null {
  const { stop, lost } = now.door;
  const refusal = stop ?? findHolder(now);
  const sentence =
    stop !== null || refusal === null
      ? (refusal ?? lost)?.error.message
      : describeHeld(refusal, now.account.account);
  if (refusal !== null)
    return { kind: refusal.kind, sentence: sentence ?? '', sinceMs: refusal.sinceMs, retryInMs: null };
  return (
    lost && {
      kind: lost.error.reason === 'hostGone' ? 'gone' : 'unreachable',
      sentence: sentence ?? '',
      sinceMs: lost.sinceMs,
      retryInMs: findRetry(now),
    }
  );
}

/** Milliseconds until it may be tried again without a click; 0: now; null: only after a click. */
export function findRetry(now: DoorNow): number | null {
  const { stop, lost } = now.door;
  if (stop !== null || findHolder(now) !== null) return null;
  if (lost?.dueMs === Infinity) return null;
  return lost === null ? 0 : Math.max(0, lost.dueMs - now.elapsedMs);
}

/** Why nothing may be sent to this server now; null: it may. */
export function findHindrance({ door: { stop, lost }, elapsedMs }: DoorNow, click: Click): HeldBack | null {
  if (stop !== null && (click === null || stop.order > click)) return new HeldBack(stop.error);
  return lost !== null && click === null && elapsedMs < lost.dueMs ? new HeldBack(lost.error) : null;
}

/** The refusal of the account for which this secret may not be sent now; null: it may. */
export function findRefusal({ account }: DoorNow, click: Click, secret: string): Refusal | null {
  const refusal = account.refusals.get(secret);
  return refusal === undefined || (click !== null && click > refusal.order) ? null : refusal;
}

export function describeHeld({ kind, server, error }: Refusal, { shown }: Account): string {
  if (kind === 'waiting') return t('Not asked again for {0}: {1}', shown, error.message);
  return t('Not logged in, because {0} refused {1}: {2}', server, shown, error.message);
}

function findHolder({ door: { heldBy }, account }: DoorNow): Refusal | null {
  return heldBy !== null && [...account.refusals.values()].includes(heldBy) ? heldBy : null;
}
