import assert from 'node:assert/strict';
import type { DatabaseFacts } from '../../../src/core/advice/facts';
import { changeBetween, changeText, moveDatabase, tickDatabase } from '../../../src/core/review/review-edits';
import { describeOpened } from '../../../src/shell/review/review-session';
import { database, instanceWith, partsOf, shop } from '../sample';
import { reviewOf, scriptsOf } from '../fake-monitor';
import { openPlanned, openSession, settle } from './review-desk';

describe('a review of scripts', () => {
  it('plans at once, and says to a page that is ready what it is planning and what came of it', async () => {
    const desk = openSession();
    await desk.session.receive({ type: 'ready' });
    assert.deepEqual(desk.draft().databaseIds, [5, 6]);
    assert.equal(desk.status().doing, 'reading');
    await desk.answer();
    assert.deepEqual([desk.status().doing, desk.page().revision], [null, 1]);
    desk.posted.splice(0);
    await desk.session.receive({ type: 'ready' });
    const again = 'a page that was thrown away while it was hidden gets everything again';
    assert.deepEqual(partsOf(desk.posted, 'type'), ['draft', 'page', 'status'], again);
  });

  it('shows at once what the pane knows of the server, and opens nothing before the server was read', async () => {
    for (const how of ['answer', 'fail', 'answer first'] as const) {
      const desk = openSession([], shop().facts);
      await desk.session.receive({ type: 'ready' });
      await settle();
      const [known, read] = [false, true].map(
        (reads) => desk.monitor.waiting.find((one) => one.reads === reads) ?? assert.fail(),
      );
      if (how !== 'answer first') {
        known?.answer(reviewOf(scriptsOf(1)));
        await settle();
        assert.deepEqual([desk.status().doing, desk.page().scripts.length > 0], ['reading', true]);
        for (const revision of [desk.draft().revision, desk.page().revision])
          await assert.rejects(desk.session.receive({ type: 'open', revision }), /Look at it again first/);
      }
      if (how === 'fail') read?.fail(new Error('It does not answer.'));
      else read?.answer(reviewOf(scriptsOf(1)));
      await settle();
      known?.answer(reviewOf(scriptsOf(1)));
      await settle();
      assert.deepEqual(
        [desk.status().doing, desk.page().revision === desk.draft().revision],
        [null, how !== 'fail'],
        how,
      );
    }
  });

  it('plans once for changes that follow each other, without the server, and drops what it was still planning', async () => {
    const desk = await openPlanned();
    const first = tickDatabase(desk.draft(), 7, true);
    await desk.choose(first);
    await desk.wait();
    await desk.choose(changeText(first, 'targetSeconds', '80'));
    await desk.choose(changeText(first, 'targetSeconds', '90'));
    await desk.answer();
    assert.equal(desk.page().revision, 1, 'the answer to the first comes too late');
    await desk.choose(changeText({ ...first, revision: 9 }, 'targetSeconds', '90'));
    assert.equal(desk.status().doing, 'planning');
    await desk.wait();
    const { choice } = desk.last();
    assert.deepEqual(
      [choice.databaseIds, choice.targetSeconds, [...(choice.namedIds ?? [])]],
      [[5, 6, 7], 90, [7]],
    );
    await desk.answer();
    assert.deepEqual([desk.page().revision, desk.status().failure, desk.reads()], [10, null, 1]);
  });

  it('goes on reading the server while the reader ticks, and plans what was ticked from what was read', async () => {
    const desk = await openPlanned();
    await desk.session.receive({ type: 'readAgain' });
    await desk.choose(tickDatabase(desk.draft(), 7, true));
    await settle();
    assert.deepEqual([desk.last().signal.aborted, desk.status().doing], [false, 'reading']);
    await desk.answer();
    await desk.wait();
    assert.deepEqual([desk.reads(), desk.last().choice.databaseIds], [2, [5, 6, 7]]);
    await desk.answer();
    assert.deepEqual([desk.page().revision, desk.status().doing], [2, null]);
  });

  it('asks nothing while a field will not do', async () => {
    const desk = await openPlanned();
    await desk.choose(changeText(desk.draft(), 'targetSeconds', '0'));
    await desk.wait();
    assert.deepEqual([desk.monitor.waiting.length, desk.status().doing], [1, null]);
    await assert.rejects(desk.session.receive({ type: 'open', revision: 2 }), /Look at it again first/);
  });

  it('opens each change with its twin beside it, and says what was opened', async () => {
    const desk = await openPlanned([], scriptsOf(2));
    await desk.open();
    assert.deepEqual(desk.opened, [
      'change 1 on server-1 in front',
      'rollback 1 on server-1 beside',
      'change 2 on server-1 in front',
      'rollback 2 on server-1 beside',
    ]);
    assert.equal(
      desk.status().notice,
      'Opened 2 scripts, each with its rollback script beside it. Nothing was executed.',
    );
    assert.match(desk.logged.join(), /Opened 2 scripts.+2 databases are in/);
    assert.deepEqual(desk.conversation.said, []);
  });

  it('reads the server once before it opens, and opens what was reviewed where that is still so', async () => {
    const desk = await openPlanned([], scriptsOf(2));
    const opening = desk.session.receive({ type: 'open', revision: 1 });
    await settle();
    assert.deepEqual([desk.reads(), desk.status().doing, desk.opened], [2, 'reading', []]);
    await desk.answer(scriptsOf(1));
    await opening;
    assert.equal(desk.opened.length, 4, 'the scripts that the reader saw, not those that were written since');
  });

  it('opens nothing where the server has changed, says what, and opens the new plan on the next click', async () => {
    const changes: readonly [readonly DatabaseFacts[], RegExp][] = [
      [[database(5, 'a')], /: b: It is no longer in the plan\. The page shows the new plan\.$/],
      [[database(5, 'a'), database(6, 'b', { targetSeconds: 30 })], /: b has 30 seconds now, not 0\./],
      [
        [database(5, 'a', { inAvailabilityGroup: true }), database(6, 'b')],
        /: a is in an availability group now\./,
      ],
    ];
    for (const [now, said] of changes) {
      const desk = await openPlanned();
      await desk.open(1, now);
      assert.deepEqual([desk.opened, desk.status().notice], [[], null]);
      assert.match(
        desk.status().failure ?? '',
        /^Nothing was opened, because the server has changed since 2026-03-02 09:14: /,
      );
      assert.match(desk.status().failure ?? '', said);
      await desk.open(1, now);
      assert.deepEqual([desk.opened.length, desk.status().failure], [2, null]);
    }
  });

  it('opens nothing where the server cannot be read, and says why', async () => {
    const desk = await openPlanned();
    const opening = desk.session.receive({ type: 'open', revision: 1 });
    await settle();
    desk.last().fail(new Error('It does not answer.'));
    await opening;
    assert.deepEqual(
      [desk.opened, desk.status().failure, desk.status().doing],
      [[], 'It does not answer.', null],
    );
  });

  it('opens nothing where the reader ticks something else while the server is read', async () => {
    const desk = await openPlanned();
    const opening = desk.session.receive({ type: 'open', revision: 1 });
    await settle();
    await desk.choose(tickDatabase(desk.draft(), 7, true));
    await Promise.all([assert.rejects(opening, /Look at it again first/), desk.answer()]);
    assert.deepEqual([desk.opened, desk.status().doing], [[], 'planning']);
  });

  it('keeps the forecast once all scripts are open, and not before', async () => {
    const desk = await openPlanned();
    const countKept = (): number =>
      desk.monitor.asked.filter((what) => Array.isArray(what) && what[0] === 'keepForecast').length;
    assert.equal(countKept(), 0);
    await desk.open();
    assert.equal(countKept(), 1);
  });

  it('opens nothing but what the reader saw', async () => {
    const desk = await openPlanned();
    await desk.choose(tickDatabase(desk.draft(), 5, false));
    for (const type of ['open', 'openRecord', 'compare'] as const)
      for (const revision of [1, 2])
        await assert.rejects(desk.session.receive({ type, revision }), /Look at it again first/);
    assert.deepEqual([desk.opened, desk.conversation.shown], [[], []]);
  });

  it('opens nothing where there is nothing to switch', async () => {
    const desk = await openPlanned([], null);
    await assert.rejects(desk.session.receive({ type: 'open', revision: 1 }), /nothing to switch/);
  });

  it('asks before it opens a target under 20 seconds, and opens nothing unless that is confirmed', async () => {
    for (const answer of [false, true]) {
      const desk = await openPlanned([answer]);
      await desk.choose(changeText(desk.draft(), 'targetSeconds', '10'));
      await desk.wait();
      await desk.answer();
      await desk.open(2).catch((error: Error) => assert.equal(error.message, 'Dismissed'));
      assert.equal(desk.conversation.said[0], 'Write scripts for 10 seconds?');
      assert.deepEqual([desk.opened.length, desk.status().notice !== null], answer ? [2, true] : [0, false]);
    }
  });

  it('tells how far it came where an editor fails, keeps what was opened to compare with, and goes on with that one', async () => {
    const desk = await openPlanned([], scriptsOf(3));
    desk.beforeOpen = (title) => {
      if (title === 'change 2') throw new Error('no connection');
    };
    await assert.rejects(
      desk.open(),
      /^Error: Opened 2 of 6 editors\. change 2 could not be opened: no connection\./,
    );
    assert.match(desk.status().notice ?? '', /^Opened 2 of 6 editors/);
    assert.deepEqual(partsOf(desk.lastOpened()?.scripts, 'title'), ['change 1', 'rollback 1']);
    desk.beforeOpen = () => undefined;
    await desk.open();
    assert.equal(desk.opened.length, 6);
    assert.match(desk.status().notice ?? '', /^Opened 3 scripts, each with its rollback/);
  });

  it('stops opening editors where the panel is closed', async () => {
    const desk = await openPlanned([], scriptsOf(3));
    desk.beforeOpen = (title) => title === 'rollback 1' && desk.session.dispose();
    await desk.open();
    assert.equal(desk.opened.length, 2);
  });

  it('stops between two editors where the reader stops it, goes on with the next, and opens all again after the last', async () => {
    const desk = await openPlanned([], scriptsOf(2));
    const stop = new AbortController();
    desk.beforeOpen = (title) => title === 'rollback 1' && stop.abort();
    desk.conversation.showWork = (_, work) =>
      work((desk.opened.length === 0 ? stop : new AbortController()).signal, () => undefined);
    await desk.open();
    const goOn = 'Open them again to continue with the next one. Nothing was executed.';
    assert.deepEqual(
      [desk.opened.length, desk.status().notice],
      [2, `Stopped. Opened 2 of 4 editors. ${goOn}`],
    );
    assert.ok(
      desk.posted.some((message) => message.type === 'status' && message.status.notice === 'Opening 2 of 4…'),
    );
    for (const opened of [4, 8]) {
      await desk.open();
      assert.equal(desk.opened.length, opened);
    }
    assert.equal(desk.opened[2], 'change 2 on server-1 in front');
  });

  it('opens the change record', async () => {
    const desk = await openPlanned();
    await desk.session.receive({ type: 'openRecord', revision: 1 });
    assert.deepEqual(desk.conversation.shown, ['# Record']);
  });

  it('compares with what was opened last, once there is something else to compare', async () => {
    const desk = await openPlanned();
    await assert.rejects(desk.session.receive({ type: 'compare', revision: 1 }), /nothing to compare/);
    assert.equal(desk.status().canCompare, false);
    await desk.open();
    assert.equal(desk.status().canCompare, false, 'nothing else yet');
    await desk.session.receive({ type: 'readAgain' });
    await desk.answer(scriptsOf(3));
    assert.equal(desk.status().canCompare, true);
    await desk.session.receive({ type: 'compare', revision: 1 });
    const counts = desk.compared.map((sets) => sets.map(({ scripts }) => scripts.length));
    assert.deepEqual(counts, [[2, 6]]);
  });

  it('says why there is no answer, without a secret, and asks again where the reader wants it', async () => {
    const desk = openSession();
    await settle();
    desk.last().fail(new Error('Login failed; password=hunter2.'));
    await settle();
    assert.equal(desk.status().failure, 'Login failed; password=***');
    assert.doesNotMatch(desk.logged.join(), /hunter2/);
    await desk.session.receive({ type: 'readAgain' });
    assert.deepEqual(
      [desk.status().failure, desk.status().doing],
      [null, 'reading'],
      'an old failure is not shown over a new attempt',
    );
    await desk.answer();
    assert.deepEqual([desk.status().failure, desk.page().revision], [null, 1]);
  });

  it('that was opened before anything was advised ticks what is advised then, once the reader has it read again', async () => {
    const advised = [5];
    const desk = openSession([], null, instanceWith({ 5: 0.9 }, { advised }));
    await desk.answer();
    desk.session.begin({ databaseIds: [], namedIds: [] });
    await desk.answer(null);
    assert.deepEqual(desk.draft().databaseIds, []);
    await desk.session.receive({ type: 'readAgain' });
    await desk.answer(null);
    assert.deepEqual(desk.draft().databaseIds, advised);
    await desk.wait();
    assert.deepEqual(desk.last().choice.databaseIds, advised);
    // What the reader unticked stays so.
    await desk.answer();
    const none = { ...desk.draft(), revision: desk.draft().revision + 1, databaseIds: [6] };
    await desk.choose(none);
    await desk.session.receive({ type: 'readAgain' });
    await desk.answer();
    await desk.wait();
    assert.deepEqual(desk.last().choice.databaseIds, [6]);
  });

  it('goes on with what was typed where other databases are reviewed, and with the waves of those still in', async () => {
    const desk = await openPlanned();
    const typed = { targetSeconds: '90', reason: 'CHG-7', canary: '1' } as const;
    const begun = changeBetween(desk.draft(), 'pause');
    const draft = { ...begun, revision: begun.revision + 3, texts: { ...begun.texts, ...typed } };
    await desk.choose(moveDatabase(moveDatabase(draft, 5, 3), 6, 2));
    desk.session.begin({ databaseIds: [6, 7], namedIds: [7] });
    const { databaseIds, namedIds, waveOf, texts, between, revision } = desk.draft();
    assert.deepEqual([databaseIds, namedIds, waveOf, between], [[6, 7], [7], [[6, 2]], 'pause']);
    assert.deepEqual([texts.targetSeconds, texts.reason, texts.canary, revision], ['90', 'CHG-7', '1', 8]);
    await settle();
    assert.equal(desk.last().choice.targetSeconds, 90);
  });

  it('takes a wave back to automatic checkpoints at once and with a reason, and forgets that where another switch is reviewed', async () => {
    const desk = await openPlanned();
    desk.session.begin({ databaseIds: [6, 7], namedIds: [6, 7], rollsBack: true });
    await settle();
    const { targetSeconds, reason, waves, byName } = desk.last().choice;
    assert.deepEqual(
      [targetSeconds, reason, waves.canary, waves.batch, byName],
      [0, 'The last wave is rolled back.', 0, 0, true],
    );
    desk.session.begin({ databaseIds: [8], namedIds: [] });
    await settle();
    assert.deepEqual([desk.last().choice.targetSeconds, desk.last().choice.reason], [60, null]);
  });

  it('takes up other databases, and takes nothing more of what the page said before that', async () => {
    const desk = await openPlanned();
    const stale = tickDatabase(desk.draft(), 5, false);
    desk.session.begin({ databaseIds: [7], namedIds: [7] });
    await desk.choose(stale);
    await settle();
    assert.deepEqual([desk.draft().databaseIds, desk.draft().revision], [[7], 2]);
    assert.deepEqual(desk.last().choice.databaseIds, [7]);
    assert.equal(desk.last().choice.byName, true);
  });

  it('cancels what it asks when the panel goes', async () => {
    const desk = openSession();
    await settle();
    desk.session.dispose();
    assert.equal(desk.last().signal.aborted, true);
  });

  it('reads no further where the reader cancels it, and says how to go on', async () => {
    const desk = openSession();
    const cancel = new AbortController();
    desk.conversation.showWork = (_, work) => work(cancel.signal, () => undefined);
    await settle();
    cancel.abort();
    await settle();
    assert.equal(desk.last().signal.aborted, true);
    assert.deepEqual(
      [desk.status().doing, desk.status().failure],
      [null, 'Reading was cancelled: choose Read again to go on.'],
    );
    desk.conversation.showWork = (_, work) => work(new AbortController().signal, () => undefined);
    await desk.session.receive({ type: 'readAgain' });
    await desk.answer();
    assert.deepEqual([desk.status().failure, desk.page().revision], [null, 1]);
  });

  it('counts what was opened', () => {
    assert.equal(
      describeOpened(scriptsOf(1)),
      'Opened 1 script, with the rollback script beside it. Nothing was executed.',
    );
    const [change] = scriptsOf(1).scripts;
    assert.equal(
      describeOpened({ scripts: [change!], record: '' }),
      'Opened 1 script. Nothing was executed.',
    );
  });
});
