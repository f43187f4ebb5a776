import assert from 'node:assert/strict';
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
