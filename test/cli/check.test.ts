import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import type { Log } from 'sarif';
import { checkPolicy, checkServer } from '../../cli/src/check/findings';
import type { CheckedServer, CheckFinding, CheckReport } from '../../cli/src/check/finding';
import { writeCheckJson } from '../../cli/src/check/json';
import { writeJunit } from '../../cli/src/check/junit';
import { explainRule, RULE_IDS } from '../../cli/src/check/rules';
import { writeSarif } from '../../cli/src/check/sarif';
import { summarize, writeBlocks, writeLines } from '../../cli/src/check/text';
import { type DatabaseFacts, notObservable, observed } from '../../src/core/advice/facts';
import { emptyPreflight } from '../../src/core/advice/rules/preflight';
import { readPolicy } from '../../src/core/advice/policy-text';
import { finishSteps } from '../../src/core/steps';
import { judgeServer } from '../../src/monitor/facts/judgement';
import { databaseOf, factsOf } from '../core/advice/facts-of';
import { type Element, parseXml } from '../xml-tree';
import { valuesOf } from '../core/values-of';

const HOSTILE = '<script>alert(1)</script> {0} [x](http://evil.test) a]b\'c"--&\u202e\ufffe\u{1f600}';

interface PolicyText {
  readonly targets?: readonly object[];
  readonly exceptions?: readonly object[];
}

function check(
  databases: readonly DatabaseFacts[],
  policyText: PolicyText,
  more: Parameters<typeof factsOf>[1] = {},
): readonly CheckFinding[] {
  const facts = factsOf(databases, more);
  const { policy } = readPolicy(JSON.stringify(policyText));
  const { instance, databases: verdicts } = finishSteps(judgeServer(facts, null, null));
  return checkServer({ facts, instance, verdicts, preflight: emptyPreflight, statistics: new Map() }, policy)
    .findings;
}

const listOf = (findings: readonly CheckFinding[]): readonly string[] =>
  findings
    .filter(({ rule }) => rule !== 'checkpoint-task-unknown')
    .map(({ rule, level, database }) => `${level} ${rule} ${database}`);

const want60 = { targets: [{ database: '*', targetSeconds: 60 }] };

