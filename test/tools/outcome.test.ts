import assert from 'node:assert/strict';
import { describeCheck, describeSkip, listNotRun, writeSummary } from '../../tools/checks/outcome';

describe('The summary of npm test', () => {
  const tests = {
    passed: 12,
    failed: ['a sum adds up'],
    skipped: ['a parser parses (could not run: no mono)', 'a time is local (not observable: its zone is UTC)'],
  };
  const stages = [
    ['types', describeCheck('types', true)],
    ['lint', describeCheck('lint', false)],
    ['pure', tests],
    ['e2e', describeSkip('e2e', 'no browser')],
  ] as const;
  const summary = writeSummary(stages, true);

  it('ends with a line that counts everything that ran', () => {
    assert.equal(summary.split('\n').at(-1), '13 passed, 2 failed, 3 skipped');
  });

  it('names what failed, and last of all what could not run', () => {
    assert.match(
      summary,
      /a sum adds up[^]*Not observable:\n.*a time is local.*\n\nCould not run, which is a failure where CI=true[^]*no mono[^]*e2e \(could not run: no browser\)/,
    );
  });

  it('does not hold against a check that there was nothing to observe', () => {
    assert.deepEqual(listNotRun(tests), ['a parser parses (could not run: no mono)']);
  });
});
