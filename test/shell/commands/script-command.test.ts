import assert from 'node:assert/strict';
import type { CommandHandler } from '../../../src/shell/kit/command-table';
import { createScriptCommand, createReviewCommand } from '../../../src/shell/commands/script-command';
import { scriptChoices } from '../../../src/shell/commands/script-questions';
import { databaseRow, type Desk, openDesk, run, serverRow } from '../fake-editor';
import { database, facts, snapshot, systemDatabases } from '../sample';
import { nothingSeen } from '../../../src/core/advice/instance';
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
  const command = (desk: Desk): { readonly handler: CommandHandler; readonly opened: unknown[] } => {
    const opened: unknown[] = [];
    const editor = {
      open: async (text: string, _title: string, _serverId: string, place?: string): Promise<void> =>
        void opened.push([text, place ?? 'in front']),
    };
    return { handler: createScriptCommand(desk.context, editor), opened };
  };
  const ask = async (
    answers: unknown[],
    row: unknown = serverRow,
  ): Promise<{ desk: Desk; said: string | undefined; opened: unknown[] }> => {
    const desk = await openDesk(found, answers);
    const { handler, opened } = command(desk);
    return { desk, said: await run(handler, row), opened };
  };
  const asked = (desk: Desk): unknown => desk.monitors[0]?.asked.at(-1);

  it('offers each kind with a sentence, and opens what is written, a rollback beside its change', async () => {
    const { desk, said, opened } = await ask(['recovery interval', '5']);
    assert.equal(said, undefined);
    assert.deepEqual(desk.conversation.offered[0]?.slice(0, -1), scriptChoices);
    assert.equal(desk.conversation.offered[0]?.at(-1)?.label, 'The switch as an Agent job');
    for (const { label, description } of scriptChoices) assert.ok(label !== '' && /\.$/.test(description ?? ''), label);
    assert.deepEqual(asked(desk), ['writeScript', { kind: 'recovery interval', minutes: 5 }]);
    assert.deepEqual(opened, [
      ['change', 'in front'],
      ['rollback', 'beside'],
    ]);
  });

  it('picks the databases with automatic checkpoints before a failover, offers the indirect ones, and none that cannot be written', async () => {
    const { desk } = await ask(['before failover', 'as offered', '2', '30']);
    assert.deepEqual(
      desk.conversation.offered[1]?.map(({ label, isPicked }) => [label, isPicked]),
      [
        ['a', true],
        ['b', false],
      ],
    );
    assert.deepEqual(asked(desk), ['writeScript', { kind: 'before failover', databaseIds: [5], windows: 2, stopAfterMinutes: 30 }]);
  });

  it('takes databases that were pointed at without asking which', async () => {
    const { desk } = await ask(['throttled checkpoint', '120'], databaseRow(6));
    assert.deepEqual(asked(desk), ['writeScript', { kind: 'throttled checkpoint', databaseIds: [6], seconds: 120 }]);
    const scan = await ask(['scan cost', '6'], databaseRow(5));
    assert.deepEqual(asked(scan.desk), ['writeScript', { kind: 'scan cost', databaseId: 5, times: 6 }]);
  });

  it('offers only databases with automatic checkpoints for the cost of a scan', async () => {
    const { desk } = await ask(['scan cost', 5, '4']);
    assert.deepEqual(
      desk.conversation.offered[1]?.map(({ label }) => label),
      ['a'],
    );
    assert.deepEqual(asked(desk), ['writeScript', { kind: 'scan cost', databaseId: 5, times: 4 }]);
  });

  it('writes 32767 minutes, which turns automatic checkpoints off, only where that is confirmed', async () => {
    const left = await ask(['recovery interval', '32767', false]);
    assert.deepEqual([asked(left.desk), left.opened], ['look', []]);
    const confirmed = await ask(['recovery interval', '32767', true]);
    assert.deepEqual(asked(confirmed.desk), ['writeScript', { kind: 'recovery interval', minutes: 32_767 }]);
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

const reviewed = snapshot(facts([...systemDatabases, database(5, 'a'), database(6, 'b'), database(7, 'c', { targetSeconds: 60 })]));

describe('asking for a review of scripts', () => {
  const shown: [string, Proposal][] = [];
  const reviews = { show: (serverId: string, proposal: Proposal) => void shown.push([serverId, proposal]) };
  beforeEach(() => shown.splice(0));

  it('begins with the databases that were pointed at, by name, and asks the server for nothing but its facts', async () => {
    const desk = await openDesk(reviewed);
    assert.equal(await run(createReviewCommand(desk.context, reviews), databaseRow(5), [databaseRow(5), databaseRow(7)]), undefined);
    assert.deepEqual(shown, [['server-1', { databaseIds: [5, 7], namedIds: [5, 7], isCanaryRun: false }]]);
    assert.deepEqual(desk.monitors[0]?.asked, ['look']);
  });

  it('begins with what the verdict on the server advises, and with nothing where it was not judged', async () => {
    const nobody = { automatic: 2, databases: 3, hurting: [], forecast: null, sinceUtcMs: null, busyBefore: null };
    for (const [instance, databaseIds] of [
      [{ ...nothingSeen, ...nobody, advised: [6] }, [6]],
      [null, []],
    ] as const) {
      const desk = await openDesk({ ...reviewed, instance });
      await run(createReviewCommand(desk.context, reviews), serverRow);
      assert.deepEqual(shown.splice(0), [['server-1', { databaseIds, namedIds: [], isCanaryRun: false }]]);
    }
  });

  it('shows a server on which there is nothing to switch too: the review says why', async () => {
    const desk = await openDesk(snapshot(facts([database(5, 'a', { targetSeconds: 60 })])));
    await run(createReviewCommand(desk.context, reviews), serverRow);
    assert.deepEqual(shown, [['server-1', { databaseIds: [], namedIds: [], isCanaryRun: false }]]);
  });

  it('proposes no canary once a first wave was run since the forecast was made', async () => {
    const switched = { databaseId: 5, atUtcMs: 2_000, notBeforeUtcMs: 2_000, source: 'user', fromSeconds: 0, toSeconds: 60 } as const;
    const waves = [5, 6].map((databaseId) => ({ low: 0.1, high: 0.2, databaseIds: [databaseId] }));
    const forecast = { madeUtcMs: 1_000, fromUtcMs: 0, toUtcMs: 1_000, now: 0.9, bound: 0.3, waves };
    for (const [changes, isCanaryRun] of [
      [[], false],
      [[switched], true],
    ] as const) {
      const desk = await openDesk({ ...reviewed, forecast, changes });
      await run(createReviewCommand(desk.context, reviews), databaseRow(6), [databaseRow(6)]);
      assert.deepEqual(shown.splice(0), [['server-1', { databaseIds: [6], namedIds: [6], isCanaryRun }]]);
    }
  });

  it('shows nothing of a server that does not answer, and says why', async () => {
    const desk = await openDesk({ ...reviewed, facts: null, connection: 'failed', failure: 'No route to the server.' });
    assert.equal(await run(createReviewCommand(desk.context, reviews), serverRow), 'No route to the server.');
    assert.deepEqual(shown, []);
  });
});
