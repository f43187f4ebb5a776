import assert from 'node:assert/strict';
import {
  type DatabaseFacts,
  type DatabaseFiles,
  type Facts,
  notObservable,
  observed,
  type ServerFacts,
  type ServerSettings,
} from '../../../../src/core/advice/facts';
import {
  allDatabaseRules,
  allServerRules,
  describeUnread,
} from '../../../../src/core/advice/rules/preflight';
import { checkPreflight } from '../../finished';
import { databaseOf, factsOf, serverOf } from '../facts-of';

/** Everything was read, and nothing stands out. */
function wholeFacts(more: Partial<Facts> = {}): Facts {
  const databases = more.databases ?? [
    databaseOf({ databaseId: 7 }),
    databaseOf({ databaseId: 8, targetSeconds: 60 }),
  ];
  const ids = databases.map(({ databaseId }) => databaseId);
  return factsOf(databases, {
    server: serverOf({ modelTargetSeconds: 60 }),
    settings: observed({ pending: [] }),
    traceFlags: observed([]),
    startup: observed({ checkpointMbPerSecond: null }),
    logs: observed(new Map(ids.map((id) => [id, { vlfCount: 40, sinceCheckpointMb: 1 }]))),
    files: observed(new Map(ids.map((id) => [id, filesOf()]))),
    acceleratedRecovery: observed(new Set<number>()),
    ...more,
  });
}

function filesOf(more: Partial<DatabaseFiles> = {}): DatabaseFiles {
  return { dataMb: 1000, logMb: 100, dataVolumes: ['D:\\'], logVolumes: ['L:\\'], dataWriteMs: 2, ...more };
}

const withMemoryMb = (committedTargetMb: number): Facts['state'] =>
  observed({
    committedTargetMb,
    physicalMemoryMb: 1_048_576,
    hasBufferPoolScanComplete: true,
    hasTimestampUtc: true,
  });

const database = (facts: Partial<DatabaseFacts>): Partial<Facts> => ({
  databases: [databaseOf({ databaseId: 7, ...facts })],
});
const DYNAMIC = { name: 'cost threshold for parallelism', configured: 50, inUse: 5, isDynamic: true };
const pending = (settings: ServerSettings['pending']): Facts['settings'] => observed({ pending: settings });

const serverFindings = (facts: Facts): readonly string[] =>
  checkPreflight(facts).server.map(({ rule, severity }) => `${rule}: ${severity}`);
const findingsOf = (databaseId: number, facts: Facts): readonly string[] =>
  (checkPreflight(facts).databases.get(databaseId) ?? []).map(({ rule, severity }) => `${rule}: ${severity}`);

