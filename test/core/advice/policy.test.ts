import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createExpectations,
  createRedoBounds,
  matchPattern,
  noPolicy,
  type Policy,
} from '../../../src/core/advice/policy';
import { forAll } from '../../for-all';

const nowUtcMs = Date.UTC(2026, 2, 2, 8);

describe('A pattern of a policy', () => {
  it('stands for names without regard to case, and nothing but * and ? is more than itself in it', () => {
    const names = ['SALES', 'Sales_Archive', '🧊', '[x]', 'x', ''];
    const fits = (pattern: string): readonly string[] => names.filter((name) => matchPattern(pattern, name));
    assert.deepEqual(
      [fits('sales'), fits('*_archive'), fits('[x]')],
      [['SALES'], ['Sales_Archive'], ['[x]']],
    );
    assert.deepEqual([fits('?'), fits('*'), fits('')], [['🧊', 'x'], names, ['']]);
  });

  it('answers as a regular expression would, for any pattern and name', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.'), maxLength: 8 });
    forAll(
      fc.tuple(letters, fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 })),
      ([pattern, name]) => {
        const expression = [...pattern]
          .map((one) => (one === '*' ? '.*' : one === '?' ? '.' : one === '.' ? '\\.' : one))
          .join('');
        assert.equal(matchPattern(pattern, name), new RegExp(`^${expression}$`).test(name));
      },
    );
  });

  it('is answered at once, however many stars it has', () => {
    assert.ok(!matchPattern(`${'a*'.repeat(60)}b`, 'a'.repeat(128)));
  });
});

describe('A policy', () => {
  const policy: Policy = {
    targets: [
      { server: 'DEV-*', database: '*', targetSeconds: 0 },
      { server: null, database: 'Sales*', targetSeconds: 120 },
      { server: null, database: '*', targetSeconds: 60 },
    ],
    exceptions: [
      { server: null, database: 'Old', reason: 'first', expires: '2026-02-28' },
      { server: null, database: 'Old', reason: 'second', expires: '2026-03-01' },
      { server: null, database: 'Vendor*', reason: 'they forbid it', expires: '2026-03-02' },
      { server: 'PROD-1', database: 'Kept', reason: 'always', expires: null },
    ],
  };
  const expectOf = (database: string, server = 'PROD-1', atUtcMs = nowUtcMs) =>
    createExpectations(policy, server, atUtcMs)(database);

  it('wants the target of the first that fits', () => {
    assert.deepEqual(expectOf('SalesEU'), { kind: 'target', targetSeconds: 120 });
    assert.deepEqual(expectOf('Other'), { kind: 'target', targetSeconds: 60 });
    assert.deepEqual(expectOf('SalesEU', 'dev-3'), { kind: 'target', targetSeconds: 0 });
    assert.deepEqual(createExpectations(noPolicy.policy, 'PROD-1', nowUtcMs)('x'), { kind: 'none' });
  });

  it('holds an exception to the end of its last day, UTC, and says when it ran out', () => {
    const last = Date.UTC(2026, 2, 2, 23, 59, 59, 999);
    assert.deepEqual(expectOf('Vendor1', 'X', last), {
      kind: 'exception',
      reason: 'they forbid it',
      expires: '2026-03-02',
    });
    assert.deepEqual(expectOf('Vendor1', 'X', last + 1), {
      kind: 'expired',
      reason: 'they forbid it',
      expires: '2026-03-02',
      targetSeconds: 60,
    });
  });

  it('names the exception that held longest, where all ran out', () => {
    assert.deepEqual(expectOf('old'), {
      kind: 'expired',
      reason: 'second',
      expires: '2026-03-01',
      targetSeconds: 60,
    });
  });

  it('holds an exception without an end, on its server alone', () => {
    assert.deepEqual(expectOf('Kept'), { kind: 'exception', reason: 'always', expires: null });
    assert.deepEqual(expectOf('Kept', 'PROD-2'), { kind: 'target', targetSeconds: 60 });
  });
});

describe('The most log that a restart may have to redo', () => {
  const policy: Policy = {
    targets: [
      { server: 'DEV-*', database: '*', targetSeconds: 60, mostMbToRedo: 9000 },
      { server: null, database: 'Pay*', targetSeconds: 60, mostMbToRedo: 200 },
      { server: null, database: 'Sales', targetSeconds: 30 },
      { server: null, database: 'S*', targetSeconds: 60, mostMbToRedo: 500 },
    ],
    exceptions: [{ server: null, database: 'Payroll', reason: 'the vendor forbids it', expires: null }],
  };

  it('is that of the first target that fits and names one, whatever else it wants', () => {
    const boundOf = createRedoBounds(policy, 'PROD-1');
    assert.deepEqual(['payments', 'SALES', 'Stock', 'Other'].map(boundOf), [200, 500, 500, null]);
    assert.equal(createRedoBounds(policy, 'dev-2')('Other'), 9000);
  });

  it('holds of a database that is left alone, too: a restart does not know of the exception', () => {
    assert.equal(createRedoBounds(policy, 'PROD-1')('Payroll'), 200);
  });

  it('is none without a policy', () => {
    assert.equal(createRedoBounds(noPolicy.policy, 'PROD-1')('Payroll'), null);
  });
});
