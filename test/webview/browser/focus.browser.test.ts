import assert from 'node:assert/strict';
import { FAKE_CHECKPOINTS, fakeDatabases, fakeTracking } from '../fake-capture';
import { describePages } from '../page';

describePages('The focus on the dashboard in a browser', (open) => {
  it('stays on the button of the details while events are read and figures change', async () => {
    const opened = await open();
    await opened.page.locator('tr[data-database-id="6"]').click();
    const review = opened.button('Review this one…');
    await review.focus();
    const held = await review.elementHandle();
    await opened.send({
      type: 'tracking',
      tracking: { ...fakeTracking(FAKE_CHECKPOINTS.length), rowsRead: 1_000_000 },
    });
    assert.ok(
      await held!.evaluate((button) => button.isConnected),
      'nothing of the database changed, so nothing is made anew',
    );
    const databases = fakeDatabases(400, 45).map((database) => ({ ...database, reason: 'Another reason.' }));
    await opened.send({ type: 'databases', captureId: 'capture-1', databases });
    assert.equal((await opened.active()).text, 'Review this one…');
  });

  it('is in the timeline after a checkpoint was chosen from the list, wherever the list was opened from', async () => {
    const opened = await open();
    await opened.page.locator('tr[data-database-id="6"]').click();
    await opened.button('Checkpoints…').click();
    const dialog = opened.page.locator('dialog:has(table.checkpoints)');
    // The event of closing comes later than the call, and takes the focus back to the button.
    await dialog.evaluate((element) => {
      element.addEventListener('close', () => setTimeout(() => (element.dataset['closed'] = 'true')));
    });
    await dialog.locator('tbody button').first().click();
    await opened.page.waitForFunction(() => document.querySelector('[data-closed]') !== null);
    assert.match((await opened.active()).className, /lanes/);
  });

  it('goes to the header where the timeline that had it gives way to a notice', async () => {
    const opened = await open();
    await opened.page.locator('.lanes').focus();
    await opened.send({ type: 'databases', captureId: 'capture-2', databases: [] });
    assert.ok(await opened.page.locator('.picture').isHidden());
    assert.equal((await opened.active()).text, 'Stop tracking');
  });
});
