import assert from 'node:assert/strict';
import {
  findHold,
  nameAttempt,
  NO_ATTEMPTS,
  noteAttempt,
  type Attempts,
} from '../../cli/src/collect/attempts';
import { Credentials } from '../../cli/src/servers/credentials';
import { createDirectAccess } from '../../src/hosts/direct/access';
import { ConnectionError, type OwnServer } from '../../src/hosts/host';

const HOUR_MS = 3_600_000;
const BEGIN_MS = Date.UTC(2026, 0, 1);
const OWN: OwnServer = {
  id: 'cli:S',
  name: 'S',
  server: 'S',
  user: 'dba',
  encrypt: 'mandatory',
  trustServerCertificate: false,
};
const calm = { logInAgain: false, tryAll: false };

describe('What a run remembers of a server that it could not read', () => {
  const attempt = {
    account: 'dba',
    atUtcMs: BEGIN_MS,
    reason: 'Could not reach it.',
    refusal: null,
  } as const;
  const refusal = (number: number) => new ConnectionError('loginFailed', 'It refused dba.', number);

  it('tries a server that is not reached again after 1, 2, 4, 8, 16 and then 24 hours', () => {
    let remembered: Attempts = NO_ATTEMPTS;
    let atUtcMs = BEGIN_MS;
    for (const hours of [1, 2, 4, 8, 16, 24, 24]) {
      remembered = noteAttempt(remembered, { ...attempt, atUtcMs, end: 'not reached' });
      assert.equal(
        findHold(remembered, 'dba', atUtcMs + (hours - 0.5) * HOUR_MS, calm)?.outcome,
        'held back',
      );
      atUtcMs += hours * HOUR_MS;
      assert.equal(
        findHold(remembered, 'dba', atUtcMs - 1_000, calm),
        null,
        'a run that begins a second early counts',
      );
    }
    assert.match(
      findHold(remembered, 'dba', atUtcMs - HOUR_MS, calm)!.reason,
      /^Not reached since 2026-01-01 00:00 UTC/,
    );
    assert.equal(findHold(remembered, 'dba', atUtcMs - HOUR_MS, { ...calm, tryAll: true }), null);
    assert.deepEqual(noteAttempt(remembered, { ...attempt, atUtcMs, end: 'let in' }), NO_ATTEMPTS);
  });

  it('does not send a refused login again by itself, however long ago that was', () => {
    const remembered = noteAttempt(NO_ATTEMPTS, { ...attempt, end: 'other', refusal: refusal(18456) });
    const held = findHold(remembered, 'dba', BEGIN_MS + 10_000 * HOUR_MS, { ...calm, tryAll: true });
    assert.equal(held?.outcome, 'login refused');
    assert.match(held.reason, /refused this login .*It refused dba\. collect --log-in-again retries it\./);
    assert.equal(findHold(remembered, 'dba', BEGIN_MS, { ...calm, logInAgain: true }), null);
    assert.equal(findHold(remembered, 'another', BEGIN_MS, calm), null, 'another login may still be good');
  });

  it('does not wait for a moment that a clock far ahead has set, and says of a refusal then that the clock was wrong', () => {
    const ahead = BEGIN_MS + 4 * 8_760 * HOUR_MS;
    let remembered: Attempts = NO_ATTEMPTS;
    for (let failures = 1; failures <= 7; failures++) {
      remembered = noteAttempt(remembered, { ...attempt, atUtcMs: ahead, end: 'not reached' });
      assert.equal(findHold(remembered, 'dba', BEGIN_MS, calm), null, `${failures} failures`);
    }
    const again = noteAttempt(remembered, { ...attempt, end: 'not reached' });
    assert.match(
      findHold(again, 'dba', BEGIN_MS + HOUR_MS, calm)!.reason,
      /^Not reached since 2026-01-01 00:00 UTC, so it is tried again after 2026-01-01 23:55/,
    );
    const refused = noteAttempt(NO_ATTEMPTS, {
      ...attempt,
      atUtcMs: ahead,
      end: 'other',
      refusal: refusal(18456),
    });
    assert.match(
      findHold(refused, 'dba', BEGIN_MS, calm)!.reason,
      /at 2029-12-31 00:00 UTC \(by a clock that was ahead\), so it is not sent again/,
    );
  });

  it('tries a login by token again when the token is another one, and a password only when told to', async () => {
    const named = async (authentication: 'sql' | 'entra', secret: string): Promise<string> => {
      const server: OwnServer = { ...OWN, authentication };
      const variable = authentication === 'sql' ? 'PASSWORD' : 'TOKEN';
      const credentials = new Credentials({ [`CHECKPOINT_HEALTH_${variable}`]: secret }, null);
      const access = createDirectAccess({ server, secrets: credentials.secretsOf(server) });
      return nameAttempt(access, { markSecret: () => credentials.markSecret(server) });
    };
    for (const [authentication, isHeld] of [
      ['sql', true],
      ['entra', false],
    ] as const) {
      const account = await named(authentication, 'old secret');
      const refused = { ...attempt, account, end: 'other', refusal: refusal(18456) } as const;
      const remembered = noteAttempt(NO_ATTEMPTS, refused);
      assert.doesNotMatch(JSON.stringify(remembered), /old secret/);
      assert.notEqual(findHold(remembered, await named(authentication, 'old secret'), BEGIN_MS, calm), null);
      const held = findHold(remembered, await named(authentication, 'new secret'), BEGIN_MS, calm);
      assert.equal(held !== null, isHeld, authentication);
    }
  });

  it('keeps a refusal while the server is not reached', () => {
    const refused = noteAttempt(NO_ATTEMPTS, { ...attempt, end: 'other', refusal: refusal(18456) });
    const lost = noteAttempt(refused, { ...attempt, end: 'not reached' });
    assert.deepEqual([lost.refusal, lost.lost?.failures], [refused.refusal, 1]);
  });

  it('tries again a server that was paused, starting or being upgraded', () => {
    for (const number of [17142, 18401, 18461])
      assert.deepEqual(
        noteAttempt(NO_ATTEMPTS, { ...attempt, end: 'other', refusal: refusal(number) }),
        NO_ATTEMPTS,
      );
  });

  it('does not write the state of a server again if it was let in as before', () => {
    const before = { refusal: null, lost: null };
    assert.equal(noteAttempt(before, { ...attempt, end: 'let in' }), before);
  });
});
