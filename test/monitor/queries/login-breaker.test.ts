import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type Connection,
  ConnectionError,
  type ConnectionFailure,
  type Opening,
} from '../../../src/hosts/host';
import { LoginBreaker, ServerDoor } from '../../../src/monitor/queries/login-breaker';
import type { Click } from '../../../src/monitor/queries/login-standing';
import { VirtualTime } from '../virtual-time';

const NEVER = new AbortController().signal;
const connection = {} as Connection;
const fail = (reason: ConnectionFailure): Promise<never> =>
  Promise.reject(new ConnectionError(reason, `${reason}!`));

describe('The one place that decides about logging in again', () => {
  let time: VirtualTime;
  let breaker: LoginBreaker;
  /** Logins that were sent, by server. */
  let sent: string[];
  /** What each server answers a login with. */
  let answers: Record<string, () => Promise<Connection>>;

  beforeEach(() => {
    time = new VirtualTime();
    breaker = new LoginBreaker(time.world);
    sent = [];
    answers = {};
  });

  function door(
    id: string,
    how: (opening: Opening) => Promise<unknown> = ({ turn }) => turn(),
    account = 'dba',
    changed: () => void = () => undefined,
  ): ServerDoor {
    const open = async (opening: Opening): Promise<Connection> => {
      await how(opening);
      sent.push(id);
      return (answers[id] ?? (() => Promise.resolve(connection)))();
    };
    return new ServerDoor(
      breaker,
      { id, label: id, account: { key: account, shown: `login ${account}` }, open },
      changed,
    );
  }

  /** One whose logins fail. */
  const failing = (reason: ConnectionFailure): ServerDoor => {
    answers['a'] = () => fail(reason);
    return door('a');
  };

  const open = (at: ServerDoor, click: Click = null): Promise<string> =>
    at.open(NEVER, click).then(
      () => 'open',
      (error: ConnectionError) => error.reason,
    );

  it('sends nothing after a refusal without a later click, whatever happens, and says of each server why it is not asked', async () => {
    const step = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      by: fc.constantFrom('background', 'early click', 'click'),
      failure: fc.constantFrom(
        'loginFailed' as const,
        'untrustedCertificate' as const,
        'unreachable' as const,
        'cancelled' as const,
        null,
      ),
      secret: fc.constantFrom('old', 'new'),
      waitMs: fc.constantFrom(0, 4_999, 300_000),
    });
    const trial = async (
      steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
    ): Promise<void> => {
      [time, breaker, sent] = [new VirtualTime(), new LoginBreaker(time.world), []];
      const early = breaker.click();
      let given = '';
      const doors = new Map(['a', 'b', 'c'].map((id) => [id, door(id, ({ turn }) => turn(given))]));
      // The secrets that were refused and not accepted since; and the servers that wait for a click.
      const [refused, stopped] = [new Set<string>(), new Set<string>()];
      for (const { id, by, failure, secret, waitMs } of steps) {
        await time.pass(waitMs);
        const at = doors.get(id) ?? assert.fail();
        [given, sent, answers] = [secret, [], failure === null ? {} : { [id]: () => fail(failure) }];
        await open(at, by === 'background' ? null : by === 'click' ? breaker.click() : early);
        if (by === 'click') assert.deepEqual(sent, [id], 'a click tries once');
        else if (sent.length > 0)
          assert.ok(!refused.has(secret) && !stopped.has(id), 'only a later click may');
        else assert.ok(at.standing !== null);
        if (sent.length === 0 || failure === 'cancelled') continue;
        if (failure === null) assert.equal(at.standing, null);
        if (failure === null) refused.delete(secret);
        if (failure === 'loginFailed') refused.add(secret);
        if (failure === null || failure === 'unreachable') stopped.delete(id);
        else stopped.add(id);
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 15 }), trial), {
      numRuns: 200,
      seed: 18456,
    });
  });

  it('stops every login of an account, on every server, with the first one that is refused', async () => {
    const [a, b, other] = [failing('loginFailed'), door('b'), door('c', undefined, 'ann')];
    assert.equal(await open(a), 'loginFailed');
    await time.pass(3_600_000);
    assert.deepEqual(
      [await open(a), await open(b), await open(other)],
      ['loginFailed', 'loginFailed', 'open'],
    );
    assert.deepEqual(sent, ['a', 'c']);
    assert.deepEqual(
      [a.standing?.kind, b.standing?.kind, b.standing?.retryInMs],
      ['refused', 'refused', null],
    );
    assert.equal(b.standing?.sentence, 'Not logged in, because a refused login dba: loginFailed!');
  });

  it('sends one login at a time, so that of many at once only one is refused', async () => {
    const doors = ['a', 'b', 'c', 'd'].map((id) => door(id));
    answers = Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, () => fail('loginFailed')]));
    const clicks = doors.map(() => breaker.click());
    await Promise.all(doors.map((each, at) => open(each, clicks[at])));
    assert.deepEqual(sent, ['a']);
  });

  it('does not take a connection that was open already as proof that the account is good', async () => {
    const [a, inUse] = [failing('loginFailed'), door('b', () => Promise.resolve())];
    await open(a);
    assert.equal(await open(inUse), 'open');
    assert.equal(await open(door('c')), 'loginFailed');
  });

  it('lets a changed password through, and holds back the one that was refused on all servers', async () => {
    let secret = 'old';
    const how = async ({ check, turn }: Opening): Promise<void> => {
      check(secret);
      await turn(secret);
    };
    const [a, b] = [door('a', how), door('b', how)];
    answers = { a: () => fail('loginFailed') };
    await open(a);
    assert.equal(await open(b), 'loginFailed');
    secret = 'new';
    assert.equal(await open(b), 'open');
    secret = 'old';
    assert.equal(await open(b), 'loginFailed');
    assert.deepEqual(sent, ['a', 'b']);
  });

  it('tries an unreachable server again after 5 s, then less and less often, up to every 5 min', async () => {
    const a = failing('unreachable');
    const pauses: (number | null)[] = [];
    for (let time_ = 0; time_ < 8; time_++) {
      await open(a);
      pauses.push(a.retryInMs);
      await time.pass((a.retryInMs ?? 0) - 1);
      assert.equal(await open(a), 'unreachable');
      await time.pass(1);
    }
    assert.deepEqual(pauses, [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
    assert.equal(sent.length, 8);
    answers = {};
    assert.equal(await open(a), 'open');
    assert.equal(a.retryInMs, 0);
  });

  it('tries it at once after a click, and the pauses are short again', async () => {
    const a = failing('unreachable');
    for (let again = 0; again < 4; again++) {
      await open(a);
      await time.pass(a.retryInMs ?? 0);
    }
    await open(a, breaker.click());
    assert.deepEqual([sent.length, a.retryInMs], [5, 5_000]);
  });

  it('asks the user nothing without a click: the server waits for one', async () => {
    const a = door('a', ({ askUser }) =>
      askUser('the password of dba on a', () => assert.fail('it was asked')),
    );
    assert.equal(await open(a), 'needsClick');
    assert.deepEqual(
      [a.standing?.kind, a.standing?.sentence],
      ['waiting', 'The connection to a is waiting for the password of dba on a.'],
    );
  });

  it('asks one question at a time, which only its own server says it waits for, and none of the others once the first was closed without an answer', async () => {
    const waiting: (() => void)[] = [];
    const ask = async ({ askUser }: Opening): Promise<void> => {
      const answer = (): Promise<undefined> =>
        new Promise((resolve) => waiting.push(() => resolve(undefined)));
      await askUser('the password', async () => {
        await answer();
        throw new ConnectionError('promptClosed', 'No password was given.');
      });
    };
    const doors = ['a', 'b', 'c'].map((id) => door(id, ask));
    const opening = Promise.all(doors.map((each) => open(each, breaker.click())));
    await time.pass(0);
    assert.deepEqual(
      [waiting.length, doors.map(({ waitsFor }) => waitsFor)],
      [1, ['the password', null, null]],
    );
    waiting[0]?.();
    assert.deepEqual(await opening, ['promptClosed', 'promptClosed', 'promptClosed']);
    assert.deepEqual([waiting.length, sent], [1, []]);
    for (const { waitsFor, standing } of doors)
      assert.deepEqual([waitsFor, standing?.kind], [null, 'waiting']);
  });

  it('tells that it waits for an answer, and that it waits no more', async () => {
    const told: (string | null)[] = [];
    const ask = ({ askUser }: Opening): Promise<unknown> =>
      askUser('the password', () => Promise.resolve('secret'));
    const asking = door('a', ask, 'dba', () => told.push(asking.waitsFor));
    await open(asking, breaker.click());
    assert.deepEqual(told, ['the password', null]);
  });

  it('lets others of the account go if a server does not answer a login', async () => {
    answers = { silent: () => new Promise(() => undefined) };
    void open(door('silent'));
    const other = open(door('b'));
    await time.pass(4_999);
    assert.deepEqual(sent, ['silent']);
    await time.pass(1);
    assert.equal(await other, 'open');
  });

  it('tries an unreachable server at once if somebody wants to know now, without asking the user', async () => {
    const a = failing('unreachable');
    await open(a);
    await open(a);
    assert.equal(sent.length, 1);
    a.hurry();
    await open(a);
    assert.equal(sent.length, 2);
    const asking = door('b', ({ askUser }) => askUser('the password of dba on b', () => fail('loginFailed')));
    asking.hurry();
    assert.equal(await open(asking), 'needsClick');
  });

  it('counts the logins of every account, for the diagnostics', async () => {
    const a = door('a');
    await open(a);
    answers = { a: () => fail('loginFailed') };
    await open(a);
    assert.match(
      breaker.describe().join('\n'),
      /^login dba: 2 logins sent, 1 refused, stopped by a since 2026-03-02T08:00:00/,
    );
  });
});
