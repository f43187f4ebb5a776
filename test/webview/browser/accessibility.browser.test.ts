import assert from 'node:assert/strict';
import { findAccessibilityFaults } from '../accessibility';
import { FAKE_OBSTACLE, fakeIdle } from '../fake-capture';
import { describePages } from '../page';

/** Pages with everything on them: `test/pictures`. */
describePages('The dashboard in a browser, as axe sees it', (open) => {
  it('has no fault where there is nothing to show', async () => {
    const obstacle = { ...FAKE_OBSTACLE, grant: `GRANT X TO [${'reader'.repeat(20)}];` };
    const opened = await open({ messages: fakeIdle({ state: 'not tracking', obstacle }) });
    for (const name of ['Timeline', 'I/O']) {
      await opened.click(opened.tab(name));
      assert.deepEqual(await findAccessibilityFaults(opened), [], name);
    }
  });
});
