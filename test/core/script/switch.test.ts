import assert from 'node:assert/strict';
import { type Choice, defaultWaves, NOT_MEASURED } from '../../../src/core/advice/plan';
import type { DatabaseFacts, Facts } from '../../../src/core/advice/facts';
import { observed } from '../../../src/core/observed';
import { writeAgentJob } from '../../../src/core/script/agent-job';
import { planSwitch } from '../finished';
import { isSameScript } from '../../../src/core/script/review-program';
import type { ScriptOrigin } from '../../../src/core/script/switch-heading';
import { databaseOf, factsOf } from '../advice/facts-of';
import { hostileNames } from './hostile-names';
import { listSwitched } from './read-literal';
import { changeOf, choiceOf, rollbackOf, writeSwitch } from './scripts-of';

const origin = {
  serverName: "SQL'07",
  readAt: '2026-03-02 09:00:00 UTC+1',
  evidence: '17,496 checkpoints in 2 h',
};
const facts = factsOf([
  ...hostileNames.map((name, i) => databaseOf({ databaseId: 10 + i, name })),
  databaseOf({ databaseId: 90, isReadOnly: true }),
]);
const ids = facts.databases.map((database) => database.databaseId);
const plan = planSwitch(choiceOf(ids, true), facts, () => 'p95 */ 2 s');
const written = writeSwitch(plan, origin);
const change = changeOf(written);
const rollback = rollbackOf(written);

describe('The switch script', () => {
  it('names every database exactly once, in order, whatever it is called', () => {
    assert.deepEqual(listSwitched(change), hostileNames);
    assert.deepEqual(listSwitched(rollback), [...hostileNames].reverse());
  });

  it('begins with what it changes, on what evidence, what was left out, by kind and number, and names its server as a literal', () => {
    assert.match(
      change,
      /^\/\* SWITCH: 8 databases on SQL'07 to indirect checkpoints: ALTER DATABASE \[name\] SET TARGET_RECOVERY_TIME = 60 SECONDS\.\n/,
    );
    assert.match(change, /\n {3}Evidence: 17,496 checkpoints in 2 h\n/);
    assert.ok(change.includes("NOT IN (N'SQL''07')"));
    assert.match(change, /\n {3}Left out: 1: read-only \(1\); the change record names them\.\n/);
  });

  it('is told from its twin, and from another switch, by the 40 characters that a tab shows of a first line', () => {
    const tab = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 40);
    assert.equal(tab(change), "/* SWITCH: 8 databases on SQL'07 to indi");
    assert.equal(tab(rollback), "/* ROLLBACK: 8 databases on SQL'07 to au");
  });

  it('is not written for a plan without databases', () => {
    assert.throws(() => writeSwitch({ ...plan, steps: [] }, origin));
  });
});

/** One switch of all these databases. */
const switchOf = (
  given: Facts,
  more: Partial<Choice> = {},
  from: ScriptOrigin = origin,
  describe: (database: DatabaseFacts) => string = () => NOT_MEASURED,
) => {
  const chosen = given.databases.map(({ databaseId }) => databaseId);
  return writeSwitch(planSwitch(choiceOf(chosen, true, more), given, describe), from);
};
/** Databases with plain names, in as many waves as the default choice makes of them. */
const plain = (count: number, more: Partial<Choice> = {}, from: Partial<ScriptOrigin> = {}) => {
  const many = factsOf(
    Array.from({ length: count }, (_, at) => databaseOf({ databaseId: at + 5, name: `Sales_${at}` })),
  );
  return switchOf(many, { waves: defaultWaves, ...more }, { ...origin, serverName: 'LEGACY-SQL07', ...from });
};
const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n');
const unwrap = (text: string): string => text.replace(/\s+/g, ' ');
const headingOf = (text: string): readonly string[] => linesOf(text.slice(0, text.indexOf('*/')));
const everyCheck = new Map([
  [5, [{ rule: 'oldest-page', severity: 'look first', sentence: 'x', remedy: null, sources: [] } as const]],
]);
const full: Partial<ScriptOrigin> = {
  evidence: 'w '.repeat(600),
  preflight: { server: [], databases: everyCheck, unseen: ['Trace flags.'] },
  forecast: { now: 0.97, bound: 0.3, waves: [{ wave: 1, databases: 3, low: 0.06, high: 0.29 }] },
};

