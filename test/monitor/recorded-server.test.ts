import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { decodeCapture, encodeCapture } from '../../src/captures/capture-format';
import type { KeptRecord } from '../../src/core/capture/capture-record';
import { findUnaccountedRows } from '../../src/core/capture/ledger';
import { finishSteps } from '../../src/core/steps';
import type { EvidencePage, EvidenceTable } from '../../src/core/pages/evidence-page';
import { ANSWERS_SECTION, decodeAnswers } from '../../src/monitor/queries/recorded-answers';
import { recordServer } from '../../src/monitor/recorded-server';
import type { ServerMonitor } from '../../src/monitor/server-monitor';
import { root } from '../../tools/packages';
import { choiceOf } from '../core/script/scripts-of';
import { FakeServer } from './fake-server';
import { open, pausesOnly, shortTimers } from './opened-record';
import { checkpoints, track } from './watched-fake';

/** A server that was tracked for a while, saved and written to a file. */
async function save(
  server = new FakeServer(),
): Promise<{ readonly bytes: Uint8Array; readonly monitor: ServerMonitor }> {
  const kept: KeptRecord[] = [];
  const { monitor, poll, surroundings } = await track(null, kept, server);
  await poll({ events: checkpoints(40) });
  await monitor.stopTracking();
  await monitor.keepNow();
  const record =
    (await recordServer({ ...surroundings, schedule: pausesOnly, access: server })) ??
    assert.fail('no capture');
  return { bytes: finishSteps(encodeCapture({ ...record, serverLabel: 'Saved' })), monitor };
}

const decode = (bytes: Uint8Array) => finishSteps(decodeCapture(bytes)).capture ?? assert.fail('no capture');
const findAnswers = ({ sections }: KeptRecord): Uint8Array =>
  sections.find(({ name }) => name === ANSWERS_SECTION)?.bytes ?? assert.fail('no answers');