describe('A preflight', () => {
  it('finds nothing where everything was read and nothing stands out', () => {
    assert.deepEqual(checkPreflight(wholeFacts()), { server: [], databases: new Map(), unseen: [] });
  });

  it('passes nothing that could not be asked', () => {
    const { unseen } = checkPreflight(
      factsOf([databaseOf({ databaseId: 7 })], { server: serverOf({ recoveryIntervalMinutes: null }) }),
    );
    assert.deepEqual(
      unseen.map((sentence) => sentence.split(' cannot be seen: ')[0]),
      [
        'The recovery interval',
        'The startup options',
        'The trace flags',
        'Settings that wait for RECONFIGURE',
        'The write latency and volumes of files',
        'The number of virtual log files',
        'Accelerated database recovery',
      ],
    );
  });

  it('says of how many databases something could not be asked', () => {
    const files = observed(new Map([[7, filesOf({ dataVolumes: [] })]]));
    const unseen = [notObservable('Row 1 is wrong.'), observed(new Map())].map(
      (volumes) => checkPreflight(wholeFacts({ files, volumes })).unseen,
    );
    assert.equal(unseen[0]?.[0], 'The volumes of files of 1 database cannot be seen: Row 1 is wrong.');
    assert.deepEqual(unseen[1], [
      'The volumes of files of 1 database cannot be seen: this login or platform does not show them.',
      'The write latency and volumes of files of 1 database cannot be seen: the server did not say.',
    ]);
  });

  const server = (more: Partial<ServerFacts>): Partial<Facts> => ({
    server: serverOf({ modelTargetSeconds: 60, ...more }),
  });
  const ofServer: [string, Partial<Facts>, readonly string[]][] = [
    [
      'a build without fixes',
      server({ productVersion: '14.0.1000.169' }),
      ['dirty-page-list-kb4040276: inform', 'dirty-page-list-kb4497928: inform'],
    ],
    [
      'a recovery interval of 32767',
      server({ recoveryIntervalMinutes: 32_767 }),
      ['recovery-interval-32767: look first'],
    ],
    ['another recovery interval', server({ recoveryIntervalMinutes: 5 }), ['recovery-interval-set: inform']],
    ['-k', { startup: observed({ checkpointMbPerSecond: 200 }) }, ['startup-k: look first']],
    ['trace flag 3505', { traceFlags: observed([1118, 3505]) }, ['trace-flag-3505: inform']],
    [
      'trace flags for messages, as one',
      { traceFlags: observed([3504, 3502]) },
      ['trace-flag-messages: inform'],
    ],
    [
      '3449, 3468 and 890',
      { traceFlags: observed([890, 3449, 3468]) },
      ['trace-flag-3468: inform', 'trace-flag-3449: inform', 'trace-flag-890: inform'],
    ],
    ['a trace flag that is not about checkpoints: nothing', { traceFlags: observed([1117]) }, []],
    ['settings that wait for RECONFIGURE', { settings: pending([DYNAMIC]) }, ['pending-settings: inform']],
    ['model at 0', server({ modelTargetSeconds: 0 }), ['model-automatic: inform']],
    ['much memory, as a reason for a switch', { state: withMemoryMb(262_145) }, ['scan-cost: inform']],
    [
      'much memory where nothing is automatic but master: nothing',
      {
        state: withMemoryMb(786_432),
        databases: [databaseOf({ databaseId: 1 }), databaseOf({ databaseId: 7, targetSeconds: 60 })],
      },
      [],
    ],
    ['an availability group with less memory: nothing', database({ inAvailabilityGroup: true }), []],
  ];
  for (const [title, more, expected] of ofServer)
    it(`finds on the server: ${title}`, () => assert.deepEqual(serverFindings(wholeFacts(more)), expected));

  const files = (more: Partial<DatabaseFiles>): Partial<Facts> => ({
    files: observed(new Map([[7, filesOf(more)]])),
  });
  const primary = observed(
    new Map([[7, { databaseId: 7, role: 'PRIMARY', groupName: 'AG', primaryReplica: 'A' }]]),
  );
  const ofDatabase: [string, Partial<Facts>, readonly string[]][] = [
    [
      'OLDEST_PAGE on indirect checkpoints, with which it comes',
      database({ logReuseWait: 'OLDEST_PAGE', targetSeconds: 60 }),
      ['oldest-page: inform'],
    ],
    [
      'OLDEST_PAGE on automatic checkpoints: nothing against a switch',
      database({ logReuseWait: 'OLDEST_PAGE' }),
      [],
    ],
    ['SIMPLE before a switch', database({ recoveryModel: 'SIMPLE' }), ['simple-log: inform']],
    [
      'SIMPLE that has indirect checkpoints already: nothing',
      database({ recoveryModel: 'SIMPLE', targetSeconds: 60 }),
      [],
    ],
    ['another wait of the log: nothing', database({ logReuseWait: 'LOG_BACKUP' }), []],
    ['a value set on purpose', database({ targetSeconds: 120 }), ['value-set-on-purpose: look first']],
    ['slow writes', files({ dataWriteMs: 50 }), ['slow-data-writes: look first']],
    ['writes below the limit of its version: nothing', files({ dataWriteMs: 49.9 }), []],
    ['no write at all: nothing', files({ dataWriteMs: null }), []],
    [
      'data and log on one volume',
      files({ logVolumes: ['D:\\', 'L:\\'] }),
      ['data-and-log-on-one-volume: inform'],
    ],
    [
      'many virtual log files',
      { logs: observed(new Map([[7, { vlfCount: 9000, sinceCheckpointMb: null }]])) },
      ['many-virtual-log-files: inform'],
    ],
    [
      'accelerated database recovery',
      { acceleratedRecovery: observed(new Set([7])) },
      ['accelerated-recovery: inform'],
    ],
    [
      'an obstacle, and nothing else of it',
      database({ isReadOnly: true, targetSeconds: 120 }),
      ['not-changeable-here: blocks'],
    ],
    [
      'the primary replica',
      { ...database({ inAvailabilityGroup: true }), roles: primary },
      ['replicas-inherit: inform'],
    ],
  ];
  for (const [title, more, expected] of ofDatabase)
    it(`finds of a database: ${title}`, () => {
      const facts = wholeFacts(more);
      assert.deepEqual(findingsOf(7, facts), expected);
      for (const { sentence, remedy } of checkPreflight(facts).databases.get(7) ?? [])
        assert.doesNotMatch(`${sentence} ${remedy}`, /db7/, 'its name stands before the finding');
    });

  it('knows that the engine slows checkpoints down at 20 ms before SQL Server 2016, and at 50 ms since and in Azure', () => {
    const files = observed(new Map([[7, filesOf({ dataWriteMs: 30 })]]));
    const at = (productVersion: string, engineEdition = 3) =>
      findingsOf(
        7,
        wholeFacts({ files, server: serverOf({ productVersion, engineEdition, modelTargetSeconds: 60 }) }),
      ).includes('slow-data-writes: look first');
    assert.deepEqual(
      [at('11.0.7001.0'), at('12.0.6024.0'), at('13.0.6300.2'), at('12.0.2000.8', 8)],
      [true, true, false, false],
    );
  });

  it('tells settings that RECONFIGURE would apply from those that wait for a restart', () => {
    const atRestart = { name: 'fill factor (%)', configured: 90, inUse: 0, isDynamic: false };
    const [finding] = checkPreflight(wholeFacts({ settings: pending([DYNAMIC, atRestart]) })).server;
    assert.equal(
      finding?.sentence,
      'RECONFIGURE would apply cost threshold for parallelism (5, configured 50). Changing the recovery interval runs it; a switch does not. ' +
        'A restart would apply fill factor (%) (0, configured 90).',
    );
  });

  it('says of trace flags what they do, where a page says so', () => {
    const says = new Map(
      checkPreflight(wholeFacts({ traceFlags: observed([890, 3449]) })).server.map(({ rule, sentence }) => [
        rule,
        sentence,
      ]),
    );
    assert.match(
      says.get('trace-flag-890') ?? '',
      /Message 898 .* is not written, so finding none proves nothing/,
    );
    assert.match(says.get('trace-flag-3449') ?? '', /makes backups, CREATE DATABASE, .* skip FlushCache/);
  });

  it('says of accelerated recovery that redo still begins at the last checkpoint', () => {
    const [finding] =
      checkPreflight(wholeFacts({ acceleratedRecovery: observed(new Set([7])) })).databases.get(7) ?? [];
    assert.match(finding?.sentence ?? '', /redo still begins at the last checkpoint/);
  });

  it('counts nothing as seen where the memory cannot be', () => {
    const { unseen } = checkPreflight(wholeFacts({ state: notObservable('VIEW SERVER STATE was denied') }));
    assert.deepEqual(unseen, ['The memory cannot be seen: VIEW SERVER STATE was denied.']);
  });

  it('hands on what could be read in part only', () => {
    assert.deepEqual(
      checkPreflight(wholeFacts({ unread: ['The files of one database could not be read: a reason.'] }))
        .unseen,
      ['The files of one database could not be read: a reason.'],
    );
  });

  it('says of a login that sees neither model nor msdb that it sees a part of the databases', () => {
    const seen = (name: string, engineEdition: number): Facts =>
      factsOf([databaseOf({ databaseId: 4, name })], {
        server: serverOf({ modelTargetSeconds: null, engineEdition }),
      });
    assert.match(describeUnread(seen('Shop', 3)).join(), /^This login does not see all databases\. /);
    assert.deepEqual(describeUnread(seen('msdb', 3)), [], 'through the listener of a contained group');
    assert.deepEqual(describeUnread(seen('Shop', 5)), [], 'in Azure SQL Database there is no more');
  });

  it('asks about the databases that are named, where some are', () => {
    const databases = [
      databaseOf({ databaseId: 7, targetSeconds: 90 }),
      databaseOf({ databaseId: 8, targetSeconds: 90 }),
    ];
    assert.deepEqual(
      [...checkPreflight(wholeFacts({ databases }), databases.slice(1)).databases.keys()],
      [8],
    );
  });
});

