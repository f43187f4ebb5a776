import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { InstanceView, TrackingView } from '../../../src/protocol';
import { FAKE_SERVER, fakeMessages, fakeTracking } from '../fake-capture';
import { FAKE_INSTANCE, FAKE_INSTANCES } from '../fake-instance';
import { type OpenedPage, useBrowser } from '../page';

const GRANT = 'GRANT ALTER ANY EVENT SESSION TO [reader];';

describe('The dashboard in a browser, the verdict on the instance', function () {
  this.timeout(60_000);
  const openPage = useBrowser();
  let opened: OpenedPage;
  const head = (): Locator => opened.page.locator('.instance');
  const button = (name: string): Locator => opened.page.getByRole('button', { name, exact: true });
  const dialog = (): Locator => opened.page.getByRole('dialog');

  async function judge(instance: InstanceView, tracking: Partial<TrackingView> = {}): Promise<void> {
    await opened.send({ type: 'server', server: { ...FAKE_SERVER, instance } });
    await opened.send({ type: 'tracking', tracking: fakeTracking(3717, tracking) });
    await opened.settle();
  }

  it('stands in full with its forecast over the timeline, and in one line over the other pages', async () => {
    opened = await openPage();
    assert.equal(await head().getByRole('heading').textContent(), 'The checkpoint task is almost never free.');
    assert.match((await head().textContent()) ?? '', /With these 78 on indirect checkpoints, the task should be busy 6 to 29 %\./);
    assert.deepEqual(await head().locator('b').allTextContents(), ['97 %', '172', '3 minutes', '76 feed the queue', '6 to 29 %']);
    const picture = head().getByRole('img', {
      name: /^Checkpoint task busy: now 97 %; .* wave 4: 6 to 29 %\. It counts as free below 30 %\.$/,
    });
    assert.equal(await picture.isVisible(), true);
    await opened.page.getByRole('tab', { name: 'I/O' }).click();
    await opened.settle();
    assert.equal((await head().innerText()).replace(/\s+/g, ' ').trim(), 'The checkpoint task is almost never free. 97 % busy');
    assert.equal(await head().locator('svg').count(), 0);
  });

  it('offers the next wave once one was run, with the databases that are left of it', async () => {
    opened = await openPage();
    await opened.send({ type: 'server', server: { ...FAKE_SERVER, nextWave: { wave: 3, databaseIds: [7, 9] } } });
    await opened.settle();
    await button('Review wave 3…').click();
    assert.deepEqual((await opened.posted()).at(-1), { type: 'invoke', command: 'reviewScript', databaseIds: [7, 9] });
  });

  it('says only that there is none yet before the server was judged', async () => {
    opened = await openPage({ messages: [{ type: 'server', server: { ...FAKE_SERVER, instance: null } }, ...fakeMessages().slice(1)] });
    assert.equal((await head().innerText()).trim(), 'Judging…');
    await opened.page.getByRole('tab', { name: 'Databases' }).click();
    await opened.settle();
    assert.equal(await head().isVisible(), false);
  });

  it('follows what is known, keeps the focus while it does, and tells another verdict to who does not see it', async () => {
    opened = await openPage();
    const rests = button('What this rests on').last();
    await rests.focus();
    await judge({ ...FAKE_INSTANCE, words: { ...FAKE_INSTANCE.words, title: 'The checkpoint task is never free.' } });
    assert.equal(await head().getByRole('heading').textContent(), 'The checkpoint task is never free.');
    assert.equal(await opened.page.locator('[aria-live=polite]').first().textContent(), 'The checkpoint task is never free.');
    assert.equal(await rests.evaluate((element) => element === document.activeElement), true);
    await judge(FAKE_INSTANCES['too little']!);
    assert.match(
      (await head().innerText()).replace(/\s+/g, ' '),
      /^Not known yet\. 4 minutes seen\. A first verdict needs about 6 minutes more\./,
    );
    assert.equal(await head().locator('svg').count(), 0, 'what cannot be told is not forecast');
  });

  it('opens what it rests on, by the account in the top row too, and Esc gives the focus back', async () => {
    opened = await openPage();
    const ledger = opened.page.getByRole('button', { name: /^7,437 events, none lost · 1 gap, 3 min$/ });
    await ledger.click();
    const rows = await dialog().locator('th').allTextContents();
    assert.deepEqual(rows, ['Busy', 'Low end, 6 %', 'High end, 29 %', 'Not forecast', 'Read', 'Observed']);
    const said = (await dialog().textContent()) ?? '';
    assert.match(said, /7,437 events: 7,434 from 3,717 checkpoints, 0 other events\. 3 unpaired, /);
    assert.match(said, /Nothing was observed between 13:02 and 13:05 \(server restart\)\./);
    await opened.page.keyboard.press('Escape');
    assert.equal(await dialog().count(), 0);
    assert.equal(await ledger.evaluate((element) => element === document.activeElement), true);
  });

  it('hands all of it over as a text, and asks for the evidence as one', async () => {
    opened = await openPage();
    await head().getByRole('button', { name: 'What this rests on' }).click();
    await button('Copy').click();
    const copied = (await opened.posted()).find((message) => message.type === 'copy');
    assert.match(
      copied?.text ?? '',
      /^The checkpoint task is almost never free\. Busy 97 % of 8 h\.[^]*\nLow end, 6 %: The 94[^]*\nRead: 7,437 events/,
    );
    assert.equal(await dialog().getByRole('status').textContent(), 'Copied.');
    await button('Show evidence as text').click();
    assert.deepEqual((await opened.posted()).at(-1), { type: 'invoke', command: 'showEvidence', databaseIds: [] });
    assert.equal(await dialog().count(), 0);
  });

  it('says what to ask for where this login may not record, and follows a session that somebody else runs', async () => {
    opened = await openPage();
    const missing = ['ALTER ANY EVENT SESSION'];
    const obstacle = { sentence: 'Tracking needs ALTER ANY EVENT SESSION.', brief: 'needs ALTER ANY EVENT SESSION', missing, grant: GRANT };
    await judge(FAKE_INSTANCES['blind']!, { state: 'not tracking', obstacle });
    assert.match((await head().textContent()) ?? '', /Missing: ALTER ANY EVENT SESSION\./);
    await button('Show what to ask for').click();
    assert.equal(await dialog().locator('pre').textContent(), GRANT);
    await opened.page.keyboard.press('Escape');
    await button('Follow a session that somebody else runs').click();
    assert.deepEqual((await opened.posted()).at(-1), { type: 'invoke', command: 'followEventSession', databaseIds: [] });
    await judge(FAKE_INSTANCES['blind']!, { state: 'not tracking', obstacle: { ...obstacle, missing: [], grant: null } });
    assert.equal(await button('Show what to ask for').isVisible(), false, 'nothing can be granted');
    assert.doesNotMatch((await head().textContent()) ?? '', /Missing/);
  });

  it('leaves the room of the panel to the timeline until a database is selected', async () => {
    opened = await openPage();
    const widthPx = (): Promise<number> => opened.page.locator('.timeline').evaluate((element) => element.clientWidth);
    const whole = await widthPx();
    assert.equal(await opened.page.locator('aside').isVisible(), false);
    await opened.page.locator('.lane-name', { hasText: 'dbB' }).click();
    await opened.settle();
    assert.equal(await opened.page.locator('aside h2').textContent(), 'dbB');
    assert.equal(await widthPx(), whole - 292);
    await button('Clear the selection').click();
    await opened.settle();
    assert.equal(await opened.page.locator('aside').isVisible(), false);
    assert.equal(await widthPx(), whole);
    assert.equal(
      await opened.page.evaluate(() => document.activeElement?.classList.contains('lanes')),
      true,
      'the focus goes to the lanes',
    );
  });
});
