import assert from 'node:assert/strict';
import { createScriptCommand, createReviewCommand } from '../../../src/shell/commands/script-command';
import { scriptChoices } from '../../../src/shell/commands/script-questions';
import { databaseRow, openDesk, run, serverRow } from '../fake-editor';
import { database, facts, partsOf, shop, snapshot, systemDatabases, unseenInstance } from '../sample';
import type { Proposal } from '../../../src/core/advice/proposal';

const found = snapshot(
  facts([
    ...systemDatabases,
    database(5, 'a'),
    database(6, 'b', { targetSeconds: 60 }),
    database(7, 'c', { isReadOnly: true, updateability: 'READ_ONLY' }),
  ]),
);

describe('writing another script', () => {
  async function ask(answers: unknown[], row: unknown = serverRow) {
    const desk = await openDesk(found, answers);
    const opened: unknown[] = [];
    const open = async (text: string, _title: string, _serverId: string, place = 'in front') =>
      void opened.push([text, place]);
    const said = await run(createScriptCommand(desk.context, { open }), row);
    return { offered: desk.conversation.offered, said, opened, asked: desk.asked().at(-1) };
  }

  it('offers each kind with a sentence, and opens what is written, a rollback beside its change', async () => {
    const { offered, said, opened, asked } = await ask(['recovery interval', '5']);
    assert.equal(said, undefined);
    assert.deepEqual(offered[0]?.slice(0, -1), scriptChoices);
    assert.equal(offered[0]?.at(-1)?.label, 'The switch as an Agent job');
    for (const { label, description } of scriptChoices)
      assert.ok(label !== '' && /\.$/.test(description ?? ''), label);
    assert.deepEqual(asked, ['writeScript', { kind: 'recovery interval', minutes: 5 }]);
    assert.deepEqual(opened, [
      ['change 1', 'in front'],
      ['rollback 1', 'beside'],
    ]);
  });

  it('picks the databases with automatic checkpoints before a failover, offers the indirect ones, and none that cannot be written', async () => {
    const { offered, asked } = await ask(['before failover', 'as offered', '2', '30']);
    assert.deepEqual(partsOf(offered[1], 'label', 'isPicked'), [
      ['a', true],
      ['b', false],
    ]);
    assert.deepEqual(asked, [
      'writeScript',
      { kind: 'before failover', databaseIds: [5], windows: 2, stopAfterMinutes: 30 },
    ]);
  });

  it('takes databases that were pointed at without asking which', async () => {
    const throttled = await ask(['throttled checkpoint', '120'], databaseRow(6));
    assert.deepEqual(throttled.asked, [
      'writeScript',
      { kind: 'throttled checkpoint', databaseIds: [6], seconds: 120 },
    ]);
    const scan = await ask(['scan cost', '6'], databaseRow(5));
    assert.deepEqual(scan.asked, ['writeScript', { kind: 'scan cost', databaseId: 5, times: 6 }]);
  });

  it('offers only databases with automatic checkpoints for the cost of a scan', async () => {
    const { offered, asked } = await ask(['scan cost', 5, '4']);
    assert.deepEqual(
      [partsOf(offered[1], 'label'), asked],
      [['a'], ['writeScript', { kind: 'scan cost', databaseId: 5, times: 4 }]],
    );
  });

  it('writes 32767 minutes, which turns automatic checkpoints off, only where that is confirmed', async () => {
    const left = await ask(['recovery interval', '32767', false]);
    assert.deepEqual([left.asked, left.opened], ['look', []]);
    const confirmed = await ask(['recovery interval', '32767', true]);
    assert.deepEqual(confirmed.asked, ['writeScript', { kind: 'recovery interval', minutes: 32_767 }]);
  });

  it('takes no number out of range', async () => {
    for (const answers of [
      ['recovery interval', '32768'],
      ['recovery interval', ''],
      ['model', '0'],
      ['throttled checkpoint', [5], '0'],
      ['before failover', [5], '17'],
      ['scan cost', 5, '1'],
    ])
      assert.match((await ask(answers)).said ?? '', /^not accepted: /, String(answers));
  });

  it('writes nothing where no database was chosen', async () => {
    assert.match((await ask(['throttled checkpoint', []])).said ?? '', /No database was chosen/);
  });
});

const reviewed = shop();

describe('asking for a review of scripts', () => {
  /** What is shown of a review, and the desk. */
  async function review(given: typeof reviewed, ...rows: readonly unknown[]) {
    const shown: [string, Proposal][] = [];
    const desk = await openDesk(given);
    const reviews = { show: (serverId: string, proposal: Proposal) => void shown.push([serverId, proposal]) };
    const said = await run(createReviewCommand(desk.context, reviews), rows[0], rows);
    return { shown, said, asked: desk.asked() };
  }
  const ran = { ...unseenInstance, advised: [6, 7], next: { wave: 2, databaseIds: [6] } };

  for (const [what, given, rows, databaseIds, namedIds, isCanaryRun] of [
    [
      'the databases that were pointed at, by name',
      reviewed,
      [databaseRow(5), databaseRow(7)],
      [5, 7],
      [5, 7],
      false,
    ],
    [
      'what the verdict on the server advises',
      { ...reviewed, instance: { ...unseenInstance, advised: [6] } },
      [serverRow],
      [6],
      [],
      false,
    ],
    ['nothing where the server was not judged', { ...reviewed, instance: null }, [serverRow], [], [], false],
    [
      'nothing where there is nothing to switch: the review says why',
      snapshot(facts([database(5, 'a', { targetSeconds: 60 })])),
      [serverRow],
      [],
      [],
      false,
    ],
    [
      'no canary, and the wave that comes next, once the first was run',
      { ...reviewed, instance: ran },
      [serverRow],
      [6],
      [],
      true,
    ],
  ] as const)
    it(`begins with ${what}, and asks the server for nothing but its facts`, async () => {
      const { shown, said, asked } = await review(given, ...rows);
      assert.deepEqual(
        [shown, said, asked],
        [[['server-1', { databaseIds, namedIds, isCanaryRun }]], undefined, ['look']],
      );
    });

  it('shows nothing of a server that does not answer, and says why', async () => {
    const failure = 'No route to the server.';
    const { shown, said } = await review(
      { ...reviewed, facts: null, connection: 'failed', failure },
      serverRow,
    );
    assert.deepEqual([shown, said], [[], failure]);
  });
});
