import assert from 'node:assert/strict';
import { describeProblems, readPolicy } from '../../src/core/advice/policy-text';
import { type Chance, createChance, pick } from '../core/errorlog/disturbed-log';
import { fuzzCases } from './cases';

const TEXTS = [
  'Sales',
  '',
  'a"b\\c',
  'é\u0000😀',
  '2026-12-31',
  '2026-02-30',
  '$schema',
  '__proto__',
  'x'.repeat(300),
];
const NUMBERS = [0, 60, 3600, 3601, -1, 0.5, 1e300, 20];
const NAMES =
  'targets exceptions server database reason expires targetSeconds mostMbToRedo $schema __proto__'.split(' ');
const PIECES = [
  ...'{}[],:"\\ \n',
  ...['\\u0061', 'null', 'true', '1e9', '//', '"database":'],
  ...['\uFEFF', '\ud800'],
];

function makeValue(chance: Chance, levels: number): unknown {
  const kind = chance();
  if (levels === 0 || kind < 0.2) return pick(chance, [...TEXTS, ...NUMBERS, null, true]);
  const many = Math.floor(chance() * 4);
  if (kind < 0.4) return Array.from({ length: many }, () => makeValue(chance, levels - 1));
  return Object.fromEntries(
    Array.from({ length: many }, () => [pick(chance, NAMES), makeValue(chance, levels - 1)]),
  );
}

/** A policy as people write it; now and then something else stands in a place. */
function makePolicy(chance: Chance): unknown {
  const or = <T>(value: T): unknown => (chance() < 0.05 ? makeValue(chance, 3) : value);
  const own = (): object => ({
    ...(chance() < 0.5 && { server: or(pick(chance, TEXTS)) }),
    database: or(pick(chance, TEXTS)),
  });
  const list = (make: () => object): unknown =>
    or(Array.from({ length: Math.floor(chance() * 4) }, () => or(make())));
  return or({
    ...(chance() < 0.9 && { targets: list(() => ({ ...own(), targetSeconds: or(pick(chance, NUMBERS)) })) }),
    ...(chance() < 0.9 && {
      exceptions: list(() => ({
        ...own(),
        reason: or(pick(chance, TEXTS)),
        expires: or(pick(chance, TEXTS)),
      })),
    }),
  });
}

function spoil(text: string, chance: Chance): string {
  let spoilt = text;
  for (let left = Math.floor(chance() * 3); left > 0; left--) {
    const at = Math.floor(chance() * (spoilt.length + 1));
    const to = at + Math.floor(chance() * 10);
    spoilt =
      spoilt.slice(0, at) +
      (chance() < 0.7 ? pick(chance, PIECES) : '') +
      spoilt.slice(chance() < 0.5 ? at : to);
  }
  return spoilt;
}

describe('policies of all kinds', () => {
  it(`are each read or told, and what was read is read again as the same: ${fuzzCases} of them`, () => {
    const chance = createChance(20260302);
    let whole = 0;
    for (let i = 0; i < fuzzCases; i++) {
      const text = spoil(JSON.stringify(makePolicy(chance)) ?? '', chance);
      const { policy, problems } = readPolicy(text);
      for (const sentence of describeProblems(problems)) assert.ok(sentence.length > 5, text);
      if (problems.length === 0) whole++;
      const again = readPolicy(
        JSON.stringify(policy, (_, value: unknown) => (value === null ? undefined : value)),
      );
      const readable = policy.exceptions.every(({ reason }) => /\S/.test(reason));
      assert.ok(readable, text);
      assert.deepEqual(again, { policy, problems: [] }, text);
    }
    assert.ok(whole > fuzzCases / 20, `${whole} without a problem`);
  });
});
