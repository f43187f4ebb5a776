import assert from 'node:assert/strict';
import { FAKE_GAP, fakeCheckpoints, fakeDatabases, fakeTracking } from '../fake-capture';
import { type OpenedPage, useBrowser } from '../page';

const focusedClass = ({ page }: OpenedPage): Promise<string> => page.evaluate(() => document.activeElement!.className);
const focusedText = ({ page }: OpenedPage): Promise<string | null> => page.evaluate(() => document.activeElement!.textContent);

describe('The focus on the dashboard in a browser', function () {
  this.timeout(60_000);
  const openPage = useBrowser();

  it('stays on the button of the details while events are read and figures change', async () => {
    const opened = await openPage();
    await opened.page.locator('tr[data-database-id="6"]').click();
    const review = opened.page.getByRole('button', { name: 'Review script for this database…' });
    await review.focus();
    const held = await review.elementHandle();
    const checkpoints = fakeCheckpoints(45, FAKE_GAP).length;
    await opened.send({ type: 'tracking', tracking: { ...fakeTracking(checkpoints), rowsRead: 1_000_000 } });
    await opened.settle();
    assert.ok(await held!.evaluate((button) => button.isConnected), 'nothing of the database changed, so nothing is made anew');
    const databases = fakeDatabases(400, 45).map((database) => ({ ...database, reason: 'Another reason.' }));
    await opened.send({ type: 'databases', captureId: 'capture-1', databases });
    await opened.settle();
    assert.equal(await focusedText(opened), 'Review script for this database…');
  });

  it('is in the timeline after a checkpoint was chosen from the list, wherever the list was opened from', async () => {
    const opened = await openPage();
    await opened.page.locator('tr[data-database-id="6"]').click();
    await opened.page.getByRole('button', { name: 'Checkpoints in view…' }).click();
    await opened.page.locator('table.checkpoints tbody button').first().click();
    await opened.settle();
    // The event of closing comes later than the call.
    await opened.page.evaluate(() => new Promise((done) => setTimeout(done, 50)));
    assert.match(await focusedClass(opened), /lanes/);
  });

  it('goes to the header where the timeline that had it gives way to a notice', async () => {
    const opened = await openPage();
    await opened.page.locator('.lanes').focus();
    await opened.send({ type: 'databases', captureId: 'capture-2', databases: [] });
    await opened.settle();
    assert.ok(await opened.page.locator('.picture').isHidden());
    assert.equal(await focusedText(opened), 'Stop tracking');
  });
});
