import type { Host } from './host';

/**
 * Tests that build on each other: after one has failed, the others of the suite are not run. Mocha's own bail would
 * leave out the suites behind it too.
 */
export function stopAtFailure(suite: Mocha.Suite): void {
  let hasFailed = false;
  suite.afterEach(function () {
    hasFailed ||= this.currentTest?.isFailed() === true;
  });
  suite.beforeEach(function () {
    if (hasFailed) this.skip();
  });
}

/** Of a test that fails there is a picture, and what the editor told its user; in the end the editor is ended, and searched for what it left behind. */
export function lookAfter(suite: Mocha.Suite, short: string, host: () => Host | undefined): void {
  suite.afterEach(async function () {
    if (!this.currentTest?.isFailed()) return;
    await host()?.screenshot(`failed-${short}-${this.currentTest.title.replace(/\W+/g, '-').slice(0, 60)}`);
    const told = await host()?.page.locator('.notification-list-item-message').allTextContents();
    console.log(`Notifications: ${told?.join(' | ') ?? 'no editor'}`);
  });
  suite.afterAll(() => host()?.dispose());
}
