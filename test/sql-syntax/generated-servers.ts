import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type AvailabilityRole,
  type DatabaseFacts,
  type Facts,
  notObservable,
  observed,
  type Observed,
  type ServerSettings,
} from '../../src/core/advice/facts';
import type { Choice } from '../../src/core/advice/plan';
import type { Policy } from '../../src/core/advice/policy';
import { writeAgentJob } from '../../src/core/script/agent-job';
import { addPrologue } from '../../src/core/script/prologue';
import type { ScriptRequest } from '../../src/core/script/script-request';
import { nameSessionFile, SHOWN_MARK, writeSessionCreate } from '../../src/core/script/session';
import { finishSteps } from '../../src/core/steps';
import { writeScripts } from '../../src/monitor/script-writing';
import { reviewSwitch } from '../../src/monitor/switch-review';
import { ownSessionTemplates } from '../../src/texts';
import type { NamedText } from '../../tools/tsql-check/check';
import { databaseOf, factsOf, serverOf } from '../core/advice/facts-of';
import { hostileNames } from '../core/script/hostile-names';
import { otherExamples, otherKinds } from '../core/script/other-scripts';

/** A server as it might be, with what somebody asks for on it. */
export interface GeneratedServer {
  readonly facts: Facts;
  readonly choice: Choice;
  readonly policy: Policy;
  readonly requests: readonly ScriptRequest[];
}

/** What a script may meet in a name, each likely to break what is not careful. */
const fragment = fc.constantFrom(
  ...[
    "'",
    ']',
    '"',
    ';',
    ' ',
    '--',
    '/*',
    '*/',
    '\n',
    '\nGO\n',
    '\r\nGO\r\n',
    'GO',
    '$(x)',
    '$(',
    '%s',
    '<a, int, 1>',
  ],
  ...['\u202E', '\u2028', 'é', '数', 'İ', 'ſ', '＇', '🚀', 'DROP DATABASE x'],
);
/** Names of up to 128 characters, made of anything. */
export const strangeName = fc
  .array(fc.oneof(fragment, fc.string({ unit: 'binary', maxLength: 4 })), { minLength: 1, maxLength: 30 })
  .map((parts) => parts.join('').replace(/\0/g, '0').slice(0, 128) || 'x');
const name = fc.oneof(fc.constantFrom('Sales', 'Orders_2019', ...hostileNames), strangeName);
/** Names of hosts and instances cannot hold what names of databases can. */
const serverName = fc.constantFrom(
  'LEGACY-SQL07',
  'SQL01\\PROD',
  'sql-ag.corp.example',
  "O'BRIEN",
  'HOST\\A$B_#1',
  'mi.abc.database.windows.net',
);
const version = fc.constantFrom(
  '11.0.7507.2',
  '12.0.6449.1',
  '13.0.6435.1',
  '14.0.3465.1',
  '15.0.4375.4',
  '16.0.4135.4',
  '17.0.1000.7',
);
const seconds = fc.constantFrom(0, 0, 0, 60, 60, 90, 600, 1);

/** Most are writable: else there would be no script to look at. */
const rarely = fc.nat(9).map((drawn) => drawn === 0);

const database = fc.record({
  name,
  targetSeconds: fc.option(seconds, { freq: 10 }),
  state: fc.oneof(
    { weight: 9, arbitrary: fc.constant('ONLINE') },
    { weight: 1, arbitrary: fc.constantFrom('RESTORING', 'OFFLINE', 'RECOVERY_PENDING', 'SUSPECT') },
  ),
  isReadOnly: rarely,
  isInStandby: rarely,
  isSnapshot: rarely,
  updateability: fc.constantFrom('READ_WRITE', 'READ_WRITE', 'READ_WRITE', 'READ_WRITE', 'READ_ONLY', null),
  inAvailabilityGroup: fc.boolean(),
});

const role = fc.record({
  role: fc.constantFrom('PRIMARY', 'PRIMARY', 'SECONDARY', 'RESOLVING', 'MIXED'),
  groupName: name,
  primaryReplica: fc.option(name),
});

const server = fc
  .record({
    serverName,
    productVersion: version,
    engineEdition: fc.constantFrom(2, 3, 3, 4, 8),
    isClustered: fc.constantFrom(true, false, null),
    isHadrEnabled: fc.boolean(),
    loginName: name,
    recoveryIntervalMinutes: fc.constantFrom(0, 1, 5, 60, 32_767, null),
    modelTargetSeconds: fc.constantFrom(0, 60, 90, null),
    utcOffsetMinutes: fc.constantFrom(0, 60, -330, 840),
  })
  .map((facts) => serverOf(facts));

const pending = fc.array(
  fc.record({ name, configured: fc.nat(), inUse: fc.nat(), isDynamic: fc.boolean() }),
  { maxLength: 2 },
);
const settings: fc.Arbitrary<Observed<ServerSettings>> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ pending }).map((value) => observed(value)) },
  { weight: 1, arbitrary: fc.constant(notObservable("permission was denied on 'x' */")) },
);

