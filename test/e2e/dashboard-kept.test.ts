import { describeKept } from './dashboard-kept';
import { type DashboardWorld, openWorld, trackAMorning, waitForAll } from './dashboard-world';

describe('What belongs to the reader of a dashboard, in the real editor', function () {
  this.timeout(300_000);
  let shared: DashboardWorld;

  before(async () => {
    shared = await openWorld();
    await trackAMorning(shared, () => Promise.resolve());
    await waitForAll(shared);
  });

  after(async () => {
    await shared?.host.dispose();
    await shared?.simulator.close();
  });

  afterEach(async function () {
    if (this.currentTest?.isFailed())
      await shared.host.screenshot(`failed-kept-${this.currentTest.title.replace(/\W+/g, '-').slice(0, 60)}`);
  });

  describeKept(() => shared);
});
