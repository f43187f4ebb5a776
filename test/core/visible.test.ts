import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasText, makeVisible, shorten } from '../../src/core/visible';
import { INVISIBLE_CHARACTERS, listInvisible } from './invisible-characters';
import { forAll } from '../for-all';

const name = (codePoint: number): string => `<U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}>`;

describe('A name as it is read', () => {
  it('has the code point in place of each character that cannot be seen or that turns what stands behind it', () => {
    for (const character of INVISIBLE_CHARACTERS)
      assert.equal(
        makeVisible(`a${character}b`),
        `a${name(character.codePointAt(0)!)}b`,
        JSON.stringify(character),
      );
    assert.equal(makeVisible('Sales\u202Egol.fdl'), 'Sales<U+202E>gol.fdl');
  });

  it('keeps names of all languages, signs and ordinary blanks as they are', () => {
    for (const plain of [
      ...[
        'Sales 2026',
        '  two blanks',
        'MÜNCHEN',
        'Café cre\u0301me',
        'Продажи',
        'a]b\'c"-- $(x)',
        '₿ ✓ – …',
      ],
      ...['売上データ', 'مبيعات', 'हिन्दी'],
    ])
      assert.equal(makeVisible(plain), plain);
  });

  it('keeps emoji as people write them: in colour, of any skin, of several pictures, keys and flags of two letters', () => {
    for (const emoji of ['🚀📦', '❤️', '👍🏽', '👩‍💻', '🏳️‍🌈', '👨‍👩‍👧‍👦', '🏃🏽‍♀️', '1️⃣', '🇩🇪'])
      assert.equal(makeVisible(`x${emoji}y`), `x${emoji}y`);
  });

  it('names joiners and selectors that belong to no emoji', () => {
    assert.equal(makeVisible('a\u200Db\uFE0Fc'), 'a<U+200D>b<U+FE0F>c');
    assert.equal(makeVisible('🚀\u200Dx'), '🚀<U+200D>x');
    assert.equal(makeVisible('❤\uFE0F\uFE0F'), '❤\uFE0F<U+FE0F>');
    assert.equal(makeVisible('🚀\u{E0041}'), '🚀<U+E0041>');
    assert.equal(makeVisible('می\u200Cخواهم'), 'می<U+200C>خواهم');
  });

  it('holds nothing that cannot be seen, whatever the name is, and is the same when it is read again', () => {
    const part = fc.oneof(
      fc.constantFrom(...INVISIBLE_CHARACTERS, '🚀', '👩', '🏽', '1', '\u20E3', 'a', ' '),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    forAll(fc.array(part, { maxLength: 12 }), (parts) => {
      const shown = makeVisible(parts.join(''));
      assert.deepEqual(listInvisible(shown), []);
      assert.equal(makeVisible(shown), shown);
    });
  });

  it('is another one for another name', () => {
    const names = ['Sales', ...INVISIBLE_CHARACTERS.map((character) => `Sales${character}`)].map(makeVisible);
    assert.equal(new Set(names).size, names.length);
  });

  it('cuts a long name in the middle, and no sign in half', () => {
    assert.equal(shorten('Sales_2026_eu', 13), 'Sales_2026_eu');
    assert.equal(shorten('Warehouse_Production_Europe_01', 11), 'Wareh…pe_01');
    assert.equal(shorten('😀😀😀😀', 3), '😀…😀');
    assert.equal(shorten('👩‍👩‍👧'.repeat(4) + 'é'.normalize('NFD').repeat(4), 3), `👩‍👩‍👧…${'é'.normalize('NFD')}`);
    assert.deepEqual(
      [1, 2].map((most) => shorten('Sales', most)),
      ['…', 'S…'],
    );
  });
});

describe('A filter', () => {
  it('finds a name by what it is and by what is shown of it, case aside', () => {
    for (const wanted of ['ales\u202e', 'sales<u+202e>', 'gol'])
      assert.ok(hasText('Sales\u202Egol', wanted), wanted);
    assert.ok(!hasText('Sales', '<u+'));
  });
});