describe('What check finds', () => {
  it('finds databases that have another value than the policy wants, and none without a policy', () => {
    const databases = [databaseOf({ databaseId: 5 }), databaseOf({ databaseId: 6, targetSeconds: 60 })];
    assert.deepEqual(listOf(check(databases, want60)), ['error outside-policy db5']);
    assert.deepEqual(listOf(check(databases, {})), []);
  });

  it('leaves alone what an exception exempts, until the day after its last', () => {
    const exempt = (expires: string): PolicyText => ({
      ...want60,
      exceptions: [{ database: 'db5', reason: 'frozen', expires }],
    });
    const databases = [databaseOf({ databaseId: 5 })];
    assert.deepEqual(listOf(check(databases, exempt('2026-03-02'))), []);
    const [unmet, expired] = check(databases, exempt('2026-03-01'));
    assert.deepEqual(
      [unmet!.rule, unmet!.sentence],
      ['outside-policy', 'The policy wants 60 seconds; it has automatic checkpoints.'],
    );
    assert.deepEqual([expired!.rule, expired!.level], ['exception-expired', 'error']);
    assert.match(expired!.sentence, /2026-03-01.*frozen/);
  });

  it('fails for an exception that has run out also where the value is what the policy wants', () => {
    const policy = { ...want60, exceptions: [{ database: 'db5', reason: 'frozen', expires: '2025-01-01' }] };
    assert.deepEqual(listOf(check([databaseOf({ databaseId: 5, targetSeconds: 60 })], policy)), [
      'error exception-expired db5',
    ]);
  });

  it('asks nothing of system databases', () => {
    assert.deepEqual(
      listOf(
        check(
          [databaseOf({ databaseId: 1, name: 'master' }), databaseOf({ databaseId: 2, name: 'tempdb' })],
          want60,
        ),
      ),
      [],
    );
  });

  it('only warns of a secondary replica, and says where its primary is', () => {
    const role = { databaseId: 5, role: 'SECONDARY', groupName: 'Sales', primaryReplica: 'SQL01' };
    const findings = check([databaseOf({ databaseId: 5, inAvailabilityGroup: true })], want60, {
      roles: observed(new Map([[5, role]])),
    });
    assert.deepEqual(listOf(findings), ['warning outside-policy db5', 'note not-changeable-here db5']);
    assert.match(
      findings.find(({ rule }) => rule === 'not-changeable-here')!.sentence,
      /Change it on SQL01\./,
    );
  });

  it('does not take a value that cannot be seen for a pass', () => {
    assert.deepEqual(listOf(check([databaseOf({ databaseId: 5, targetSeconds: null })], want60)), [
      'warning not-changeable-here db5',
    ]);
  });

  it('names what cannot be changed here only if it is automatic or outside of the policy', () => {
    const fixed = { state: 'OFFLINE', databaseId: 5 };
    assert.deepEqual(listOf(check([databaseOf({ ...fixed, targetSeconds: 60 })], {})), []);
    assert.deepEqual(listOf(check([databaseOf(fixed)], {})), ['note not-changeable-here db5']);
  });

  it('says that nothing is known of the checkpoint task only if a database uses it', () => {
    const [unknown] = check([databaseOf({ databaseId: 5 })], {});
    assert.deepEqual(
      [unknown!.rule, unknown!.level, unknown!.database],
      ['checkpoint-task-unknown', 'note', null],
    );
    assert.deepEqual(check([databaseOf({ databaseId: 5, targetSeconds: 60 })], {}), []);
  });

  it('finds a limit that is exceeded, with what to do, and beside it the state of the task', () => {
    const facts = factsOf([databaseOf({ databaseId: 5 })]);
    const { instance, databases: verdicts } = finishSteps(judgeServer(facts, null, null));
    const limit = { id: 'pages', brief: 'pages 816', text: 'pages 816, limit 740', isUp: true } as const;
    const stopped = { ...instance, state: 'saturated', objection: { kind: 'stop', limit } } as const;
    const known = { facts, verdicts, preflight: emptyPreflight, statistics: new Map() };
    const found = checkServer({ ...known, instance: stopped }, { targets: [], exceptions: [] }).findings;
    assert.deepEqual(listOf(found), ['error limit-exceeded null', 'error checkpoint-task-saturated null']);
    assert.match(found[0]!.advice!, /^Do not run the next wave\..* roll the last one back\.$/);
    assert.match(found[0]!.sentence, /^Stop: pages 816, limit 740\./);
    assert.match(found[1]!.sentence, /^The checkpoint task is almost never free\./);
  });

  it('keeps apart what may hide an exception and what is merely wrong in a policy', () => {
    const problems = ['exceptions[0] is wrong', 'targets[0] is wrong'];
    const findings = checkPolicy({
      policy: { targets: [], exceptions: [] },
      problems,
      unreadable: problems.slice(0, 1),
    });
    assert.deepEqual(valuesOf(findings, 'rule', 'level'), [
      ['policy-unreadable', 'error'],
      ['policy-problem', 'warning'],
    ]);
  });

  it('cannot see roles: then says so, and does not call the database changeable', () => {
    const findings = check(
      [databaseOf({ databaseId: 5, inAvailabilityGroup: true })],
      {},
      { roles: notObservable('no permission') },
    );
    assert.match(findings.find(({ rule }) => rule === 'not-changeable-here')!.sentence, /no permission/);
  });
});

const finding = (database: string | null, more: Partial<CheckFinding> = {}): CheckFinding => ({
  rule: 'outside-policy',
  level: 'error',
  database,
  sentence: `It is about ${HOSTILE}.`,
  title: 'Not as wanted',
  figures: {},
  sources: [{ title: 'A page', url: 'https://learn.microsoft.com/x' }],
  ...more,
});