describe('a saved capture', () => {
  it('opens with the same checkpoints, gaps, account of events, databases and verdicts, and asks no server', async () => {
    const server = new FakeServer();
    const { bytes, monitor } = await save(server);
    const asked = server.asked.length;
    const opened = await open(bytes);
    assert.equal(server.asked.length, asked);
    assert.equal(opened.snapshot.connection, 'connected');
    const [was, is] = [monitor, opened].map(({ capture }) => capture ?? assert.fail('no capture'));
    assert.ok((is?.columns.rows ?? 0) === 40 && is !== undefined && was !== undefined);
    assert.deepEqual(is.observation, was.observation);
    assert.deepEqual(is.ledger(), was.ledger());
    assert.equal(findUnaccountedRows(is.ledger()), 0);
    assert.deepEqual(is.slice(0, 40), was.slice(0, 40));
    assert.deepEqual(opened.snapshot.facts?.databases, monitor.snapshot.facts?.databases);
    assert.deepEqual(opened.snapshot.instance?.state, monitor.snapshot.instance?.state);
    assert.deepEqual([...opened.snapshot.verdicts.keys()], [...monitor.snapshot.verdicts.keys()]);
  });

  it('is not made if the user gave up: nothing would say that half of it is missing', async () => {
    const server = new FakeServer();
    const { surroundings } = await track(null, [], server);
    const given = new AbortController();
    given.abort();
    await assert.rejects(recordServer({ ...surroundings, access: server }, given.signal), /Cancelled/);
  });

  it('names nobody who logged in', async () => {
    const { bytes, monitor } = await save();
    const login = monitor.snapshot.facts?.server.loginName ?? assert.fail('no facts');
    assert.ok(!Buffer.from(bytes).includes(JSON.stringify(login)), login);
    assert.equal((await open(bytes)).snapshot.facts?.server.loginName, 'not saved');
  });

  it('is reviewed like a server, because all that a review reads is in it', async () => {
    const { bytes } = await save();
    const opened = await open(bytes);
    const { preflight, scripts } = await opened.reviewSwitch(choiceOf([5], true));
    assert.ok((scripts?.scripts.length ?? 0) >= 2);
    assert.ok(preflight !== undefined);
  });

  it('has nothing that could be started, stopped, changed or removed, and says so', async () => {
    const { bytes } = await save();
    const opened = await open(bytes);
    const refused = /Saved is a saved capture, with no server behind it to read or change\./;
    await assert.rejects(opened.startTracking(null), refused);
    await assert.rejects(opened.listAdoptable(), refused);
    await assert.rejects(opened.removeTracking(), refused);
    assert.notEqual(opened.snapshot.tracking.record, undefined);
  });

  it('of an earlier version, without answers, shows its checkpoints and says what it does not hold', async () => {
    const capture = decode((await save()).bytes);
    const without = { ...capture, sections: [] };
    const opened = await open(finishSteps(encodeCapture(without)));
    assert.equal(opened.capture?.columns.rows, 40);
    assert.match(opened.snapshot.failure ?? '', /This file has only checkpoints/);
    const { state, unverified, isLastSeen, record } = opened.snapshot.tracking;
    assert.deepEqual(
      [state, unverified, isLastSeen],
      ['stopped', null, false],
      'no server will ever say more of it',
    );
    assert.equal(record?.utcOffsetMinutes, capture.following?.snapshot.utcOffsetMinutes ?? null);
  });

  it('cannot be made to fail by answers of another shape', async () => {
    const record = decode((await save()).bytes);
    const json = fc.oneof(
      fc.json(),
      fc.constantFrom(
        '[]',
        '[null]',
        '[{"name":1}]',
        '[{"name":"server-facts","asked":null,"columns":[],"rows":[],"failure":null}]',
      ),
    );
    await fc.assert(
      fc.asyncProperty(json, async (text) => {
        const sections = [{ name: ANSWERS_SECTION, bytes: Buffer.from(text) }];
        const opened = await open(finishSteps(encodeCapture({ ...record, sections })));
        assert.equal(opened.capture?.columns.rows, 40);
        assert.notEqual(opened.snapshot.failure, null);
        await opened.dispose();
      }),
      { numRuns: 60 },
    );
    assert.equal(finishSteps(decodeAnswers(Buffer.from('{'))), null);
  });

  it('holds an answer a line, each read in a step of its own, and a file of an earlier version with all in one line says the same', async () => {
    const { bytes } = await save();
    const record = decode(bytes);
    const answers = findAnswers(record);
    const steps = [...decodeAnswers(answers)].length;
    const list: readonly unknown[] = JSON.parse(Buffer.from(answers).toString('utf8')) as readonly unknown[];
    assert.ok(list.length >= 10 && steps >= list.length, `${steps} steps for ${list.length} answers`);
    const inOneLine = Buffer.from(JSON.stringify(list));
    assert.deepEqual(finishSteps(decodeAnswers(inOneLine)), finishSteps(decodeAnswers(answers)));
    const sections = record.sections.map((one) =>
      one.name === ANSWERS_SECTION ? { ...one, bytes: inOneLine } : one,
    );
    const [older, newer] = [
      await open(finishSteps(encodeCapture({ ...record, sections }))),
      await open(bytes),
    ];
    assert.deepEqual(older.snapshot.facts, newer.snapshot.facts);
    assert.equal(older.snapshot.failure, null);
  });

  it('gives each answer on another turn of the thread, so that a file of many databases holds up nobody', async () => {
    const { bytes } = await save();
    let turns = 0;
    const opened = await open(bytes, (delayMs, task) => {
      if (delayMs === 0) turns++;
      return pausesOnly(delayMs, task);
    });
    const answered = turns;
    await opened.gatherEvidence();
    assert.ok(answered > 10 && turns > answered, `${answered}, then ${turns}`);
  });
});

