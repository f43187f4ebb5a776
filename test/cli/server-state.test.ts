import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeState, encodeState, type ServerState } from '../../cli/src/collect/server-state';

const row = { logDateLocal: '2026-03-02T08:00:00', processInfo: 'spid7s', text: 'x' };
const state: ServerState = {
  facts: { 'server version': { value: '16.0.1', missing: null }, 'trace flags': { value: null, missing: 'Denied.' } },
  answersUtcMs: 1_772_438_400_000,
  capture: null,
  attempts: {
    refusal: { account: 'a', sinceUtcMs: 1, sentence: 'No.' },
    lost: { failures: 2, sinceUtcMs: 1, dueUtcMs: 3, sentence: 'Gone.' },
  },
  log: {
    serverName: 'SQL07',
    readUtcMs: 1_772_438_400_000,
    cursor: { way: 'xp_readerrorlog', lastLocalMs: 1, sinceLocalMs: 0, offsetMinutes: null, recent: [row] },
    offsets: [{ localMs: 1, offsetMinutes: 60 }],
    waiting: [row],
  },
};

/** Each value of a JSON text, replaced one at a time. */
function* replaceEach(value: unknown, by: unknown): Generator<unknown> {
  yield by;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    for (const other of replaceEach(inner, by))
      yield Array.isArray(value) ? value.map((each: unknown, at) => (String(at) === key ? other : each)) : { ...value, [key]: other };
}

describe('How to go on with one server of a lake', () => {
  const write = (head: unknown): Uint8Array => Buffer.from(`${JSON.stringify(head)}\n`);

  it('is read as it was written, and as an earlier version wrote it', () => {
    assert.deepEqual(decodeState(encodeState(state)), state);
    const { facts, answersUtcMs } = state;
    const earlier = decodeState(write({ facts, answersUtcMs }));
    assert.deepEqual([earlier.attempts, earlier.log, earlier.capture], [{ refusal: null, lost: null }, null, null]);
  });

  it('is damaged, in one sentence, where a value has another shape', () => {
    const { facts, answersUtcMs, attempts, log } = state;
    const head = { facts, answersUtcMs, attempts, log };
    let damaged = 0;
    for (const other of [{ x: 1 }, [[]], true])
      for (const each of replaceEach(head, other)) {
        damaged++;
        // An object without any fact is as good as none, and more fields than known are a later version's.
        if (JSON.stringify(each).includes('"facts":[[]]')) continue;
        assert.throws(
          () => decodeState(write(each)),
          /^Error: The state of the server cannot be read: its first line is damaged\.$/,
          JSON.stringify(each),
        );
      }
    assert.ok(damaged > 80);
  });

  it('is a state or a sentence, whatever the bytes are', () => {
    const read = (bytes: Uint8Array): void => {
      try {
        decodeState(bytes);
      } catch (error) {
        assert.match(String(error), /^Error: The state of the server cannot be read: .+\.$/);
      }
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), read));
    const whole = encodeState(state);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => read(Uint8Array.from(whole, (each, i) => (i === at ? byte : each)))),
    );
  });
});