describe('The size of a switch script', () => {
  for (const [what, count, more, lines] of [
    ['one database', 1, {}, 31],
    ['three', 3, {}, 43],
    ['five in two waves', 5, {}, 64],
    ['308', 308, {}, 380],
    ['308 that go on by themselves', 308, { waves: { ...defaultWaves, pauseMinutes: 15 } }, 466],
  ] as const)
    it(`is at most ${lines} lines for ${what}, none over 140 characters, whatever its heading has to say`, () => {
      for (const { text } of plain(count, { reason: 'r '.repeat(400), ...more }, full).scripts) {
        assert.ok(linesOf(text).length <= lines, `${linesOf(text).length} lines`);
        assert.ok(headingOf(text).length <= 12, `${headingOf(text).length} lines of heading`);
        assert.deepEqual(
          linesOf(text).filter((line) => line.length > 140),
          [],
        );
        assert.doesNotMatch(text, /<[^<>]*,[^<>]*,[^<>]*>/, 'no parameter of SSMS');
      }
    });

  it('is at most 45 lines of guard and loop, with the statement as a literal in it', () => {
    const { text } = plain(308).scripts[0]!;
    const program = linesOf(text.slice(text.indexOf('/* Guard:'), text.search(/^END;\n\/\* What/m) + 4));
    assert.ok(program.length <= 45 && program.length > 30, String(program.length));
    assert.equal(
      program.filter((line) =>
        line.includes("N'ALTER DATABASE [name] SET TARGET_RECOVERY_TIME = {wanted} SECONDS WITH NO_WAIT;'"),
      ).length,
      1,
    );
  });

  it('has a row for each database in pieces of a thousand, which is what INSERT takes', () => {
    const [change] = plain(2_300).scripts;
    const pieces = change!.text
      .split(/^INSERT @list .*$/m)
      .slice(1)
      .map((piece) => piece.slice(0, piece.indexOf(');')).match(/^ {4}\(/gm)?.length);
    assert.deepEqual(pieces, [1_000, 1_000, 300]);
  });
});

describe('A switch of up to five databases with plain names', () => {
  it('has no list, but each ALTER as it will be run', () => {
    const { text } = plain(3).scripts[0]!;
    assert.doesNotMatch(text, /@list|WHILE|sp_executesql/);
    assert.match(
      text,
      /^ {4}ALTER DATABASE \[Sales_0\] SET TARGET_RECOVERY_TIME = 60 SECONDS WITH NO_WAIT;$/m,
    );
    assert.equal(text.match(/^ {4}ALTER DATABASE /gm)?.length, 3);
  });

  it('has a list where a name is not plain, where it goes on by itself, and for six', () => {
    const named = (name: string): string =>
      changeOf(switchOf(factsOf([databaseOf({ databaseId: 5, name })])));
    for (const name of ['100%', 'a<b', '$(x)', 'S\u00fcd', 'tab\tx', 'n'.repeat(128), 'x--y', 'a*/b'])
      assert.match(named(name), /INSERT @list/, name);
    for (const name of ["O'Brien", 'a]b', 'Sales 2019', 'WSS_Content-08'])
      assert.doesNotMatch(named(name), /@list/, name);
    assert.match(
      plain(3, { waves: { canary: 1, batch: 1, pauseMinutes: 5, stopAboveWriteMs: null } }).scripts[0]!.text,
      /INSERT @list/,
    );
    assert.match(plain(6).scripts[0]!.text, /INSERT @list/);
  });
});

describe('The evidence in a switch script', () => {
  it('stands behind a row where it was measured and is its own, and nowhere else', () => {
    const words = new Map([
      [20, '125 checkpoints, p95 3 s'],
      [21, NOT_MEASURED],
      [22, 'the same'],
      [23, 'the same'],
    ]);
    const many = factsOf(
      Array.from({ length: 7 }, (_, at) => databaseOf({ databaseId: at + 20, name: `Sales_${at}` })),
    );
    const text = changeOf(
      switchOf(many, {}, origin, ({ databaseId }) => words.get(databaseId) ?? NOT_MEASURED),
    );
    const comments = [...text.matchAll(/^ {4}\(1, N'(\w+)'.*\/\* (.*) \*\/$/gm)].map(([, name, comment]) => [
      name,
      comment,
    ]);
    assert.deepEqual(comments, [['Sales_0', '125 checkpoints, p95 3 s']]);
  });
});

describe('A switch script of an availability group', () => {
  const role = (replicas: readonly string[]) => ({
    role: 'PRIMARY',
    groupName: 'Sales',
    primaryReplica: 'SQL-A',
    replicas,
  });
  const write = (replicas: readonly string[], local = 0) => {
    const databases = Array.from({ length: 7 }, (_, at) =>
      databaseOf({ databaseId: at + 5, name: `Sales_${at}`, inAvailabilityGroup: at >= local }),
    );
    const grouped = databases.filter(({ inAvailabilityGroup }) => inAvailabilityGroup);
    const idOf = (databaseId: number): string =>
      `FA698289-3ADF-427C-8BB9-1A321FBC${String(databaseId).padStart(4, '0')}`;
    const copies = grouped.map(
      ({ databaseId }) =>
        [databaseId, { groupDatabaseId: idOf(databaseId), redoQueueKb: 0, isForwarder: null }] as const,
    );
    const of = factsOf(databases, {
      roles: observed(
        new Map(grouped.map(({ databaseId }) => [databaseId, { databaseId, ...role(replicas) }])),
      ),
      copies: observed(new Map(copies)),
    });
    return switchOf(of, {}, { ...origin, serverName: 'SQL-A' }).scripts.map(({ text }) => text);
  };

  it('names all replicas in its guard, and says so; its rollback too', () => {
    for (const text of write(['sql-a', 'SQL-B', 'SQL-C'])) {
      assert.match(text, /NOT IN \(N'SQL-A', N'SQL-B', N'SQL-C'\)/);
      assert.match(text, /Runs on: {2}any server that the guard names/);
      assert.doesNotMatch(text, /\bcreated datetime NOT NULL/);
    }
  });

  it('names its own server alone where the replicas cannot be seen, and says that the others can be added', () => {
    for (const text of write([])) {
      assert.match(text, /NOT IN \(N'SQL-A'\)/);
      assert.match(
        unwrap(text),
        /Not all replicas of Sales can be seen from SQL-A: add the others to the guard\./,
      );
    }
  });

  it('tells a database of the group by its identity there, and another one by when it was created', () => {
    const [change = ''] = write(['SQL-A', 'SQL-B'], 1);
    assert.match(change, /N'Sales_0', NULL, +'2019-03-01T10:00:00\.123', 0, 60\),/);
    assert.match(change, /N'Sales_1', 'FA698289-3ADF-427C-8BB9-1A321FBC0006', NULL, 0, 60\),/);
    assert.match(unwrap(change), /1 database in no group: on SQL-A alone\./);
  });
});