const patterns = fc.constantFrom('*', 'S*', '?', "it's*", 'a]b');
const policy = fc.record({
  targets: fc.array(fc.record({ server: fc.constant(null), database: patterns, targetSeconds: seconds }), {
    maxLength: 2,
  }),
  exceptions: fc.array(
    fc.record({
      server: fc.constant(null),
      database: patterns,
      reason: name,
      expires: fc.constantFrom(null, '2020-01-01', '2099-12-31'),
    }),
    { maxLength: 2 },
  ),
});

const choice = fc.record({
  byName: fc.boolean(),
  targetSeconds: fc.constantFrom(60, 60, 1, 120, 3_600, 0),
  reason: fc.option(name),
  waves: fc.record({
    canary: fc.nat(2),
    batch: fc.nat(3),
    pauseMinutes: fc.option(fc.constantFrom(1, 30, 1_439)),
    stopAboveWriteMs: fc.option(fc.constantFrom(5, 20, 1_000)),
  }),
  moved: fc.array(fc.nat(5), { maxLength: 4 }),
});
type DrawnChoice = typeof choice extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Servers of every version and role with strange names, and everything that can be asked of each. */
export const generatedServer: fc.Arbitrary<GeneratedServer> = fc
  .record({
    server,
    settings,
    policy,
    databases: fc.array(database, { minLength: 1, maxLength: 8 }),
    roles: fc.array(role, { minLength: 8, maxLength: 8 }),
    rolesSeen: fc.boolean(),
    drawn: choice,
  })
  .map(({ databases: drawn, ...generated }) => {
    const databases = drawn.map((facts, at) => databaseOf({ ...facts, databaseId: 5 + at }));
    const roles = new Map(
      databases.flatMap(({ databaseId, inAvailabilityGroup }, at) =>
        inAvailabilityGroup ? [[databaseId, roleOf(databaseId, generated.roles[at])] as const] : [],
      ),
    );
    const system = ['master', 'tempdb', 'model', 'msdb'].map((each, at) =>
      databaseOf({ databaseId: at + 1, name: each }),
    );
    const facts = factsOf([...system, ...databases], {
      server: generated.server,
      settings: generated.settings,
      roles: generated.rolesSeen ? observed(roles) : notObservable('VIEW SERVER STATE permission was denied'),
    });
    return {
      facts,
      choice: choose(databases, generated.drawn),
      policy: generated.policy,
      requests: listRequests(databases),
    };
  });

function roleOf(
  databaseId: number,
  drawn: Omit<AvailabilityRole, 'databaseId'> | undefined,
): AvailabilityRole {
  return { databaseId, role: 'PRIMARY', groupName: 'AG1', primaryReplica: null, ...drawn };
}

/** System databases and one that is gone are among those that are asked for: they must be left out. */
function choose(
  databases: readonly DatabaseFacts[],
  { byName, targetSeconds, reason, moved, waves }: DrawnChoice,
): Choice {
  const databaseIds = [1, 2, 3, 4, 999, ...databases.map(({ databaseId }) => databaseId)];
  const waveOf = new Map(moved.map((wave, at) => [5 + at, wave + 1]));
  return {
    databaseIds,
    byName,
    targetSeconds,
    reason: targetSeconds === 0 ? (reason ?? 'as before') : reason,
    waves,
    waveOf,
  };
}

function listRequests(databases: readonly DatabaseFacts[]): readonly ScriptRequest[] {
  return [
    { kind: 'before failover', databaseIds: null, windows: 3, stopAfterMinutes: 20 },
    ...otherKinds.map((kind) => otherExamples[kind].request(databases, 1)),
  ];
}

/**
 * Every script of a server: the switch and its twins, the job, each of the others that can be written, and our event
 * session.
 */
export function writeAll({ facts, choice, policy, requests }: GeneratedServer): readonly NamedText[] {
  const { scripts } = finishSteps(
    reviewSwitch(choice, facts, null, null, {
      inForce: { policy, problems: [] },
      hash: () => 'f'.repeat(64),
    }),
  );
  const others = requests.flatMap((request) => {
    try {
      return writeScripts(request, facts, { evidence: null, instance: null }).map(
        ({ title, kind, text }) => ({ name: `${request.kind} (${kind}) on ${title}`, sql: text }),
      );
    } catch (error) {
      // Nothing to write, or nothing that could be undone: said in one sentence.
      assert.match((error as Error).message, /^[^]*\.$/);
      return [];
    }
  });
  const reviewed = scripts?.scripts ?? [];
  const jobs = reviewed.filter(({ kind }) => kind === 'change').map(writeAgentJob);
  const switched = [...reviewed, ...jobs].map(({ title, text }) => ({ name: `${title} `, sql: text }));
  return [...switched, ...others, { name: 'session', sql: writeSession({ facts }) }];
}

function writeSession({ facts }: Pick<GeneratedServer, 'facts'>): string {
  const databaseIds = facts.databases.map(({ databaseId }) => databaseId);
  const fileName = nameSessionFile("D:\\it's here\\");
  return addPrologue(
    writeSessionCreate(
      { databaseIds, hasBufferPoolScanComplete: true, majorVersion: 16, fileName, mark: SHOWN_MARK },
      ownSessionTemplates.create,
    ),
  );
}
