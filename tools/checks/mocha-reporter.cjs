'use strict';
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

/**
 * Prints what Mocha's spec reporter prints, and at the end writes the outcome to a file as JSON: {passed, failed,
 * skipped}.
 */
module.exports = class SpecAndOutcome extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const outcome = { passed: 0, failed: [], skipped: [] };
    runner.on('pass', () => outcome.passed++);
    runner.on('fail', (test) => outcome.failed.push(test.fullTitle()));
    runner.on('pending', (test) => outcome.skipped.push(test.fullTitle()));
    runner.once('end', () => writeFileSync(options.reporterOptions.outcome, JSON.stringify(outcome)));
  }
};
