import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runScript, type ScriptOptions } from '../../../cli/src/commands/script';
import { BadUsage } from '../../../cli/src/kit/exit';
import { nameFolder } from '../../../cli/src/script/script-files';
import { findPolicy } from '../../../cli/src/look/policy-file';
import { proposeReview } from '../../../src/shell/commands/script-command';
import { writeAgentJob } from '../../../src/core/script/agent-job';
import type { ReviewText } from '../../../src/core/script/text';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { assertOnlyOwnCommands } from '../own-commands';
import { openReview } from '../product/opened-review';
import { openWindow, startTracking } from '../product/watched-server';
import { GONE, openFleet, type SimulatedFleet } from './simulated-fleet';
import { MINUTE_MS } from '../../../src/core/time';

describe('Scripts for many servers', () => {
  let fleet: SimulatedFleet;
  let others: Simulator[] = [];

  afterEach(async () => {
    for (const { server } of [...fleet.simulators, ...others.flatMap(({ replicas }) => replicas)])
      assertOnlyOwnCommands(server.ledger);
    await Promise.all(others.map((each) => each.close()));
    others = [];
    await fleet.dispose();
  });

  const folderOf = (...names: readonly string[]): string => join(fleet.folder, 'scripts', ...names);
  const read = (...names: readonly string[]): string => readFileSync(folderOf(...names), 'utf8');

  function write(more: Partial<ScriptOptions> = {}): Promise<number> {
    fleet.said.error = '';
    const waves = { target: '60', reason: '', canary: '3', batch: '25', stopAboveWriteMs: '' };
    const look = { days: 7, concurrency: 4, serverSeconds: 60 };
    return runScript(
      { ...fleet.options, ...look, ...waves, output: folderOf(), kind: ['switch'], force: false, ...more },
      fleet.output,
    );
  }

  /** What the editor's review of a server opens under that policy. */
  async function review(simulator: Simulator, policy: string): Promise<readonly string[]> {
    const { inForce } = await findPolicy(policy);
    const hash = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
    const window = await openWindow(simulator, {
      hash,
      policy: { current: inForce, onDidChange: () => ({ dispose: () => undefined }) },
    });
    const opened = await openReview(
      window,
      proposeReview({ databaseIds: [], group: null }, window.snapshot, window.snapshot.facts!),
    );
    await window.dispose();
    return opened;
  }

  it('are byte for byte what the editor’s review opens, with the same evidence and record', async () => {
    fleet = await openFleet(2, {}, 220);
    for (const simulator of fleet.simulators) await startTracking(simulator);
    fleet.advance(60 * MINUTE_MS);
    const policy = join(fleet.folder, 'policy.json');
    writeFileSync(
      policy,
      JSON.stringify({ exceptions: [{ database: 'a*', reason: 'frozen until the move' }] }),
    );
    assert.equal(await write({ policy, kind: ['switch', 'agent-job'] }), 0);
    for (const [at, simulator] of fleet.simulators.entries()) {
      const name = `S${at}`;
      assert.deepEqual(readdirSync(folderOf(name)).sort(), [
        'agent-job.sql',
        'change-record.md',
        'rollback.sql',
        'switch.sql',
      ]);
      const opened = await review(simulator, policy);
      assert.deepEqual(
        [read(name, 'switch.sql'), read(name, 'rollback.sql'), read(name, 'change-record.md')],
        opened,
      );
      assert.match(read(name, 'switch.sql'), /^\/\* .+\n[^]*Evidence: +.*checkpoint/);
      const title = `SWITCH: ${/switch of (.+)\. Creates/.exec(read(name, 'agent-job.sql'))![1]!}`;
      assert.equal(
        read(name, 'agent-job.sql'),
        writeAgentJob({ title, kind: 'change', text: opened[0] as ReviewText }).text,
      );
    }
    assert.match(
      fleet.said.error,
      /S0: Databases: \d+ in \d+ waves?, \d+ left out\. The files are in .*S0\.\n/,
    );
    assert.match(fleet.said.error, /2 of 2 servers are done\. Nothing was run\.\n$/);
  });

  it('never write over a file, unless they are told to, and then leave no half of the old set', async () => {
    fleet = await openFleet(1);
    assert.equal(await write({ databases: ['A*'] }), 0);
    const first = read('S0', 'switch.sql');
    writeFileSync(folderOf('S0', 'rollback.sql'), 'mine');
    assert.equal(await write({ databases: ['A*'], target: '90' }), 4);
    assert.match(fleet.said.error, /is there already\. --force replaces all files of that set\./);
    assert.deepEqual([read('S0', 'switch.sql'), read('S0', 'rollback.sql')], [first, 'mine']);
    assert.equal(await write({ databases: ['A*'], target: '90', force: true }), 0);
    assert.match(read('S0', 'switch.sql'), /90/);
    assert.notEqual(read('S0', 'rollback.sql'), 'mine');
  });

  it('are the earlier set still, with its rollback, where the new one cannot be written whole', async () => {
    fleet = await openFleet(1);
    assert.equal(await write({ databases: ['A*'] }), 0);
    const set = ['switch.sql', 'rollback.sql'].map((name) => read('S0', name));
    mkdirSync(folderOf('S0', 'rollback.sql.unfinished'));
    assert.notEqual(await write({ databases: ['A*'], target: '30', force: true }), 0);
    assert.deepEqual(
      ['switch.sql', 'rollback.sql'].map((name) => read('S0', name)),
      set,
    );
  });

  it('never stand beside a switch of an earlier set, whose rollback and record stay under names of their own', async () => {
    fleet = await openFleet(1);
    assert.equal(await write({ databases: ['A*'], kind: ['switch', 'agent-job'] }), 0);
    assert.equal(await write({ databases: ['A*'], target: '30', force: true }), 0);
    const listFiles = (): string => readdirSync(folderOf('S0')).sort().join(' ');
    const both =
      /^change-record-[0-9a-f]{8}\.md change-record\.md rollback-[0-9a-f]{8}\.sql rollback\.sql switch\.sql$/;
    assert.match(listFiles(), both);
    assert.match(
      fleet.said.error,
      /S0: Removed from .*S0 because it no longer applies: agent-job\.sql\. Its rollback and change record stay\.\n/,
    );
    assert.equal(await write({ databases: ['master'] }), 0);
    assert.match(
      fleet.said.error,
      /S0: The earlier script in .*S0 no longer applies: switch\.sql\. --force removes it\./,
    );
    assert.match(listFiles(), both);
    const rollback = read('S0', 'rollback.sql');
    assert.equal(await write({ databases: ['master'], force: true }), 0);
    assert.match(
      listFiles(),
      /^change-record-[0-9a-f]{8}\.md change-record\.md rollback-[0-9a-f]{8}\.sql rollback\.sql$/,
    );
    assert.equal(read('S0', 'rollback.sql'), rollback);
  });

  it('are not written, and none is removed, where the policy cannot be read', async () => {
    fleet = await openFleet(1);
    const policy = join(fleet.folder, 'policy.json');
    writeFileSync(policy, '{"targets": [');
    await assert.rejects(
      write({ databases: ['A*'], policy, force: true }),
      (error) => error instanceof BadUsage && /could not be read/.test(error.message),
    );
  });

  it('say why there is no file, where nothing is advised or nothing can be changed', async () => {
    fleet = await openFleet(1);
    assert.equal(await write(), 0);
    assert.match(fleet.said.error, /S0: No switch is advised here, so no file was written\.\n/);
    assert.equal(await write({ databases: ['absent', 'master'] }), 0);
    assert.match(
      fleet.said.error,
      /S0: None of the chosen databases can be switched\. master: It is a system database\.\n/,
    );
    assert.match(fleet.said.error, /No server shows a database absent\.\n/);
    assert.equal(existsSync(folderOf('S0')), false);
  });

  it('refuse values as the review refuses them, before any server is asked', async () => {
    fleet = await openFleet(1);
    await assert.rejects(
      write({ target: '0' }),
      (error) =>
        error instanceof BadUsage &&
        /^--target: .*0 means automatic checkpoints, and needs a reason/.test(error.message),
    );
    await assert.rejects(write({ canary: '-1', batch: 'x' }), /--canary: .* --batch: /);
    assert.deepEqual(fleet.simulators[0]!.server.ledger.logins, []);
  });

  it('are one set for each primary replica, and on a secondary a line that says where the primary is', async () => {
    const group = await startSimulator({ scenario: 'availability-group', rate: 0, tls: 'required' });
    others = [group];
    const { user, password } = group.administrator;
    fleet = await openFleet(0, { password });
    fleet.list(() =>
      group.replicas.map(({ name, port }) => ({
        name,
        server: 'localhost',
        port,
        user,
        trustServerCertificate: true,
      })),
    );
    assert.equal(await write({ databases: ['Sales_*', 'Apps_*', 'Import*'] }), 0);
    assert.deepEqual(readdirSync(folderOf()).sort(), ['SALES-SQL01', 'SALES-SQL02']);
    assert.match(read('SALES-SQL01', 'switch.sql'), /Sales_Orders/);
    assert.doesNotMatch(read('SALES-SQL01', 'switch.sql'), /Apps_/);
    assert.doesNotMatch(read('SALES-SQL02', 'switch.sql'), /Sales_Orders/);
    const said = fleet.said.error;
    assert.match(
      said,
      /SALES-SQL02: The availability group Sales is secondary here\. Its primary replica is on SALES-SQL01\.\n/,
    );
    assert.match(
      said,
      /SALES-SQL01: The availability group Apps is secondary here\. Its primary replica is on SALES-SQL02\.\n/,
    );
    assert.match(
      said,
      /SALES-SQL03: The availability group Sales is secondary here\. Its primary replica is on SALES-SQL01\.\n/,
    );
    assert.match(said, /SALES-DR02: None of these databases can be changed here, so no file was written\.\n/);
  });

  it('come from the servers that were read, whatever the others do', async () => {
    fleet = await openFleet(2);
    fleet.list(([first, second]) => [
      { ...first, name: '../up' },
      { ...second, ...GONE },
    ]);
    assert.equal(await write({ databases: ['A*'] }), 3);
    assert.match(readdirSync(folderOf()).join(), /^__up-[0-9a-f]{8}$/);
    assert.notEqual(nameFolder('SQL\\A'), nameFolder('SQL_A'), 'whatever other servers there are');
    assert.match(fleet.said.error, /S1: not reached\. /);
  });
});
