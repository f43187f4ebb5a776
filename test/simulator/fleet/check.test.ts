import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCheck, type CheckOptions } from '../../../cli/src/commands/check';
import { BadUsage } from '../../../cli/src/kit/exit';
import { callerOfRow } from '../../../src/core/capture/checkpoint-columns';
import { kindOfCaller } from '../../../src/core/events/event-register';
import { Lake } from '../../../src/lake/lake';
import { readStates, readStoredCaptures } from '../../../cli/src/look/stored-captures';
import { CHANGES_SECTION, decodeChanges } from '../../../src/monitor/evidence/kept-changes';
import { describeInstance, joinWords } from '../../../src/core/pages/instance-words';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { openWindow, runAsAdministrator, startTracking } from '../product/watched-server';
import { GONE, openFleet, type SimulatedFleet } from './simulated-fleet';
import { MINUTE_MS } from '../../../src/core/time';

interface Finding {
  readonly rule: string;
  readonly database: string | null;
  readonly sentence: string;
}

describe('Checking servers', () => {
  let fleet: SimulatedFleet;

  /** @param databases as many as keep the task busy, where it is to be judged */
  const open = async (databases = 12): Promise<void> => {
    fleet = await openFleet(2, {}, databases);
    for (const simulator of fleet.simulators) await startTracking(simulator);
  };
  afterEach(() => fleet.dispose());

  const optionsOf = (more: Partial<CheckOptions> = {}): CheckOptions => ({
    ...fleet.options,
    format: 'json',
    failOn: 'error',
    days: 7,
    concurrency: 4,
    serverSeconds: 60,
    ...more,
  });

  async function check(
    more: Partial<CheckOptions> = {},
  ): Promise<{ readonly code: number; readonly out: string }> {
    fleet.said.out = '';
    return { code: await runCheck(optionsOf(more), fleet.output), out: fleet.said.out };
  }

  function findingsOf(out: string, at = 0): readonly Finding[] {
    return (JSON.parse(out) as { servers: { findings: Finding[] }[] }).servers[at]!.findings;
  }

  function writePolicy(policy: object): string {
    const file = join(fleet.folder, 'policy.json');
    writeFileSync(file, JSON.stringify(policy));
    return file;
  }

  const collect = async (): Promise<void> => assert.equal(await fleet.collect(), 0);

  /** The changes of target recovery times of the first server that the lake tells of. */
  async function readChanges(): Promise<ReturnType<typeof decodeChanges>['changes']> {
    const opened = await Lake.openToRead(fleet.lake);
    const states = await readStates(opened, null, assert.fail);
    const { sections } = (await readStoredCaptures(opened, states, 7, assert.fail)).get('S0')!;
    return decodeChanges(sections.find(({ name }) => name === CHANGES_SECTION)!.bytes).changes;
  }

  function titleOf({ snapshot: { instance, facts, verdicts } }: ServerMonitor): string {
    const words = describeInstance(instance!, facts!, verdicts);
    return joinWords({ ...words, lines: words.lines.slice(0, 1), note: null });
  }

  it('fails for a database that is not as the policy wants until it is, by the level that was asked for', async () => {
    await open();
    const before = await check({ policy: writePolicy({ targets: [{ database: '*', targetSeconds: 45 }] }) });
    assert.equal(before.code, 1);
    assert.ok(findingsOf(before.out).some(({ rule }) => rule === 'outside-policy'));
    const empty = writePolicy({ targets: [] });
    assert.equal((await check({ policy: empty })).code, 0);
    assert.equal((await check({ policy: empty, failOn: 'note' })).code, 1);
  });

  it('knows from the lake which checkpoints a session asked for', async () => {
    await open();
    fleet.advance(5 * MINUTE_MS);
    let isDone = false;
    const asked = runAsAdministrator(fleet.simulators[0]!, 'CHECKPOINT;').finally(() => (isDone = true));
    // It takes time by the clock of the server, which stands still meanwhile.
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      fleet.advance(1_000);
    }
    await asked;
    for (let run = 0; run < 3; run++) {
      fleet.advance(20 * MINUTE_MS);
      await collect();
    }
    const opened = await Lake.openToRead(fleet.lake);
    const states = await readStates(opened, null, assert.fail);
    const { columns } = (await readStoredCaptures(opened, states, 7, assert.fail)).get('S0')!;
    const kinds = Array.from({ length: columns.rows }, (_, row) => kindOfCaller(callerOfRow(columns, row)));
    const [unknown, session, engine] = [0, 1, 2].map((kind) => kinds.filter((one) => one === kind).length);
    assert.deepEqual([unknown, session], [0, 1]);
    assert.ok(engine! > 10, `${engine}`);
  });

  it('judges by what the lake has and by what is new since, and needs no event session for it', async () => {
    await open(220);
    const { lake } = fleet;
    for (let run = 0; run < 3; run++) {
      fleet.advance(20 * MINUTE_MS);
      await collect();
    }
    fleet.advance(3 * MINUTE_MS);
    const taskOf = async (more: Partial<CheckOptions>) =>
      findingsOf((await check(more)).out).find(({ rule }) => rule.startsWith('checkpoint-task'));
    const window = await openWindow(fleet.simulators[0]!);
    assert.equal((await taskOf({ lake: [lake] }))?.sentence, titleOf(window));
    await window.dispose();
    await runAsAdministrator(fleet.simulators[0]!, 'DROP EVENT SESSION [CheckpointHealth] ON SERVER;');
    assert.equal((await taskOf({}))?.rule, 'checkpoint-task-unknown');
    assert.match((await taskOf({ lake: [lake] }))?.rule ?? '', /-(?:queue|saturated)$/);
  });

  it('counts from the last change of a target recovery time that a run saw', async () => {
    await open(220);
    const { lake } = fleet;
    const [simulator] = fleet.simulators;
    simulator!.server.advance(60 * MINUTE_MS);
    await collect();
    const window = await openWindow(fleet.simulators[0]!);
    const { advised } = window.snapshot.instance!;
    const names = window.snapshot
      .facts!.databases.filter(({ databaseId }) => advised.includes(databaseId))
      .map(({ name }) => name);
    await window.dispose();
    assert.ok(names.length > 0);
    for (const name of names)
      await runAsAdministrator(
        simulator!,
        `ALTER DATABASE [${name.replace(/\]/g, ']]')}] SET TARGET_RECOVERY_TIME = 60 SECONDS;`,
      );
    simulator!.server.advance(MINUTE_MS);
    await collect();
    simulator!.server.advance(40 * MINUTE_MS);
    const changes = await readChanges();
    assert.deepEqual(changes.map(({ databaseId }) => databaseId).sort(), [...advised].sort());
    for (const { fromSeconds, toSeconds, notBeforeUtcMs, atUtcMs } of changes) {
      assert.deepEqual([fromSeconds, toSeconds], [0, 60]);
      assert.ok(atUtcMs > notBeforeUtcMs && atUtcMs - notBeforeUtcMs <= 10 * MINUTE_MS);
    }
    const [said] = findingsOf((await check({ lake: [lake], failOn: 'note' })).out).filter(({ rule }) =>
      rule.startsWith('checkpoint-task'),
    );
    assert.ok(said === undefined || /since the last change/.test(said.sentence), said?.sentence);
    const switched = findingsOf((await check({ lake: [lake] })).out).filter(
      ({ rule, database }) => rule === 'database-switch' && names.includes(database!),
    );
    assert.deepEqual(switched, []);
  });

  it('does not take a database for switched, or taken back, that was dropped and made again under its name and id', async () => {
    await open(12);
    const [simulator] = fleet.simulators;
    const { databases } = simulator!.server;
    // The first one that takes the change: some are offline or read-only.
    const alter = async (name: string): Promise<boolean> => {
      await runAsAdministrator(
        simulator!,
        `ALTER DATABASE [${name}] SET TARGET_RECOVERY_TIME = 60 SECONDS;`,
      ).catch(() => []);
      return databases.targets().get(name) === 60;
    };
    const names = [...databases.targets()]
      .filter(([each, seconds]) => seconds === 0 && /^\w{7,}$/.test(each))
      .map(([each]) => each);
    const pass = async (): Promise<void> => {
      simulator!.server.advance(20 * MINUTE_MS);
      await collect();
    };
    await pass();
    let name = names.pop()!;
    while (!(await alter(name))) name = names.pop()!;
    await pass();
    databases.remake(name);
    assert.equal(databases.targets().get(name), 0);
    await pass();
    assert.deepEqual(
      (await readChanges()).map(({ fromSeconds, toSeconds }) => [fromSeconds, toSeconds]),
      [[0, 60]],
    );
  });

  it('says how busy the task was by its own waits where nothing is tracked, from two looks, and fails for it no more than without', async () => {
    fleet = await openFleet(1, {}, 220);
    const { server } = fleet.simulators[0]!;
    const fromUtcMs = server.clock.nowUtcMs();
    const passing = setInterval(() => fleet.advance(MINUTE_MS), 200);
    const { code, out } = await check({ waitsSeconds: 2 }).finally(() => clearInterval(passing));
    const observedMs = server.clock.nowUtcMs() - fromUtcMs;
    const busyMs = server.ledger.checkpoints.reduce(
      (sum, { kind, beginUtcMs, endUtcMs }) =>
        sum + (kind === 'automatic' && beginUtcMs >= fromUtcMs ? endUtcMs - beginUtcMs : 0),
      0,
    );
    const { byWaits } = (
      JSON.parse(out) as { servers: { byWaits: { busyShare: number; observedSeconds: number } }[] }
    ).servers[0]!;
    assert.ok(
      Math.abs(byWaits.busyShare - busyMs / observedMs) < 0.1,
      `${byWaits.busyShare} of ${busyMs / observedMs}`,
    );
    assert.ok(byWaits.observedSeconds >= 60 && byWaits.observedSeconds <= observedMs / 1000);
    const [said] = findingsOf(out).filter(({ rule }) => rule.startsWith('checkpoint-task'));
    assert.equal(said?.rule, 'checkpoint-task-unknown');
    assert.match(
      said.sentence,
      /Wait statistics \(CHECKPOINT_QUEUE\) show the checkpoint task busy \d+ % of .* Start tracking/,
    );
    const once = await check();
    assert.deepEqual([once.code, /"byWaits": null/.test(once.out)], [code, true]);
  });

  it('says which servers were not read, in every form, and ends with 3, or with 4 if none was', async () => {
    await open();
    fleet.list(([first, second]) => [first!, { ...second, ...GONE }]);
    const target = join(fleet.folder, 'out.xml');
    const some = await check({ format: 'junit', output: target });
    assert.deepEqual([some.code, some.out], [3, '']);
    assert.match(readFileSync(target, 'utf8'), /<testsuite name="S1" tests="1" failures="0" errors="1"/);
    assert.match(
      (await check({ format: 'text', failOn: 'error' })).out,
      /^unread\tS1\t-\t-\t-\tnot reached\. .*\n/m,
    );
    fleet.list((servers) => servers.map((each) => ({ ...each, ...GONE })));
    assert.equal((await check()).code, 4);
  });

  it('takes no policy that cannot be read for none, and fails for one that may hide an exception', async () => {
    await open();
    await assert.rejects(check({ policy: join(fleet.folder, 'absent.json') }), BadUsage);
    const broken = join(fleet.folder, 'broken.json');
    writeFileSync(broken, '{ "exceptions": [');
    const { code, out } = await check({ policy: broken });
    assert.equal(code, 1);
    assert.equal(
      (JSON.parse(out) as { policyFindings: Finding[] }).policyFindings[0]!.rule,
      'policy-unreadable',
    );
  });

  it('sends no login that a server refused in an earlier run of collect', async () => {
    await open();
    const { lake } = fleet;
    const right = process.env.CHECKPOINT_HEALTH_PASSWORD;
    process.env.CHECKPOINT_HEALTH_PASSWORD = 'wrong';
    assert.equal(await fleet.collect(), 4);
    process.env.CHECKPOINT_HEALTH_PASSWORD = right;
    const { length } = fleet.simulators[0]!.server.ledger.logins;
    const { code, out } = await check({ lake: [lake], format: 'text' });
    assert.equal(code, 4);
    assert.match(out, /^unread\tS0\t-\t-\t-\tlogin refused\. The server refused this login/m);
    assert.equal(fleet.simulators[0]!.server.ledger.logins.length, length);
  });
});
