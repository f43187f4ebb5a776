import assert from 'node:assert/strict';
import type { ToWebview } from '../../../src/protocol';
import { columnsMessage, END_UTC_MS, FAKE_GAP, FAKE_SERVER, fakeCheckpoints, fakeTracking } from '../fake-capture';
import { useBrowser, type OpenedPage } from '../page';

describe('The dashboard in a browser, talking to the extension', function () {
  this.timeout(60_000);
  const openPage = useBrowser();
  let opened: OpenedPage;
  const open = async (...options: Parameters<typeof openPage>): Promise<OpenedPage> => (opened = await openPage(...options));

  it('says first that it holds nothing, and acknowledges what it receives', async () => {
    const posted = await (await open()).posted();
    assert.deepEqual(posted[0], { type: 'ready', captureId: null, generation: 0, rows: 0 });
    assert.deepEqual(posted[1], { type: 'received', captureId: 'capture-1', generation: 1, rows: fakeCheckpoints(45, FAKE_GAP).length });
  });

  it('keeps the server of its panel in its state from the first moment on', async () => {
    await open({ messages: [] });
    assert.equal(((await opened.kept()) as { serverId?: string }).serverId, 'server-1');
    await opened.send({ type: 'reveal', databaseId: 5 });
    assert.equal(((await opened.kept()) as { serverId?: string }).serverId, 'server-1');
  });

  it('asks for what is missing', async () => {
    await open();
    await opened.send(columnsMessage([{ database: 0, beginUtcMs: END_UTC_MS, durationMs: 1 }], 1_000_000));
    assert.deepEqual((await opened.posted()).at(-1), {
      type: 'ready',
      captureId: 'capture-1',
      generation: 1,
      rows: fakeCheckpoints(45, FAKE_GAP).length,
    });
  });

  it('tells a failure instead of dying of it', async () => {
    await open();
    await opened.send({ ...columnsMessage([]), rows: 3 });
    assert.equal((await opened.posted()).at(-1)?.type, 'failed');
    await opened.send({ type: 'server', server: { ...FAKE_SERVER, name: 'Still here' } });
    await opened.settle();
    assert.equal(await opened.page.locator('h1').textContent(), 'Still here');
  });

  it("shows server time by the offset of each moment as soon as the server's offsets are known", async () => {
    await open();
    const time = opened.page.locator('.toolbar .num').first();
    const before = await time.textContent();
    await opened.send({ type: 'server', server: { ...FAKE_SERVER, offsets: [{ fromUtcMs: END_UTC_MS + 1, offsetMinutes: 120 }] } });
    await opened.settle();
    assert.notEqual(await time.textContent(), before);
  });

  it('counts up what is read of a session without lanes, and keeps the focus on the button that pauses it', async () => {
    const observation = null;
    const stored = (events: number, isPaused: boolean): ToWebview => ({
      type: 'tracking',
      tracking: fakeTracking(0, { observation, reading: { events, isPaused } }),
    });
    await open({ messages: [{ type: 'server', server: FAKE_SERVER }, stored(1_000, false)] });
    const { page } = opened;
    const button = page.locator('.notice button');
    await button.focus();
    const say = async (): Promise<readonly unknown[]> => [
      await page.locator('.notice h2').textContent(),
      await page.locator('.notice p').textContent(),
      await page.locator('.notice progress').isVisible(),
      await button.textContent(),
      await button.evaluate((element) => element === document.activeElement),
    ];
    assert.deepEqual(await say(), ['Reading what the session recorded', '1,000 events so far', true, 'Pause reading', true]);
    await opened.send(stored(67_784, false));
    await opened.settle();
    assert.deepEqual(await say(), ['Reading what the session recorded', '67,784 events so far', true, 'Pause reading', true]);
    await page.keyboard.press('Enter');
    assert.deepEqual((await opened.posted()).at(-1), { type: 'pauseReading' });
    await opened.send(stored(67_784, true));
    await opened.settle();
    assert.deepEqual(await say(), ['Reading what the session recorded is paused', '67,784 events so far', false, 'Resume reading', true]);
    await page.keyboard.press('Enter');
    assert.deepEqual((await opened.posted()).at(-1), { type: 'readOn' });
    assert.equal(await page.locator('.stored-reading').isVisible(), false, 'it is said once');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await opened.send(stored(70_000, false));
    await opened.settle();
    assert.deepEqual((await say()).slice(1, 3), ['70,000 events so far', false]);
  });

  it('says it in one line of the head where there are lanes, which stay where they are', async () => {
    await open();
    const top = (): Promise<number> => opened.page.locator('.lanes').evaluate((lanes) => lanes.getBoundingClientRect().top);
    const before = await top();
    await opened.send({ type: 'tracking', tracking: fakeTracking(3, { reading: { events: 67_784, isPaused: false } }) });
    await opened.settle();
    const line = opened.page.locator('.stored-reading');
    assert.equal(
      await line.innerText().then((text) => text.replace(/\s+/g, ' ')),
      'Reading what the session recorded: 67,784 events so far Pause reading',
    );
    assert.deepEqual([await opened.page.locator('.notice').first().isVisible(), await top()], [false, before]);
    await line.locator('button').click();
    assert.deepEqual((await opened.posted()).at(-1), { type: 'pauseReading' });
    await opened.send({ type: 'tracking', tracking: fakeTracking(3) });
    await opened.settle();
    assert.deepEqual([await line.isVisible(), await top()], [false, before]);
    assert.equal(await opened.page.evaluate(() => document.activeElement?.textContent), 'Stop tracking', 'the focus is not lost with it');
  });

  it('invokes what its buttons say', async () => {
    await open();
    for (const name of ['Refresh', 'Stop tracking', 'Review script…']) await opened.page.getByRole('button', { name, exact: true }).click();
    await opened.page.locator('tr[data-database-id="6"]').click();
    await opened.page.getByRole('button', { name: 'Review script for this database…' }).click();
    const invoked = (await opened.posted()).filter((message) => message.type === 'invoke');
    assert.deepEqual(invoked, [
      { type: 'invoke', command: 'refresh', databaseIds: [] },
      { type: 'invoke', command: 'stopTracking', databaseIds: [] },
      { type: 'invoke', command: 'reviewScript', databaseIds: [] },
      { type: 'invoke', command: 'reviewScript', databaseIds: [6] },
    ]);
  });

  it('offers no start to a login that may not: only the statement to copy, and Refresh, after which it may', async () => {
    const grant = 'USE master; GRANT ALTER ANY EVENT SESSION TO [reader];';
    const obstacle = {
      brief: 'needs ALTER ANY EVENT SESSION',
      sentence: 'Tracking needs ALTER ANY EVENT SESSION.',
      missing: ['ALTER ANY EVENT SESSION'],
      grant,
    };
    const idle = fakeTracking(0, { state: 'not tracking', observation: null });
    await open({
      messages: [
        { type: 'server', server: FAKE_SERVER },
        { type: 'tracking', tracking: { ...idle, obstacle } },
      ],
    });
    const start = opened.page.getByRole('button', { name: 'Start tracking' });
    assert.deepEqual([await opened.page.locator('.notice pre').innerText(), await start.count()], [grant, 0]);
    await opened.page.getByRole('button', { name: 'Refresh', exact: true }).click();
    assert.equal((await opened.posted()).filter((message) => message.type === 'invoke').length, 1);
    await opened.send({ type: 'tracking', tracking: idle });
    await opened.settle();
    assert.deepEqual([await opened.page.locator('.notice pre').count(), await start.count()], [0, 1]);
  });

  it('offers to start where nothing was observed, and does nothing twice while it starts', async () => {
    await open({
      messages: [
        { type: 'server', server: FAKE_SERVER },
        { type: 'tracking', tracking: fakeTracking(0, { state: 'not tracking', observation: null }) },
      ],
    });
    await opened.page.locator('.notice button').click();
    await opened.send({ type: 'tracking', tracking: fakeTracking(0, { state: 'starting', observation: null }) });
    await opened.settle();
    assert.equal(await opened.page.evaluate(() => document.activeElement?.textContent), 'Start tracking', 'the focus is not lost');
    await opened.page.getByRole('button', { name: 'Start tracking' }).click({ force: true });
    assert.equal((await opened.posted()).filter((message) => message.type === 'invoke').length, 1);
    assert.equal(await opened.page.locator('.split').isVisible(), false);
  });
});
