import assert from 'node:assert/strict';
import {
  isText,
  NO_FIELD,
  packText,
  readActivity,
  readDatabase,
  readTime,
  skipCdata,
  skipText,
  takeRow,
} from '../../../src/core/events/event-fields';
import { EventRegister } from '../../../src/core/events/event-register';
import { GUID } from './event-rows';

const register = new EventRegister();

/** The position behind the field that begins at the third character of the row. */
function readAt2(text: string, read: (from: number, register: EventRegister) => number): number {
  takeRow(`->${text}<-`);
  return read(2, register);
}

describe('the fields of an event row', () => {
  it('are times on every day of two centuries', () => {
    for (let utcMs = Date.UTC(2000, 0, 1, 23, 59, 59, 999); utcMs < Date.UTC(2200, 0, 1); utcMs += 86_400_000) {
      assert.equal(readAt2(new Date(utcMs).toISOString(), readTime), 26);
      assert.equal(register.atUtcMs, utcMs);
    }
  });

  it('are no times where there is none, or it is written in another way, the same minute read before or not', () => {
    const wrong = ['2016-02-30T03:30:14.023Z', '2015-02-29T03:30:14.023Z', '2016-13-09T03:30:14.023Z', '2016-07-09T24:30:14.023Z'];
    wrong.push('2016-07-09T03:60:14.023Z', '2016-07-09T03:30:60.023Z', '1999-12-31T23:59:59.999Z', '2200-01-01T00:00:00.000Z');
    wrong.push('2016-07-09T03:30:14Z', '2016-07-09T03:30:14.0231234Z', '2016-07-09 03:30:14.023Z', '2016-07-09T03:30:14.02éZ', '');
    for (const text of wrong) {
      assert.equal(readAt2(text, readTime), NO_FIELD, text);
      assert.equal(readAt2('2016-07-09T03:30:14.023Z', readTime), 26);
      assert.equal(readAt2(text, readTime), NO_FIELD, text);
    }
  });

  it('are database ids of one to nine digits, not 0', () => {
    for (let digits = 1; digits <= 9; digits++) {
      assert.equal(readAt2('987654321'.slice(0, digits), readDatabase), 2 + digits);
      assert.equal(register.databaseId, Number('987654321'.slice(0, digits)));
    }
    assert.equal(readAt2('9876543210', readDatabase), 11, 'the tenth digit is left, and no fixed text');
    assert.deepEqual(
      ['', '0', '000', '-1', ' 5', 'five'].map((text) => readAt2(text, readDatabase)),
      Array.from({ length: 6 }, () => NO_FIELD),
    );
  });

  it('are GUIDs of every digit and letter, in either case, with a number of one to fifteen digits', () => {
    for (const guid of [
      '01234567-89AB-CDEF-0123-456789ABCDEF',
      'fedcba98-7654-3210-fedc-ba9876543210',
      'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    ])
      for (let digits = 1; digits <= 15; digits++) {
        const number = '987654321012345'.slice(0, digits);
        assert.equal(readAt2(`${guid}-${number}`, readActivity), 39 + digits);
        assert.deepEqual(register.get().activity, { guid: guid.toUpperCase(), sequence: Number(number) });
      }
  });

  it('are no activities where a character is another, whether that GUID was read before or not', () => {
    const whole = `${GUID}-7`;
    for (let at = 0; at < whole.length; at++) {
      const other = `${whole.slice(0, at)}${whole[at] === '-' ? '0' : 'g'}${whole.slice(at + 1)}`;
      assert.equal(readAt2(other, readActivity), NO_FIELD, other);
      assert.equal(readAt2(whole, readActivity), 40);
      assert.equal(readAt2(other, readActivity), NO_FIELD, other);
    }
  });

  it('are text up to the next tag, without markup, and CDATA up to its end', () => {
    takeRow('a\0é<b>c&lt;<d>]]>]]]>');
    assert.equal(skipText(0, 21), 3);
    assert.equal(skipText(3, 21), 3);
    assert.equal(skipText(4, 21), NO_FIELD, 'a ">" comes first');
    assert.equal(skipText(6, 21), NO_FIELD, 'an entity comes first');
    assert.equal(skipText(0, 3), 3);
    assert.equal(skipText(0, 2), NO_FIELD, 'the row ends');
    assert.equal(skipCdata(0, 21), 14);
    assert.equal(skipCdata(15, 21), 18);
    assert.equal(skipCdata(0, 14), NO_FIELD, 'the row ends');
  });

  it('are compared with a text in all its characters, of any length from eight', () => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz~\x01';
    for (let length = 8; length <= alphabet.length; length++) {
      takeRow(alphabet);
      const text = packText(0, length);
      assert.ok(text !== null && isText(0, length, text));
      for (let at = 0; at < length; at++) {
        for (const other of ['\0', '\x7f', 'é', 'A']) {
          takeRow(alphabet.slice(0, at) + other + alphabet.slice(at + 1));
          assert.equal(isText(0, length, text), false, `${length} ${at}`);
        }
      }
    }
  });

  it('are no texts to compare with below eight characters, with a NUL, or beyond ASCII', () => {
    takeRow('1234567890');
    assert.equal(packText(0, 7), null);
    for (const other of ['\0', '\x80', 'é', '\ud800']) {
      takeRow(`1234${other}67890`);
      assert.equal(packText(0, 10), null);
    }
  });
});
