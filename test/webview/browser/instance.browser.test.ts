import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { InstanceView, TrackingView } from '../../../src/protocol';
import { FAKE_OBSTACLE, FAKE_SERVER, fakeMessages, fakeTracking } from '../fake-capture';
import { FAKE_INSTANCE, FAKE_INSTANCES } from '../fake-instance';
import { describePages, type OpenedPage } from '../page';

describePages('The dashboard in a browser, the verdict on the instance', (open) => {
  const head = ({ page }: OpenedPage): Locator => page.locator('.instance');
  const dialog = ({ page }: OpenedPage): Locator => page.getByRole('dialog');
  const textOf = async (opened: OpenedPage): Promise<string> =>
    (await head(opened).innerText()).replace(/\s+/g, ' ').trim();
  const judge = (
    opened: OpenedPage,
    instance: InstanceView,
    tracking: Partial<TrackingView> = {},
  ): Promise<void> =>
    opened.send(
      { type: 'server', server: { ...FAKE_SERVER, instance } },
      { type: 'tracking', tracking: fakeTracking(3717, tracking) },
    );

  it('stands in full with its forecast over the timeline, and in one line over the other pages', async () => {
    const opened = await open();
    assert.equal(
      await head(opened).getByRole('heading').textContent(),
      'The checkpoint task is almost never free.',
    );
    assert.match(
      await textOf(opened),
      /With these 78 on indirect checkpoints, the task should be busy 6 to 29 %\./,
    );
    assert.deepEqual(await head(opened).locator('b').allTextContents(), [
      '97 %',
      '172',
      '3 minutes',
      '76 feed the queue',
      '6 to 29 %',
    ]);
    const name = /^Checkpoint task busy: now 97 %; .* wave 4: 6 to 29 %\. Goal: under 30 %\.$/;
    assert.ok(await head(opened).getByRole('img', { name }).isVisible());
    await opened.click(opened.tab('I/O'));
    assert.equal(
      await textOf(opened),
      'The checkpoint task is almost never free. Busy 97 % of 8 h. 76 feed the queue.',
    );
    assert.equal(await head(opened).locator('svg').count(), 0);
    await opened.button('Forecast: 6–29 % after wave 4').click();
    assert.match(await textOf(opened), /the task should be busy 6 to 29 %\./);
  });

  it('offers the next wave once one was run, with the databases that are left of it', async () => {
    const opened = await open();
    await opened.send({
      type: 'server',
      server: { ...FAKE_SERVER, nextWave: { wave: 3, databaseIds: [7, 9] } },
    });
    await opened.button('Review wave 3…').click();
    assert.deepEqual(await opened.lastPosted(), {
      type: 'invoke',
      command: 'reviewScript',
      databaseIds: [7, 9],
    });
  });

  it('offers to roll the last wave back, and no next one, while something speaks against it', async () => {
    const opened = await open();
    const lastWave = { wave: 2, databaseIds: [7, 9] };
    const objected = { ...FAKE_INSTANCE, isAdvised: false, lastWave };
    await judge(opened, { ...objected, state: 'just switched' });
    const offered = async (): Promise<string[]> =>
      opened.page.locator('header .actions button:visible').allTextContents();
    assert.deepEqual(await offered(), ['↻', 'Stop tracking', 'Roll back wave 2…']);
    await opened.button('Roll back wave 2…').click();
    assert.deepEqual(await opened.lastPosted(), { type: 'invoke', command: 'rollBack', databaseIds: [7, 9] });
    await judge(opened, { ...objected, state: 'stop', lastWave: { ...lastWave, wave: null } });
    assert.deepEqual(await offered(), ['↻', 'Stop tracking', 'Roll back the last change…', 'Show the limit']);
    await opened.button('Show the limit').click();
    assert.equal(await opened.tab('Before / after').getAttribute('aria-selected'), 'true');
  });

  it('says only that there is none yet before the server was judged', async () => {
    const unjudged = { type: 'server', server: { ...FAKE_SERVER, instance: null } } as const;
    const opened = await open({ messages: [unjudged, ...fakeMessages().slice(1)] });
    assert.equal(await textOf(opened), 'Judging…');
    await opened.click(opened.tab('Databases'));
    assert.equal(await head(opened).isVisible(), false);
  });

  it('follows what is known, keeps the focus while it does, and tells another verdict to who does not see it', async () => {
    const opened = await open();
    const rests = opened.button('What this rests on').last();
    await rests.focus();
    const title = 'The checkpoint task is never free.';
    await judge(opened, { ...FAKE_INSTANCE, words: { ...FAKE_INSTANCE.words, title } });
    assert.equal(await head(opened).getByRole('heading').textContent(), title);
    assert.equal(await opened.page.locator('[aria-live=polite]').first().textContent(), title);
    assert.ok(await rests.evaluate((element) => element === document.activeElement));
    await judge(opened, FAKE_INSTANCES['too little']!);
    assert.match(
      await textOf(opened),
      /^Too early to say\. 4 minutes seen\. A first verdict needs about 6 minutes more\./,
    );
    assert.equal(await head(opened).locator('svg').count(), 0, 'what cannot be told is not forecast');
  });

  it('opens what it rests on, by the account in the top row too, and Esc gives the focus back', async () => {
    const opened = await open();
    const ledger = opened.page.getByRole('button', { name: /^7,437 events, none lost · 1 gap, 3 min$/ });
    await ledger.click();
    const rows = await dialog(opened).locator('th').allTextContents();
    assert.deepEqual(rows, ['Busy', 'Low end, 6 %', 'High end, 29 %', 'Not forecast', 'Read', 'Observed']);
    const said = (await dialog(opened).textContent()) ?? '';
    assert.match(said, /7,437 events: 7,434 from 3,717 checkpoints, 0 other events\. 3 unpaired, /);
    assert.match(said, /Nothing was observed between 13:02 and 13:05 \(server restart\)\./);
    await opened.press('Escape');
    assert.equal(await dialog(opened).count(), 0);
    assert.ok(await ledger.evaluate((element) => element === document.activeElement));
  });

  it('asks for all of it as a text', async () => {
    const opened = await open();
    await head(opened).getByRole('button', { name: 'What this rests on' }).click();
    await opened.button('Show evidence as text').click();
    assert.deepEqual(await opened.lastPosted(), { type: 'invoke', command: 'showEvidence', databaseIds: [] });
    assert.equal(await dialog(opened).count(), 0);
  });

  it('says what to ask for where this login may not record, and follows a session that somebody else runs', async () => {
    const opened = await open();
    await judge(opened, FAKE_INSTANCES['blind']!, { state: 'not tracking', obstacle: FAKE_OBSTACLE });
    assert.match(await textOf(opened), /Missing: ALTER ANY EVENT SESSION\./);
    await opened.button('Show what to ask for').click();
    assert.equal(await dialog(opened).locator('pre').textContent(), FAKE_OBSTACLE.grant);
    await opened.press('Escape');
    await opened.button('Follow a session that another tool runs').click();
    assert.deepEqual(await opened.lastPosted(), {
      type: 'invoke',
      command: 'followEventSession',
      databaseIds: [],
    });
    await judge(opened, FAKE_INSTANCES['blind']!, {
      state: 'not tracking',
      obstacle: { ...FAKE_OBSTACLE, missing: [], grant: null },
    });
    assert.equal(await opened.button('Show what to ask for').isVisible(), false, 'nothing can be granted');
    assert.doesNotMatch(await textOf(opened), /Missing/);
  });

  it('leaves the room of the panel to the timeline until a database is selected', async () => {
    const opened = await open();
    const aside = opened.page.locator('aside');
    const widthPx = (): Promise<number> =>
      opened.page.locator('.timeline').evaluate((element) => element.clientWidth);
    const whole = await widthPx();
    assert.equal(await aside.isVisible(), false);
    await opened.click(opened.page.locator('.lane-name', { hasText: 'dbB' }));
    assert.deepEqual([await aside.locator('h2').textContent(), await widthPx()], ['dbB', whole - 292]);
    await opened.click(opened.button('Clear the selection'));
    assert.deepEqual([await aside.isVisible(), await widthPx()], [false, whole]);
    assert.match((await opened.active()).className, /\blanes\b/, 'the focus goes to the lanes');
  });
});