describe('Every rule of the preflight', () => {
  const rules = [...allServerRules, ...allDatabaseRules];

  it('has a name of its own and at least one source that a reader can open, or that is said not to be published', () => {
    assert.equal(new Set(rules.map(({ rule }) => rule)).size, rules.length);
    for (const { rule, sources } of rules) {
      assert.ok(sources.length > 0, rule);
      for (const { title, url, tag } of sources) {
        assert.doesNotMatch(title, /docs\/|\.md/, rule);
        assert.ok(
          url === null ? tag === 'I' || tag === '?' : url.startsWith('https://'),
          `${rule}: ${title}`,
        );
      }
    }
  });

  it('only informs where all that it rests on is inferred or not verified', () => {
    const weak = rules.filter(({ sources }) => sources.every(({ tag }) => tag === 'I' || tag === '?'));
    assert.ok(weak.length >= 4);
    assert.deepEqual(
      weak.filter(({ severity }) => severity !== 'inform').map(({ rule }) => rule),
      [],
    );
  });

  it('comes before those that weigh less', () => {
    for (const list of [allServerRules, allDatabaseRules]) {
      const weights = list.map(({ severity }) => ['blocks', 'look first', 'inform'].indexOf(severity));
      assert.deepEqual(weights, [...weights].sort());
    }
  });
});