describe('A script that is open already', () => {
  it('is the same one if it was written again from a later reading, and another one if anything else differs', () => {
    const later = changeOf(writeSwitch(plan, { ...origin, readAt: '2026-03-02 10:07:31 UTC-3:30' }));
    assert.ok(isSameScript(change, later.replaceAll('\n', '\r\n')));
    assert.ok(!isSameScript(change, rollback));
    assert.ok(!isSameScript(change, change.replace(origin.readAt, 'x */\nALTER DATABASE a SET OFFLINE\n/*')));
  });
});

describe('The switch as an Agent job', () => {
  it('holds the very text as one literal, is disabled, has no schedule, and is guarded as the switch is', () => {
    for (const count of [2, 308]) {
      const [change] = plain(count).scripts;
      const { title, text } = writeAgentJob(change!);
      assert.equal(title, `AGENT JOB: ${count} databases on LEGACY-SQL07`);
      assert.match(text, new RegExp(`^/\\* AGENT JOB: switch of ${count} databases`));
      assert.ok(headingOf(text).length <= 12);
      assert.equal(headingOf(text).join().includes('DECLARE @wave'), change!.text.includes('DECLARE @wave'));
      const literal = /@step nvarchar\(max\) =\nN'((?:[^']|'')*)';\n/.exec(text)?.[1] ?? '';
      assert.equal(literal.replaceAll("''", "'"), change!.text);
      assert.doesNotMatch(text, /\$\(|sp_add_(job)?schedule|sp_start_job @/);
      assert.match(text, /@enabled = 0,/);
      assert.ok(text.indexOf("NOT IN (N'LEGACY-SQL07')") < text.indexOf('@step nvarchar(max)'));
    }
  });
});
