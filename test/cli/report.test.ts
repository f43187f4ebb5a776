import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeLakes } from '../../cli/src/report/from-lake';
import { noPolicy } from '../../src/core/advice/policy';
import { writeRows } from './modelled-lake';
import { collectInto } from './collecting';
import { startSimulator } from '../../simulator/index';
import { reach } from '../simulator/product/watched-server';
import { addRow, createRows } from '../../src/lake/data-files';
import { Lake } from '../../src/lake/lake';
import { writeHtml } from '../../cli/src/report/html';
import { writeMarkdown } from '../../cli/src/report/markdown';
import {
  compareServers,
  describeServer,
  type JudgedServer,
  keepWorst,
  type DescribedServer,
  type ReportedServer,
} from '../../cli/src/report/reported-server';
import { type Report, tabulateDatabases, tabulateWeeks } from '../../cli/src/report/tables';
import { Capture } from '../../src/core/capture/capture';
import {
  type CaptureRecord,
  keepRecord,
  type KeptRecord,
  restoreRecord,
} from '../../src/core/capture/capture-record';
import { finishSteps } from '../../src/core/steps';
import { listThere } from '../../src/monitor/facts/captured-databases';
import { judgeServer, noTaskGrounds, summarizeCapture } from '../../src/monitor/facts/judgement';
import { databaseOf, factsOf } from '../core/advice/facts-of';
import { parseXml } from '../xml-tree';
import { gapOf } from '../core/gap-of';
import { makeFolder } from '../temporary-folder';

const HOSTILE = '<script>alert(1)</script>|a]b\'c"--\u202e&\u{1f600}';
const BEGIN = Date.UTC(2026, 2, 2, 6);
const MINUTE_MS = 60_000;

/**
 * A capture of two hours: each database has a checkpoint of this many milliseconds every minute, with a gap of ten
 * minutes.
 */
function captureOf(names: readonly string[], durationMs: number): CaptureRecord {
  const rows = 120 * names.length;
  const columns = {
    rows,
    beginUtcMs: Float64Array.from(
      { length: rows },
      (_, row) => BEGIN + Math.floor(row / names.length) * MINUTE_MS + (row % names.length) * durationMs,
    ),
    durationMs: new Uint32Array(rows).fill(durationMs),
    database: Uint16Array.from({ length: rows }, (_, row) => row % names.length),
  };
  const gap = gapOf('session stopped', BEGIN + 30 * MINUTE_MS, BEGIN + 40 * MINUTE_MS, 'x');
  const kept: KeptRecord = {
    ...keepRecord(new Capture('capture'), { serverName: null, following: null, sections: [] }),
    columns,
    databases: names.map((name, at) => ({ databaseId: 5 + at, name, createdLocal: null })),
    observation: { beginUtcMs: BEGIN, endUtcMs: BEGIN + 120 * MINUTE_MS, gaps: [gap] },
  };
  return restoreRecord(kept);
}

function judgedOf(names: readonly string[], durationMs: number): JudgedServer {
  const facts = factsOf(names.map((name, at) => databaseOf({ databaseId: 5 + at, name })));
  const capture = captureOf(names, durationMs);
  const summary = finishSteps(summarizeCapture(capture, facts, noTaskGrounds));
  const { instance, databases } = finishSteps(judgeServer(facts, summary, null));
  return { facts, instance, verdicts: databases, statistics: summary!.statistics, changes: [], capture };
}

function serverNamed(
  name: string,
  durationMs: number,
  databases: readonly string[] = [`db of ${name}`, HOSTILE],
): ReportedServer {
  const judged = judgedOf(databases, durationMs);
  return { name, seenUtcMs: BEGIN, trouble: null, known: describeServer(judged), picture: judged };
}

const unknown: ReportedServer = {
  name: 'gone',
  seenUtcMs: null,
  trouble: `not reached. ${HOSTILE}`,
  known: null,
  picture: null,
};
const reportOf = (servers: readonly ReportedServer[]): Report => ({
  madeUtcMs: BEGIN,
  origin: 'Read from the servers.',
  servers,
});

