import assert from 'node:assert/strict';
import fc from 'fast-check';
import { observed } from '../../src/core/advice/facts';
import { writeSessionGrant } from '../../src/core/script/session';
import { makeVisible } from '../../src/core/visible';
import { listNodes, type NamedText, type ScriptNode } from '../../tools/tsql-check/check';
import { installTsqlCheck } from '../../tools/tsql-check/install';
import { fuzzCases } from '../fuzz/cases';
import { commandNames, hostileNames, unseenNames } from '../core/script/hostile-names';
import { databaseOf } from '../core/advice/facts-of';
import { prepareOrSkip } from '../pending';
import { generatedServer, type GeneratedServer, strangeName, writeAll } from './generated-servers';

/** 12 servers with every run of the tests, 100 by `npm run test:long -- fuzz`. */
const servers = Math.max(12, Math.ceil(fuzzCases / 10_000));
const SERVERS_AT_ONCE = 100;
const noPolicy = { targets: [], exceptions: [] };

const longest = [
  '🚀'.repeat(64),
  "'".repeat(128),
  ']'.repeat(128),
  '\u202Egnp.exe',
  'раypal',
  'Ｓales',
  '$(var)',
  'a]b\'c"--',
];
const anyName = fc.oneof(
  fc.constantFrom(...hostileNames, ...commandNames, ...unseenNames, ...longest),
  strangeName,
);
/** Names with quotes that a script for a few databases takes as they are. */
const shortName = fc.string({
  unit: fc.constantFrom("'", ']', '[', ';', ' ', 'G', 'O', 'a', '#'),
  minLength: 1,
  maxLength: 9,
});

describe('A script of databases with hostile names', function () {
  this.timeout(0);

  before(function () {
    return prepareOrSkip(this, installTsqlCheck);
  });

  it('has the statements of the same script with plain names, and each name where that has the plain one', async () => {
    for (let from = 0; from < servers; from += SERVERS_AT_ONCE) {
      const drawn = fc.sample(generatedServer, {
        numRuns: Math.min(SERVERS_AT_ONCE, servers - from),
        seed: 2027 + from,
      });
      await compareAll(drawn.flatMap((server, at) => pairServer(lengthen(server), anyName, from + at)));
    }
  });

  it('has them too where a few databases go without a list', async () => {
    const drawn = fc.sample(generatedServer, { numRuns: servers, seed: 17 });
    const pairs = drawn.flatMap((server, at) => pairServer(shorten(server), shortName, at));
    assert.ok(pairs.some(({ plain }) => plain.sql.includes('ALTER DATABASE [Plain')));
    await compareAll(pairs);
  });

  it('is told from one whose name closed its literal', async () => {
    const plain = { name: 'plain', sql: "SELECT N'Plain01Name';" };
    const names = new Map([['Plain01Name', "x'; DROP DATABASE y;--"]]);
    await compareAll([
      { plain, hostile: { name: 'quoted', sql: "SELECT N'x''; DROP DATABASE y;--';" }, names },
    ]);
    await assert.rejects(
      compareAll([{ plain, hostile: { name: 'open', sql: "SELECT N'x'; DROP DATABASE y;--';" }, names }]),
      /open/,
    );
    await assert.rejects(
      compareAll([{ plain, hostile: { name: 'cut', sql: "SELECT N'x';" }, names }]),
      /cut/,
    );
  });
});

interface Pair {
  readonly plain: NamedText;
  readonly hostile: NamedText;
  /** What stands in the hostile script for each plain name. */
  readonly names: ReadonlyMap<string, string>;
}

/** More databases than a script without a list takes, whatever they are called. */
function lengthen(server: GeneratedServer): GeneratedServer {
  const targetSeconds = server.choice.targetSeconds === 0 ? 60 : 0;
  const more = Array.from({ length: 6 }, (_, at) => databaseOf({ databaseId: 100 + at, targetSeconds }));
  const ids = more.map(({ databaseId }) => databaseId);
  const facts = { ...server.facts, databases: [...server.facts.databases, ...more] };
  return {
    ...server,
    facts,
    choice: { ...server.choice, byName: true, databaseIds: [...server.choice.databaseIds, ...ids] },
  };
}