const server = (name: string, more: Partial<CheckedServer> = {}): CheckedServer => ({
  name,
  serverName: name,
  unread: null,
  state: ['The task is free.', 'Busy 4 %.'],
  databases: [],
  findings: [],
  byWaits: null,
  unseen: [],
  ...more,
});

const report: CheckReport = {
  checkedUtcMs: Date.UTC(2026, 10, 26, 12),
  policyFile: 'a b/.checkpoint-policy.json',
  policyFindings: [finding(null, { rule: 'policy-problem', level: 'warning' })],
  servers: [
    server(`S ${HOSTILE}`, {
      databases: [HOSTILE, 'fine'],
      findings: [finding(HOSTILE), finding(HOSTILE, { rule: 'database-watch', level: 'note' })],
      unseen: [`The log of ${HOSTILE} cannot be seen.`],
    }),
    server('fine', { databases: ['fine'] }),
    server('gone', { serverName: null, unread: `not reached. ${HOSTILE}` }),
  ],
};

function readXml(text: string): Element {
  const { root, errors } = parseXml(text);
  assert.deepEqual(errors, []);
  return root!;
}

describe('Forms of findings', () => {
  const screen = { columns: 100, paint: (style: string, text: string) => `<${style}>${text}</>` };
  const heavy = ['a', 'b', 'c', 'd', 'e'].map((name, at) =>
    finding(name, {
      rule: 'database-switch',
      level: 'warning',
      title: 'Feeds the queue',
      figures: { share_pct: 2 * at + 1, median_s: 4.756 },
    }),
  );
  const limit = finding(null, {
    rule: 'limit-exceeded',
    title: 'pages 816, limit 740',
    advice: 'Roll the last wave back.',
  });
  const stopped = server('SQL07', { state: ['Stop: pages.', 'Busy 58 %.'], findings: [limit, ...heavy] });
  const fleet = {
    ...report,
    policyFindings: [],
    servers: [stopped, server('fine'), server('gone', { serverName: null, unread: 'not reached.' })],
  };

  it('writes on a terminal each server with its state, then a row for each group with its figures and the heaviest three', () => {
    assert.deepEqual(writeBlocks(fleet, screen, false).split('\n').slice(1, -3), [
      '<bold>SQL07</>   <red>Stop: pages.</> Busy 58 %.',
      '',
      '  <red>ERROR    </>pages 816, limit 740                          <dim>limit-exceeded</>',
      '           Roll the last wave back.',
      '  <yellow>WARNING  </>5 databases feed the queue, 25 % of the task  <dim>database-switch</>',
      '           e 9 %  d 7 %  c 5 %  and 2 more',
      '',
      '<bold>fine</>    Nothing found. The task is free. Busy 4 %.',
      '',
      '<bold>gone</>    <yellow>Not read:</> not reached.',
    ]);
    const all = writeBlocks(fleet, screen, true);
    assert.match(
      all,
      /\n {11}e {2}share_pct=9 median_s=4\.76 {2}It is about [^\n]*\n {11}d /,
      'with --all each database',
    );
  });

  it('writes the databases of each planned wave on a line of its own', () => {
    const planned = heavy.map((one, at) => ({
      ...one,
      figures: { ...one.figures, ...(at < 4 && { wave: at < 2 ? 3 : 4 }) },
    }));
    const text = writeBlocks({ ...fleet, servers: [{ ...stopped, findings: planned }] }, screen, false);
    assert.deepEqual(text.split('\n').slice(4, 7), [
      '           wave 3  2 of them  b 3 %  a 1 %',
      '           wave 4  2 of them  d 7 %  c 5 %',
      '           e 9 %',
    ]);
  });

  it('breaks long rows of a narrow terminal, and lets no name write into it', () => {
    const text = writeBlocks(report, { columns: 60, paint: (_, each) => each }, false);
    assert.ok(!text.includes('\u202e') && !text.includes('\u001b'));
    const sentence = text.slice(text.indexOf('It is about'), text.indexOf('outside-policy'));
    for (const line of sentence.split('\n')) assert.ok(line.length <= 60, line);
  });

  it('writes for programs a line for each finding, with tabs between the fields and each figure under its name', () => {
    const rows = writeLines(fleet)
      .split('\n')
      .map((line) => line.split('\t').slice(0, 5));
    assert.deepEqual(rows.slice(0, 2), [
      ['error', 'SQL07', '-', 'limit-exceeded', '-'],
      ['warning', 'SQL07', 'a', 'database-switch', 'share_pct=1 median_s=4.76'],
    ]);
    assert.deepEqual([rows.length, rows[6]], [7, ['unread', 'gone', '-', '-', '-']]);
    assert.equal(writeLines({ ...fleet, servers: [server('fine')] }), '');
    const tabbed = writeLines({ ...fleet, servers: [server('a\tb', { findings: [finding('c\nd')] })] });
    assert.match(tabbed, /^error\ta<U\+0009>b\tc<U\+000A>d\toutside-policy\t-\t[^\t\n]*$/);
  });

  it('counts in one sentence', () => {
    assert.equal(
      summarize(report, 1),
      '1 error, 1 warning and 1 note on 1 of 3 servers. 1 of 3 servers not fully read. Exit code 1.',
    );
    assert.equal(
      summarize({ ...report, policyFindings: [], servers: [server('a')] }, 0),
      'Nothing found. All servers were read. Exit code 0.',
    );
    const unread = server('a', { serverName: null, unread: 'login refused' });
    assert.match(
      summarize({ ...report, policyFindings: [], servers: [unread] }, 4),
      /^Nothing could be checked\. /,
    );
  });

  it('writes exact names as JSON', () => {
    const json = JSON.parse(writeCheckJson(report)) as { version: number; servers: Record<string, never>[] };
    assert.equal(json.version, 1);
    const [first, , gone] = json.servers as unknown as {
      name: string;
      isRead: boolean;
      findings: { database: string; help: string }[];
    }[];
    assert.equal(first!.name, `S ${HOSTILE}`);
    assert.equal(first!.findings[0]!.database, HOSTILE);
    assert.match(first!.findings[0]!.help, /^https:.*docs\/check\.md#outside-policy$/);
    assert.deepEqual([first!.isRead, gone!.isRead], [true, false]);
    const measured = server('S', { findings: [finding('a', { figures: { share_pct: 3.9, per_h: 28 } })] });
    assert.match(
      writeCheckJson({ ...report, servers: [measured] }),
      /"figures": \{\s+"share_pct": 3\.9,\s+"per_h": 28\s+\}/,
    );
  });

  it('writes no half of a surrogate pair, at which jq and others stop', () => {
    const named = {
      ...report,
      servers: [server('S\ud83d', { findings: [finding('\ude00 \\ud83d \u{1f600}')] })],
    };
    for (const text of [writeCheckJson(named), writeSarif(named, null)]) {
      assert.match(text, /"S\ufffd/);
      assert.ok(text.includes(JSON.stringify('\ufffd \\ud83d \u{1f600}').slice(1, -1)));
      assert.doesNotMatch(text.replaceAll('\\\\', ''), /\\ud[89a-f]/);
    }
  });

  it('writes SARIF that its schema allows', () => {
    const file = require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
    const { id, $schema, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    assert.match(`${String($schema)} ${String(id)}`, /draft-04.*sarif-2\.1\.0/);
    const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
    addFormats(ajv);
    const validate = ajv.compile(schema);
    const broken = JSON.parse(writeSarif(report, null)) as { version?: string };
    delete broken.version;
    assert.equal(validate(broken), false);
    for (const anchor of [null, 'servers list.json', 'C:\\x\\y.json', '/etc/servers.json'])
      assert.ok(validate(JSON.parse(writeSarif(report, anchor))), JSON.stringify(validate.errors));
  });

  it('points in SARIF at rule, server, database and file, and makes no link of a name', () => {
    const [run] = (JSON.parse(writeSarif(report, './servers.json')) as Log).runs;
    const { rules = [] } = run!.tool.driver;
    assert.deepEqual(valuesOf(rules, 'id'), RULE_IDS);
    const { results = [] } = run!;
    const [ofPolicy, ofDatabase] = results.map(({ locations }) => locations![0]);
    assert.equal(ofPolicy!.physicalLocation!.artifactLocation!.uri, 'a%20b/.checkpoint-policy.json');
    assert.equal(ofPolicy!.logicalLocations, undefined);
    assert.equal(rules[results[1]!.ruleIndex!]!.id, 'outside-policy');
    assert.deepEqual(ofDatabase!.logicalLocations, [
      { name: HOSTILE, fullyQualifiedName: `S ${HOSTILE}/${HOSTILE}`, kind: 'database' },
    ]);
    assert.equal(ofDatabase!.physicalLocation!.artifactLocation!.uri, 'servers.json');
    assert.ok(results.length > 2);
    for (const { message } of results) assert.doesNotMatch(message.text ?? '', /^$|\]\(|(^|[^{])\{0|\u202e/);
    const [invocation] = run!.invocations!;
    assert.equal(invocation!.executionSuccessful, false);
    assert.deepEqual(valuesOf(invocation!.toolExecutionNotifications!, 'level'), ['note', 'error']);
  });

  it('gives the same thing the same fingerprint while its figures change, and others another', () => {
    const printsOf = (findings: readonly CheckFinding[]): readonly string[] => {
      const sarif = JSON.parse(
        writeSarif({ ...report, policyFindings: [], servers: [server('a', { findings })] }, null),
      ) as Log;
      return sarif.runs[0]!.results!.map(
        ({ partialFingerprints }) => Object.values(partialFingerprints!)[0]!,
      );
    };
    const prints = printsOf([
      finding('db'),
      finding('db', { sentence: 'Now 43 %.' }),
      finding('other'),
      finding('db', { rule: 'database-watch' }),
    ]);
    assert.equal(prints[0], prints[1]);
    assert.equal(new Set(prints).size, 3);
  });

  it('writes JUnit with a suite a server and a case a database, in which only the level asked for fails', () => {
    const root = readXml(writeJunit(report, 'error'));
    assert.deepEqual(
      [root.name, root.attributes['tests'], root.attributes['failures'], root.attributes['errors']],
      ['testsuites', '9', '1', '1'],
    );
    const [policy, first, fine, gone] = root.children;
    assert.deepEqual(valuesOf(policy!.children[0]!.children, 'name'), ['system-out']);
    const cases = first!.children.map(
      ({ attributes, children }) => [attributes['name'], children.map(({ name }) => name)] as const,
    );
    const shown = HOSTILE.replace('\u202e', '<U+202E>').replace('\ufffe', '\ufffd');
    assert.deepEqual(cases, [
      ['server was read', []],
      ['checkpoint task', []],
      [`database ${shown}`, ['failure', 'system-out']],
      ['database fine', []],
    ]);
    assert.deepEqual([fine!.attributes['tests'], fine!.attributes['failures']], ['3', '0']);
    assert.deepEqual(valuesOf(gone!.children[0]!.children, 'name'), ['error']);
    const strict = readXml(writeJunit(report, 'note'));
    assert.equal(strict.attributes['failures'], '2');
  });

  it('explains each rule under its id', () => {
    const text = readFileSync(join(__dirname, '..', '..', 'docs', 'check.md'), 'utf8');
    const headings = [...text.matchAll(/^### (.+)$/gm)].map(([, id]) => id);
    assert.deepEqual(headings, [...RULE_IDS]);
    for (const rule of RULE_IDS)
      assert.match(explainRule(rule)!, new RegExp(`^${rule}\n\n\\w[^#*\\[\\]]+\n\nhttps:\\S+#${rule}$`));
    assert.equal(explainRule('toString'), null);
  });
});
