import { describeFigureExport } from './dashboard-exports';
import { describeKept } from './dashboard-kept';
import { type DashboardWorld, openWorld, trackAMorning, waitForAll } from './dashboard-world';

describe('The dashboard, in the real editor, not yet steady on a busy machine', function () {
  this.timeout(180_000);
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

  describeFigureExport(() => shared);
  describeKept(() => shared);
});
