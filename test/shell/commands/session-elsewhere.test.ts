import assert from 'node:assert/strict';
import type { SessionElsewhere } from '../../../src/monitor/tracking/session-owner';
import { createTrackingCommands } from '../../../src/shell/commands/tracking-commands';
import { agree, databaseRow, type Desk, type FakeMonitor, openDesk, run, serverRow } from '../fake-editor';
import { database, facts, snapshot, systemDatabases } from '../sample';

const idle = snapshot(facts([...systemDatabases, database(5, 'a'), database(6, 'b'), database(7, 'c', { targetSeconds: 60 })]));

describe('A session that was started elsewhere', () => {
  const byColleague: SessionElsewhere = {
    serverName: 'PROD-SQL07',
    definitionId: 65_537,
    configuredFile: 'CheckpointHealth_20260302T080000Z_0badcafe.xel',
    isRunning: true,
    startedLocalMs: Date.UTC(2026, 2, 2, 9),
  };
  const tracking = { ...idle, tracking: { ...idle.tracking, state: 'tracking' as const }, trackedDatabaseIds: [5, 6] };
  const steps = [
    ['startTracking', serverRow, 'Drop it and make it anew'],
    ['stopTracking', serverRow, 'Stop it'],
    ['removeTracking', serverRow, 'Drop it'],
    ['addToTracking', databaseRow(7), 'Change its databases'],
  ] as const;

  /** The answers come behind that to the question with which Remove always begins. */
  const meet = async (step: (typeof steps)[number], answers: readonly boolean[], found: SessionElsewhere[]): Promise<Desk> => {
    const desk = await openDesk(step[0] === 'startTracking' ? idle : tracking, [
      ...(step[0] === 'removeTracking' ? [true] : []),
      ...answers,
    ]);
    await desk.servers.connect('server-1', agree);
    (desk.monitors[0] as FakeMonitor).elsewhere = found;
    assert.equal(await run(createTrackingCommands(desk.context)[step[0]], step[1]), undefined);
    return desk;
  };

  for (const step of steps)
    it(`is named before ${step[0]}, and changed or left as the user says`, async () => {
      const question = `The event session CheckpointHealth on Production 7 was started elsewhere. ${step[2]} all the same?`;
      for (const isAgreed of [false, true]) {
        const desk = await meet(step, [isAgreed], [byColleague]);
        assert.equal(desk.conversation.said.filter((said) => said === question).length, 1);
        assert.equal(desk.monitors[0]?.asked.length, isAgreed ? 2 : 1);
        assert.match(
          desk.conversation.details.at(-1) ?? '',
          /^Another installation .* running since 2026-03-02 09:00:00 by the server's clock, and somebody may be reading it\. Its file is CheckpointHealth_20260302T080000Z_0badcafe\.xel;/,
        );
      }
    });

  it('is asked about again where another one is in its place by then, and says what is lost of one in memory', async () => {
    const inMemory = { ...byColleague, configuredFile: null, isRunning: false, startedLocalMs: null };
    const desk = await meet(steps[1], [true, false], [byColleague, inMemory]);
    assert.deepEqual([desk.conversation.details.length, desk.monitors[0]?.asked], [2, ['look']]);
    assert.match(
      desk.conversation.details[1] ?? '',
      /It does not run, .* It records in memory: what nobody has read is gone when it stops\.$/,
    );
  });
});