function shorten(server: GeneratedServer): GeneratedServer {
  const databases = server.facts.databases.filter(({ databaseId }) => databaseId < 8);
  return { ...server, facts: { ...server.facts, databases } };
}

/**
 * The scripts of a server with plain names, each with the same script with drawn names: of databases, groups, replicas,
 * the server and the login.
 */
function pairServer(server: GeneratedServer, name: fc.Arbitrary<string>, seed: number): readonly Pair[] {
  const { databases, roles } = server.facts;
  const groups = roles.kind === 'observed' ? roles.value.size : 0;
  const drawn =
    fc.sample(fc.uniqueArray(name, { minLength: databases.length, maxLength: databases.length }), {
      numRuns: 1,
      seed,
    })[0] ?? [];
  const others = fc.sample(name, { numRuns: 2 * groups + 2, seed: seed + 1 });
  // The GRANT names a login as it is, and a file in UTF-8 holds no half of a surrogate pair.
  const login = Buffer.from(others.pop() ?? '', 'utf8').toString('utf8');
  const all = [...drawn, ...others, login];
  const plain = all.map((_, at) => `Plain${String(at + 1).padStart(2, '0')}Name`);
  const names = new Map(plain.map((each, at) => [each, all[at] ?? '']));
  const [before, after] = [writeNamed(server, plain), writeNamed(server, all)];
  assert.equal(after.length, before.length);
  return before.map((text, at) => ({
    plain: text,
    hostile: { ...(after[at] as NamedText), name: `server ${seed}, script ${at}` },
    names,
  }));
}

/** @param names of the databases, then of the groups and their primary replicas, last of the server and the login */
function writeNamed(server: GeneratedServer, names: readonly string[]): readonly NamedText[] {
  const { facts } = server;
  const [serverName = '', loginName = ''] = names.slice(-2);
  const isSystem = (at: number): boolean => (facts.databases[at]?.databaseId ?? 0) <= 4;
  const databases = facts.databases.map((database, at) =>
    isSystem(at) ? database : { ...database, name: names[at] ?? '' },
  );
  let next = databases.length;
  const roles = [...(facts.roles.kind === 'observed' ? facts.roles.value : [])].map(([id, role]) => {
    const groupName = names[next++] ?? '';
    const primaryReplica = role.primaryReplica === null ? null : (names[next] ?? '');
    next += 1;
    return [id, { ...role, groupName, primaryReplica }] as const;
  });
  const named = {
    ...facts,
    server: { ...facts.server, serverName, loginName },
    databases,
    roles: facts.roles.kind === 'observed' ? observed(new Map(roles)) : facts.roles,
  };
  const grant = {
    name: 'grant',
    sql: writeSessionGrant(['ALTER ANY EVENT SESSION', 'VIEW SERVER STATE'], loginName),
  };
  return [...writeAll({ ...server, facts: named, policy: noPolicy }), grant];
}

/**
 * @throws AssertionError for the first script whose statements are not those of its plain twin, or that has another
 * name than it should
 */
async function compareAll(pairs: readonly Pair[]): Promise<void> {
  const nodes = await listNodes(pairs.flatMap(({ plain, hostile }) => [plain.sql, hostile.sql]));
  pairs.forEach(({ plain, hostile, names }, at) => {
    const wanted = (nodes[2 * at] ?? []).map((node) => ({ ...node, value: rename(node.value, names) }));
    const found = nodes[2 * at + 1] ?? [];
    const other = wanted.findIndex((node, place) => !isSame(node, found[place]));
    if (other < 0 && found.length === wanted.length) return;
    assert.deepEqual(
      found.slice(other, other + 3),
      wanted.slice(other, other + 3),
      `${hostile.name}: ${plain.name}`,
    );
  });
}

function isSame(one: ScriptNode, other: ScriptNode | undefined): boolean {
  return one.kind === other?.kind && one.value === other.value;
}

/** The name of a job has the server's as people can read it, and has room for 128 characters. */
function rename(value: string, names: ReadonlyMap<string, string>): string {
  const isJob = value.startsWith('Checkpoint Health: switch of ');
  const renamed = value.replace(/Plain\d\dName/g, (name) =>
    (isJob ? makeVisible : String)(names.get(name) ?? name),
  );
  return isJob ? renamed.slice(0, 128) : renamed;
}
