import assert from 'node:assert/strict';
import { changeCertificate, openStreet, type Street } from './street';

const MINUTE_MS = 60_000;
/** Long enough for polls, samples and pages. */
const A_WHILE_MS = 6_000;

interface Trouble {
  readonly name: string;
  readonly bring: (street: Street) => void;
  readonly end: (street: Street) => void;
}

/** The server refuses everybody with this error, until it admits them again. */
const refused = (name: string, number: number, message: string): Trouble => ({
  name,
  bring: ({ simulator: { server } }) => void (server.refusal = { number, message }),
  end: ({ simulator: { server } }) => void (server.refusal = null),
});

const troubles: readonly Trouble[] = [
  {
    name: 'its password was changed',
    bring: ({ simulator: { server, administrator } }) =>
      server.changePassword(administrator.user, 'New-Secret-1'),
    end: (street) => void (street.password = 'New-Secret-1'),
  },
  refused('its login was disabled', 18470, "Login failed for user 'dba'. Reason: The account is disabled."),
  refused(
    'its login was locked',
    18486,
    "Login failed for user 'dba' because the account is currently locked out.",
  ),
  refused(
    'its database is gone',
    4060,
    'Cannot open database "Sales" requested by the login. The login failed.',
  ),
  refused('a trigger ends it', 17892, "Logon failed for login 'dba' due to trigger execution."),
];

/** Logins that the server was sent since: all, and those that it refused. */
function countLogins({ simulator }: Street): { readonly sent: number; readonly refused: number } {
  const { logins } = simulator.server.ledger;
  return { sent: logins.length, refused: logins.filter(({ error }) => error !== null).length };
}

/** Other products tell of a refusal in their own ways, which test/hosts holds; what is done then is the same. */
describe('The logins that a server is sent, of five servers with one account', () => {
  let street: Street;

  beforeEach(async () => (street = await openStreet()));
  afterEach(() => street.close());

  /** One click for all of them, as Refresh is. */
  const click = (): Promise<unknown> =>
    street.time.during(Promise.all(street.monitors.map((monitor) => monitor.refresh())));
  const states = (): readonly unknown[] =>
    street.monitors.map(({ snapshot }) => [snapshot.connection, snapshot.standing?.kind ?? null]);
  const all = (connection: string, kind: string | null): readonly unknown[] =>
    street.monitors.map(() => [connection, kind]);

  it('stop with the first one that is refused where the password is wrong from the beginning', async () => {
    street.password = 'wrong';
    await click();
    await street.time.pass(10 * MINUTE_MS);
    assert.deepEqual(countLogins(street), { sent: 1, refused: 1 });
    assert.deepEqual(states(), all('failed', 'refused'));
    street.password = street.simulator.administrator.password;
    await click();
    assert.deepEqual([states(), countLogins(street).refused], [all('connected', null), 1]);
  });

  it('are none while a server is followed, which is asked 15 times a minute', async () => {
    const [monitor] = street.monitors;
    assert.ok(monitor !== undefined);
    await street.time.during(monitor.startTracking(null));
    await street.time.pass(2 * MINUTE_MS);
    const { lastMinute, sessionBytes } = monitor.snapshot.cost;
    assert.ok(
      !lastMinute.some(({ isLogin }) => isLogin) && lastMinute.length <= 15,
      JSON.stringify(lastMinute),
    );
    assert.ok(lastMinute.length >= 7, 'it is followed');
    assert.ok(
      sessionBytes !== null && Math.abs(sessionBytes - 4_194_304) < 400_000,
      `MAX_MEMORY is 4 MB, the buffers are ${sessionBytes} bytes`,
    );
  });

  /**
   * Open and tracked, and all is well. An idle server is left to the same breaker
   * (test/monitor/queries/login-breaker.test.ts).
   */
  const begin = async (): Promise<void> => {
    await click();
    for (const monitor of street.monitors) await street.time.during(monitor.startTracking(null));
    await street.time.pass(A_WHILE_MS);
    assert.deepEqual(states(), all('connected', null));
  };

  for (const trouble of troubles)
    it(`stop while it is tracked and ${trouble.name}, until a click, which is one more try, and go on when it is mended`, async () => {
      await begin();
      trouble.bring(street);
      // Sessions outlive their login: whoever keeps one has to log in again when it is ended.
      await street.simulator.replicas[0].door.disconnect();
      await street.time.pass(20 * MINUTE_MS);
      assert.equal(countLogins(street).refused, 1);
      assert.deepEqual([states(), street.asked], [all('failed', 'refused'), 0]);
      await click();
      await street.time.pass(A_WHILE_MS);
      assert.equal(countLogins(street).refused, 2);

      trouble.end(street);
      await click();
      await street.time.pass(A_WHILE_MS);
      assert.deepEqual([states(), countLogins(street).refused], [all('connected', null), 2]);
      assert.ok(street.monitors.every(({ snapshot }) => snapshot.tracking.state === 'tracking'));
    });

  it('are none while it is tracked and its certificate is another one', async () => {
    await begin();
    await changeCertificate(street);
    const before = countLogins(street);
    await street.time.pass(10 * MINUTE_MS);
    assert.deepEqual([countLogins(street), states()], [before, all('failed', 'certificate')]);
  });

  it('are none while it is tracked and nothing listens, and begin again by themselves when it is back', async () => {
    const { door } = street.simulator.replicas[0];
    await begin();
    await door.stop();
    const before = countLogins(street);
    await street.time.pass(10 * MINUTE_MS);
    assert.deepEqual([countLogins(street), states()], [before, all('failed', 'unreachable')]);
    await door.start();
    await street.time.pass(MINUTE_MS / 2);
    assert.deepEqual([countLogins(street).refused, states()], [0, all('connected', null)]);
  });
});