describe('A report', () => {
  it('knows tempdb after a restart, which gives it another create_date, and no other database that has another one', () => {
    const names = ['tempdb', 'another'];
    const capture = captureOf(names, 500);
    const databases = [2, 6].map((databaseId, at) => ({
      databaseId,
      name: names[at]!,
      createdLocal: '2026-03-02T05:59:00.000',
    }));
    const facts = factsOf(
      databases.map((each) => databaseOf({ ...each, createdLocal: '2026-03-02T09:30:00.000' })),
    );
    const { statistics } = finishSteps(
      summarizeCapture(Object.assign(capture, { databases }), facts, noTaskGrounds),
    )!;
    // A checkpoint in each minute of two hours.
    assert.deepEqual([statistics.get(2)?.count, statistics.get(6)?.count], [120, undefined]);
    assert.deepEqual([...listThere(capture, facts)], [2]);
  });

  it('counts no checkpoint only where checkpoints were recorded', () => {
    const known = { ...serverNamed('calm', 10, ['Quiet']).known! };
    const databases = known.databases.map((each) => ({ ...each, statistics: null }));
    const countsOf = (of: DescribedServer): readonly unknown[] =>
      tabulateDatabases(of).rows.map((row) => row[4]);
    assert.deepEqual(countsOf({ ...known, databases }), ['0']);
    assert.deepEqual(countsOf({ ...known, databases, observed: null }), ['–']);
  });

  it('says a reason once, at the first of the databases that it is of, which stand together', () => {
    const { known } = serverNamed('a', 12_000, ['x', 'y', 'z', 'other']);
    const whys = (databases: DescribedServer['databases']): readonly unknown[] =>
      tabulateDatabases({ ...known!, databases }).rows.map((row) => row[3]);
    const [first, ...rest] = known!.databases;
    const { verdict } = first!;
    assert.deepEqual(whys(known!.databases.slice(0, 3)), [verdict!.reason, '″', '″']);
    assert.deepEqual(
      whys([first!, { ...first!, verdict: { ...verdict!, reason: 'Another.' } }, ...rest]).slice(0, 3),
      [...[verdict!.reason, 'Another.', verdict!.reason]],
    );
  });

  it('shows earlier weeks by the sums of their days, and a day that is not known as no calm one', () => {
    const dayMs = 24 * 60 * MINUTE_MS;
    // A Monday.
    const days = Array.from({ length: 15 }, (_, day) => ({
      beginUtcMs: Date.UTC(2026, 1, 16) + day * dayMs,
      observedMs: dayMs,
      busyMs: day === 9 ? dayMs / 2 : day < 7 ? null : 0,
    }));
    assert.deepEqual(tabulateWeeks(days)!.rows, [
      ['2026-02-16', '–', '–', '7 d'],
      ['2026-02-23', '7.1 %', '50 % on 2026-02-25', '7 d'],
      ['2026-03-02', '0 %', '0 % on 2026-03-02', '24 h'],
    ]);
    assert.equal(tabulateWeeks(days.slice(0, 14)), null, 'as the report itself');
    const server = { ...serverNamed('a', 10), days };
    for (const text of [writeHtml(reportOf([server])), writeMarkdown(reportOf([server]))])
      assert.match(text, /Week from[^]*2026-02-23[^]*50 % on 2026-02-25/);
  });

  it('says of the lake which servers are read later than usual, and which runs read a part or left it out', async () => {
    const folder = makeFolder();
    const runsOf = (lastMinutes: number, ...others: readonly string[]) => ({
      runs: [...Array.from({ length: 9 }, () => 'collected'), ...others].map((outcome, before) => ({
        started_utc: Date.now() - (lastMinutes + 15 * before) * MINUTE_MS,
        server_name: 'S',
        outcome,
      })),
    });
    const day_utc = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000;
    // A later sum of the day knows more of it.
    const sum = (hours: number, busy_us: number | null, checkpoint_rows: number) => ({
      day_utc,
      observed_us: hours * 3_600e6,
      busy_us,
      checkpoint_rows,
    });
    await writeRows(folder, 'often', {
      ...runsOf(5),
      server_days: [sum(12, 3e9, 9), sum(24, null, 9), sum(24, 5e9, 8), sum(24, 6e9, 9)],
    });
    await writeRows(folder, 'late', runsOf(300, 'in part', 'left out'));
    const servers = await describeLakes([folder], 7, noPolicy, assert.fail, () => undefined);
    const days = [{ beginUtcMs: day_utc, observedMs: 86_400_000, busyMs: 6e6 }];
    assert.deepEqual(servers.find(({ name }) => name === 'often')?.days, days);
    assert.deepEqual(
      servers.map(({ name, trouble, collecting }) => [name, trouble, collecting]),
      [
        [
          'late',
          'Late: last read 5 h ago, usually every 15 min.',
          'Of 11 runs, 1 read only a part of it, 1 left it to another run.',
        ],
        ['often', null, null],
      ],
    );
  });

  it('of many servers is made in two threads, with each server and each problem in it', async () => {
    const folder = makeFolder();
    const simulator = await startSimulator({ rate: 0, tls: 'required', seed: 1 });
    await collectInto(folder, { S099: reach(simulator) });
    await simulator.close();
    const names = Array.from({ length: 45 }, (_, at) => `S${String(at).padStart(3, '0')}`);
    const run = { started_utc: Date.now(), server_name: 'S', outcome: 'failed', reason: 'no route' };
    const lake = await Lake.open(folder);
    const harvests = names.map((server) => {
      const runs = createRows('runs');
      addRow(runs, { server, ...run });
      return { server, rows: { runs }, state: server === 'S044' ? Uint8Array.of(1, 2, 3) : null };
    });
    await lake.append(harvests, await lake.stand());
    const program = ['--require', 'tsx/cjs', '--require', './test/sql-as-text.cjs', 'cli/src/main.ts'];
    const file = join(folder, 'report.md');
    const asked = ['report', '--lake', folder, '--output', file, '--format', 'markdown'];
    const { status, stderr } = spawnSync(process.execPath, [...program, ...asked], { encoding: 'utf8' });
    assert.equal(status, 3, stderr);
    assert.equal(stderr.match(/S044: .*state/g)?.length, 1, stderr);
    const text = readFileSync(file, 'utf8');
    for (const name of [...names, 'S099']) assert.ok(text.includes(name), name);
  });

  it('has those that suffer most first, and those of which nothing is known last', () => {
    const servers = [
      unknown,
      serverNamed('calm', 10),
      serverNamed('saturated', 28_000),
      serverNamed('queue', 12_000),
    ];
    assert.deepEqual(
      [...servers].sort(compareServers).map(({ name }) => name),
      ['saturated', 'queue', 'calm', 'gone'],
    );
    assert.deepEqual(
      keepWorst(servers, 2).map(({ name, picture }) => [name, picture !== null]),
      [
        ['saturated', true],
        ['queue', true],
        ['calm', false],
        ['gone', false],
      ],
    );
  });

  it('says what the dashboard says, and leaves gaps out of the observed time', () => {
    const { known } = serverNamed('a', 12_000);
    assert.equal(known!.words.title, 'The checkpoint task has a queue at times.');
    const text = writeMarkdown(reportOf([serverNamed('a', 12_000)]));
    assert.match(
      text,
      /\| a \| The checkpoint task has a queue at times\. Busy .* \| 2 of 2 \| 12\.0 s \| 1 h 50 min \| 10 min \| 2026-03-02 06:00:00 UTC \|\n/,
    );
    assert.match(text, /- 1 gap because of session stopped: 10 min\.\n/);
  });

  it('allows its own style sheet and nothing else, and names nothing that would be loaded', () => {
    const html = writeHtml(reportOf([serverNamed(HOSTILE, 12_000), unknown]));
    const styles = /<style>([^]*?)<\/style>/.exec(html)![1]!;
    const hash = createHash('sha256').update(styles, 'utf8').digest('base64');
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)![1]!;
    assert.equal(
      policy,
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    );
    assert.doesNotMatch(html, /<(script|link|img|iframe|object|embed|base|form)\b/);
    assert.doesNotMatch(html, /\s(src|style|on\w+)=|url\(|@import/);
    assert.match(styles, /@media \(prefers-color-scheme:dark\)/);
  });

  it('writes names as text, whatever is in them', () => {
    const servers = [serverNamed(HOSTILE, 12_000), unknown];
    const html = writeHtml(reportOf(servers));
    assert.ok(!html.includes('<script') && !html.includes('\u202e'));
    assert.ok(
      html.includes("&lt;script&gt;alert(1)&lt;/script&gt;|a]b'c&quot;--&lt;U+202E&gt;&amp;\u{1f600}"),
    );
    const markdown = writeMarkdown(reportOf(servers));
    assert.ok(!markdown.includes('<script') && !markdown.includes('\u202e'));
    for (const line of markdown.split('\n').filter((one) => one.startsWith('|'))) {
      const cells = line.replace(/\\[\\|]/g, '').split('|').length - 2;
      assert.ok(cells === 8 || cells === 9, line);
    }
  });

  it('draws a lane for each of the heaviest databases, the task above them and the gap through all', () => {
    const names = Array.from({ length: 30 }, (_, at) => `db${at}`);
    const html = writeHtml(reportOf([serverNamed('a', 500, names)]));
    const svg = /<svg[^]*?<\/svg>/.exec(html)![0];
    assert.deepEqual(parseXml(svg).errors, []);
    assert.equal([...svg.matchAll(/class="name"/g)].length, 1 + 25);
    assert.match(svg, /<path class="gap" d="M\d+ 0h\d+v\d+h-\d+z"\/>/);
    assert.match(svg, /<path class="busy"/);
    assert.match(svg, /<path class="l\d+" d="M/);
    assert.match(svg, /class="tick"[^>]*>\d\d:\d\d</);
    assert.match(svg, /aria-label="Timeline of a\. The checkpoint task/);
  });

  it('says which servers have a picture if not all have', () => {
    const servers = keepWorst([serverNamed('a', 12_000), serverNamed('b', 10)], 1);
    const html = writeHtml(reportOf(servers));
    assert.equal([...html.matchAll(/<svg/g)].length, 1);
    assert.match(html, /The server that suffers most has a picture of its timeline\./);
  });

  it('stays small with many databases, and counts those that it leaves out', () => {
    const names = Array.from({ length: 300 }, (_, at) => `db${at}`);
    assert.match(writeMarkdown(reportOf([serverNamed('a', 10, names)])), /\nAnd 250 more databases\.\n/);
  });
});
