/**
 * What is known of a server and of the reading of its facts, and what each event makes of it: what is told, and when it
 * is read again. Values only.
 */
import type { Facts } from '../core/advice/facts';
import type { Standing } from './queries/login-standing';
import { spaceOut } from './queries/observer-cost';

export type ConnectionState = 'not connected' | 'connecting' | 'connected' | 'failed';

/** What is known of a server that was not asked anything yet. */
export const NOT_ASKED = {
  connection: 'not connected' as ConnectionState,
  /** One sentence that says what to do; null if nothing failed. */
  failure: null as string | null,
  /** null until the first read succeeded. If a later read fails, the last known facts stay. */
  facts: null as Facts | null,
  /** It was asked if something is tracked. */
  isTakenUp: false,
  isReading: false,
  isOver: false,
  /** Milliseconds that the server took for the facts. */
  factsCostMs: 0,
  /** When they came, by this computer's clock. */
  answeredMs: -Infinity,
};
export type ServerLife = Readonly<typeof NOT_ASKED>;

/** The same, with what it rests on at the moment. */
export interface ServerNow extends ServerLife {
  readonly standing: Standing | null;
  /** See ServerDoor. */
  readonly retryInMs: number | null;
  readonly refreshIntervalMs: number;
}

/**
 * The effects of an event. A number: milliseconds until the next reading; `wait`: none is planned. `tell`: what is on
 * the screen has changed.
 */
type LifeEffect = number | 'wait' | 'tell';
export type LifeChange = readonly [Partial<ServerLife>, ...LifeEffect[]];

/** The next reading, unless only a click may ask the server. @param delayMs if the server may be asked */
const plan = ({ retryInMs, isOver }: ServerNow, delayMs: number): LifeEffect =>
  retryInMs === null || isOver ? 'wait' : retryInMs === 0 ? delayMs : retryInMs;
const usual = (now: ServerNow): LifeEffect => plan(now, spaceOut(now.refreshIntervalMs, now.factsCostMs));

export const onServer = {
  begin: ({ connection }: ServerNow, isForClick: boolean): LifeChange => {
    // While a try runs in the background, the last failure stays on screen.
    const isShown = connection === 'not connected' || (connection === 'failed' && isForClick);
    return isShown
      ? [{ isReading: true, connection: 'connecting', failure: null }, 'wait', 'tell']
      : [{ isReading: true }, 'wait'];
  },
  answer: (
    _: ServerNow,
    news: Partial<Pick<ServerLife, 'factsCostMs' | 'answeredMs' | 'facts' | 'isTakenUp'>>,
  ): LifeChange => [news],
  /** Another server answers: whether something is tracked there is to be asked. */
  leave: (): LifeChange => [{ isTakenUp: false }],
  connect: (): LifeChange => [{ connection: 'connected', failure: null }, 'tell'],
  /** Soon after the first reading comes another: two looks at the waits tell how busy the checkpoint task is. */
  end: (now: ServerNow, isFirst: boolean): LifeChange => [
    { isReading: false },
    plan(now, spaceOut(now.refreshIntervalMs / (isFirst ? 2 : 1), now.factsCostMs)),
  ],
  /** A poll saw another target recovery time: they are read as soon as that costs the server no more than it may. */
  change: (now: ServerNow, elapsedMs: number): LifeChange => [
    {},
    plan(now, Math.max(0, spaceOut(0, now.factsCostMs) - (elapsedMs - now.answeredMs))),
  ],
  /** The user gave up: the server has not failed. */
  cancel: (now: ServerNow): LifeChange => [{ isReading: false }, usual(now)],
  failure: (now: ServerNow, failure: string): LifeChange => {
    const again = now.facts !== null || now.standing !== null ? [usual(now)] : [];
    return [{ isReading: false, connection: 'failed', failure }, 'tell', ...again];
  },
  /**
   * The state of the login changed, whether a poll, a sample or evidence found out. It is shown at once, and read again
   * once the server answers.
   */
  standing: (now: ServerNow): LifeChange => {
    const wasAsked = now.connection === 'connected' || now.connection === 'failed';
    const news: Partial<ServerLife> =
      now.standing !== null && wasAsked ? { connection: 'failed', failure: now.standing.sentence } : {};
    const isFailed = (news.connection ?? now.connection) === 'failed';
    return [news, 'tell', ...(isFailed && !now.isReading ? [plan(now, 0)] : [])];
  },
  /** The user disconnected it. */
  hold: (): LifeChange => [{}, 'wait'],
  close: (): LifeChange => [{ isOver: true }, 'wait'],
};
