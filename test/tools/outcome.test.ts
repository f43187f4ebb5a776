import assert from 'node:assert/strict';
import { describeCheck, describeSkip, writeSummary } from '../../tools/checks/outcome';

describe('The summary of npm test', () => {
  const tests = { passed: 12, failed: ['a sum adds up'], skipped: ['a parser parses (could not run: no mono)'] };

  it('ends with a line that counts everything that ran', () => {
    const stages = [
      ['types', describeCheck('types', true)],
      ['eslint', describeCheck('eslint', false)],
      ['pure', tests],
    ] as const;
    assert.equal(writeSummary(stages, false).split('\n').at(-1), '13 passed, 2 failed, 1 skipped');
  });

  it('names what failed, and last of all what could not run', () => {
    const summary = writeSummary(
      [
        ['pure', tests],
        ['e2e', describeSkip('e2e', 'no browser')],
      ],
      true,
    );
    const places = ['a sum adds up', 'Could not run, which is a failure where CI=true', 'no mono', 'e2e (could not run: no browser)'].map(
      (text) => summary.indexOf(text),
    );
    assert.ok(
      places.every((place, index) => place > (places[index - 1] ?? 0)),
      summary,
    );
  });
});