describe('the sample that the extension brings', () => {
  let opened: ServerMonitor;
  let evidence: Awaited<ReturnType<ServerMonitor['gatherEvidence']>>;
  before(async () => {
    opened = await open(readFileSync(join(root, 'media/sample.checkpoints')), shortTimers);
    evidence = await opened.gatherEvidence();
  });
  after(() => opened.dispose());

  it('answers everything that a dashboard and a review ask of a server', async () => {
    const { failure, facts, instance } = opened.snapshot;
    assert.equal(failure, null);
    assert.deepEqual([facts?.server.serverName, instance?.state], ['SAMPLE-SQL07', 'saturated']);
    const pages: readonly [string, EvidencePage][] = Object.entries(evidence);
    for (const [name, { missing, tables }] of pages)
      assert.ok(missing === undefined && tables.some(({ rows }) => rows.length > 0), name);
    const { advised } = opened.snapshot.instance ?? assert.fail('not judged');
    // Of thirteen, two waves of three were switched.
    assert.ok(advised.length >= 6);
    const { preflight, facts: reviewed } = await opened.reviewSwitch(choiceOf(advised, false));
    assert.doesNotMatch(preflight.unseen.join(), /no server behind it/);
    assert.equal(reviewed.state.kind, 'observed');
  });

  it('names the columns of each table apart, in words that no language changes', () => {
    const tables = Object.values(evidence).flatMap((page: EvidencePage) => page.tables);
    for (const { id, columns } of tables) {
      const names = columns.map(({ name }) => name);
      assert.deepEqual([...new Set(names)], names, id);
      assert.ok(
        names.every((name) => /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) && name !== 'database_id'),
        `${id}: ${names.join()}`,
      );
    }
  });

  it('has no checkpoint of a whole night: what was under way when tracking stopped is unpaired', () => {
    const { rows, durationMs } = opened.capture?.columns ?? assert.fail('no capture');
    assert.ok(rows > 5_000 && Math.max(...durationMs.subarray(0, rows)) < 3 * 60_000);
  });

  const tableOf = (id: string): EvidenceTable =>
    evidence.beforeAfter.tables.find((table) => table.id === id) ?? assert.fail(id);

  it('shows what the switch was for, first of all: 1,700 seconds an hour became six, in the same hours of five days before and after', () => {
    const { title, summary } = evidence.beforeAfter;
    assert.match(title ?? '', /^6 databases changed: 1,\d\d\d → 5\.\d seconds an hour in checkpoints\.$/);
    assert.match(
      summary,
      /^Task busy: > 99 % → 88 %\. Other databases took most of the time that was freed\. A write to the log: 13\.\d → 15\.\d ms\. No limit is exceeded\. Before: 28 h 35 min, .* After: 28 h 35 min, /,
    );
    assert.match(
      tableOf('result').below?.[0] ?? '',
      /Total writes: \d+,\d+ → \d+,\d+ MB an hour \(\+\d+ %\).* Same hours of day on both sides\./,
    );
  });

  it('says the same share of the task before and after as the head of the dashboard', () => {
    const { task, busyBefore } = opened.snapshot.instance ?? assert.fail('not judged');
    const share = tableOf('result').rows.at(-1)?.cells.at(-1);
    assert.deepEqual([share?.before, share?.value], [busyBefore, task?.busyShare]);
    assert.equal(
      tableOf('waves').rows[1]?.cells[4]?.value,
      task?.busyShare,
      'and as what was seen after the last wave',
    );
  });

  it('finds no more than chance in what is written for the same work, and data writes that hardly wait', () => {
    const sentences = tableOf('chance').rows.map(({ cells }) => cells.at(-1)?.text ?? '');
    assert.match(sentences[0] ?? '', /^Time in checkpoints fell: 0\.00\d times /);
    assert.match(
      sentences[1] ?? '',
      /^Data per byte of log of the changed databases: no difference larger than/,
    );
    assert.match(sentences[2] ?? '', /^Data file write latency fell: 0\.\d+ times /);
  });
});
