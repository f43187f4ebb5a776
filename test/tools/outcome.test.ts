import assert from 'node:assert/strict';
import { describeCheck, describeSkip, writeSummary } from '../../tools/checks/outcome';

describe('The summary of npm test', () => {
  const tests = { passed: 12, failed: ['a sum adds up'], skipped: ['a parser parses (could not run: no mono)'] };
  const stages = [
    ['types', describeCheck('types', true)],
    ['lint', describeCheck('lint', false)],
    ['pure', tests],
    ['e2e', describeSkip('e2e', 'no browser')],
  ] as const;
  const summary = writeSummary(stages, true);

  it('ends with a line that counts everything that ran', () => {
    assert.equal(summary.split('\n').at(-1), '13 passed, 2 failed, 2 skipped');
  });

  it('names what failed, and last of all what could not run', () => {
    assert.match(
      summary,
      /a sum adds up[^]*Could not run, which is a failure where CI=true[^]*no mono[^]*e2e \(could not run: no browser\)/,
    );
  });
});
