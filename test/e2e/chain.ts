/** Tests that build on each other: after one has failed, the others of the suite are not run. Mocha's own bail would leave out the suites behind it too. */
export function stopAtFailure(suite: Mocha.Suite): void {
  let hasFailed = false;
  suite.afterEach(function () {
    hasFailed ||= this.currentTest?.isFailed() === true;
  });
  suite.beforeEach(function () {
    if (hasFailed) this.skip();
  });
}
