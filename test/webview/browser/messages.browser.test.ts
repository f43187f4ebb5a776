import assert from 'node:assert/strict';
import type { ToWebview } from '../../../src/protocol';
import { findAccessibilityFaults } from '../accessibility';
import {
  columnsMessage,
  END_UTC_MS,
  FAKE_CHECKPOINTS,
  FAKE_OBSTACLE,
  FAKE_SERVER,
  fakeIdle,
  fakeTracking,
} from '../fake-capture';
import { describePages } from '../page';

describePages('The dashboard in a browser, talking to the extension', (open) => {
  it('says first that it holds nothing, acknowledges what it receives, and asks for what is missing', async () => {
    const opened = await open();
    const held = { captureId: 'capture-1', generation: 1, rows: FAKE_CHECKPOINTS.length };
    const [first, second] = await opened.posted();
    assert.deepEqual(first, { type: 'ready', captureId: null, generation: 0, rows: 0 });
    assert.deepEqual(second, { type: 'received', ...held });
    await opened.send(columnsMessage([{ database: 0, beginUtcMs: END_UTC_MS, durationMs: 1 }], 1_000_000));
    assert.deepEqual(await opened.lastPosted(), { type: 'ready', ...held });
  });

  it('keeps the server of its panel in its state from the first moment on, and names it', async () => {
    const opened = await open({ messages: [] });
    assert.equal(await opened.page.locator('h1').textContent(), 'as the pane names it');
    const serverId = async (): Promise<string | undefined> =>
      ((await opened.kept()) as { serverId?: string }).serverId;
    assert.equal(await serverId(), 'server-1');
    await opened.send({ type: 'reveal', databaseId: 5 });
    assert.equal(await serverId(), 'server-1');
  });

  it('tells a failure instead of dying of it', async () => {
    const opened = await open();
    await opened.send({ ...columnsMessage([]), rows: 3 });
    assert.equal((await opened.lastPosted())?.type, 'failed');
    await opened.send({ type: 'server', server: { ...FAKE_SERVER, name: 'Still here' } });
    assert.equal(await opened.page.locator('h1').textContent(), 'Still here');
  });

  it("shows server time by the offset of each moment as soon as the server's offsets are known", async () => {
    const opened = await open();
    const time = opened.page.locator('.toolbar .num').first();
    const before = await time.textContent();
    await opened.send({
      type: 'server',
      server: { ...FAKE_SERVER, offsets: [{ fromUtcMs: END_UTC_MS + 1, offsetMinutes: 120 }] },
    });
    assert.notEqual(await time.textContent(), before);
  });

  it('counts up what is read of a session without lanes, and keeps the focus on the button that pauses it', async () => {
    const stored = (events: number, isPaused: boolean): readonly ToWebview[] =>
      fakeIdle({ reading: { events, isPaused } });
    const opened = await open({ messages: stored(1_000, false) });
    const { page } = opened;
    const button = page.locator('.notice button');
    await button.focus();
    const said = async (): Promise<readonly unknown[]> => [
      await page.locator('.notice h2').textContent(),
      await page.locator('.notice p').textContent(),
      await page.locator('.notice progress').isVisible(),
      await button.textContent(),
      await button.evaluate((element) => element === document.activeElement),
    ];
    const reading = (events: string): readonly unknown[] => [
      'Reading what the session recorded',
      `${events} events so far`,
      true,
      'Pause reading',
      true,
    ];
    assert.deepEqual(await said(), reading('1,000'));
    await opened.send(...stored(67_784, false));
    assert.deepEqual(await said(), reading('67,784'));
    await opened.press('Enter');
    assert.deepEqual(await opened.lastPosted(), { type: 'pauseReading' });
    await opened.send(...stored(67_784, true));
    assert.deepEqual(await said(), [
      'Reading what the session recorded is paused',
      '67,784 events so far',
      false,
      'Resume reading',
      true,
    ]);
    await opened.press('Enter');
    assert.deepEqual(await opened.lastPosted(), { type: 'readOn' });
    assert.equal(await page.locator('.stored-reading').isVisible(), false, 'it is said once');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await opened.send(...stored(70_000, false));
    assert.deepEqual((await said()).slice(1, 3), ['70,000 events so far', false]);
  });

  it('says it in one line of the head where there are lanes, which stay where they are', async () => {
    const opened = await open();
    const { page } = opened;
    const top = (): Promise<number> =>
      page.locator('.lanes').evaluate((lanes) => lanes.getBoundingClientRect().top);
    const before = await top();
    await opened.send({
      type: 'tracking',
      tracking: fakeTracking(3, { reading: { events: 67_784, isPaused: false } }),
    });
    const line = page.locator('.stored-reading');
    const words = (await line.innerText()).replace(/\s+/g, ' ');
    assert.equal(words, 'Reading what the session recorded: 67,784 events so far Pause reading');
    assert.deepEqual([await page.locator('.notice').first().isVisible(), await top()], [false, before]);
    await line.locator('button').click();
    assert.deepEqual(await opened.lastPosted(), { type: 'pauseReading' });
    await opened.send({ type: 'tracking', tracking: fakeTracking(3) });
    assert.deepEqual([await line.isVisible(), await top()], [false, before]);
    assert.equal((await opened.active()).text, 'Stop tracking', 'the focus is not lost with it');
  });

  it('invokes what its buttons say', async () => {
    const opened = await open();
    for (const name of ['Refresh', 'Stop tracking', 'Review script…']) await opened.button(name).click();
    await opened.page.locator('tr[data-database-id="6"]').click();
    await opened.button('Review this one…').click();
    const invoked = (await opened.posted()).flatMap((message) =>
      message.type === 'invoke' ? [[message.command, message.databaseIds] as const] : [],
    );
    assert.deepEqual(invoked, [
      ['refresh', []],
      ['stopTracking', []],
      ['reviewScript', []],
      ['reviewScript', [6]],
    ]);
  });

  it('offers no start to a login that may not: only the statement to copy, and Refresh, after which it may', async () => {
    const grant = `GRANT X TO [${'reader'.repeat(20)}];`;
    const opened = await open({
      messages: fakeIdle({ state: 'not tracking', obstacle: { ...FAKE_OBSTACLE, grant } }),
    });
    for (const name of ['I/O', 'Timeline']) {
      await opened.click(opened.tab(name));
      assert.deepEqual(await findAccessibilityFaults(opened), [], name);
    }
    const [start, statement] = [opened.button('Start tracking'), opened.page.locator('.notice pre')];
    assert.deepEqual([await statement.innerText(), await start.count()], [grant, 0]);
    await opened.button('Refresh').click();
    assert.deepEqual(await opened.lastPosted(), { type: 'invoke', command: 'refresh', databaseIds: [] });
    await opened.send(...fakeIdle({ state: 'not tracking' }));
    assert.deepEqual([await statement.count(), await start.count()], [0, 1]);
  });

  it('offers to start where nothing was observed, on the page of databases too, and does nothing twice while it starts', async () => {
    const opened = await open({ messages: fakeIdle({ state: 'not tracking' }) });
    for (const name of ['Databases', 'Timeline']) {
      await opened.click(opened.tab(name));
      assert.equal(await opened.panel.locator('.notice:visible h2').textContent(), 'Nothing observed yet');
      assert.equal(await opened.button('Save as SVG').count(), 0, 'no chart of nothing');
    }
    await opened.button('Start tracking').click();
    await opened.send(...fakeIdle({ state: 'starting' }));
    assert.equal((await opened.active()).text, 'Start tracking', 'the focus is not lost');
    await opened.button('Start tracking').click({ force: true });
    assert.equal((await opened.posted()).filter((message) => message.type === 'invoke').length, 1);
    assert.equal(await opened.page.locator('.split').isVisible(), false);
  });
});
