import {
  type DatabaseFacts,
  type Facts,
  nothingMoreRead,
  observed,
  type ServerFacts,
} from '../../../src/core/advice/facts';

/** A changeable user database on automatic checkpoints, with what the test wants to be different. */
export function databaseOf(facts: Partial<DatabaseFacts> & { databaseId: number }): DatabaseFacts {
  return {
    name: `db${facts.databaseId}`,
    createdLocal: '2019-03-01T10:00:00.123',
    targetSeconds: 0,
    state: 'ONLINE',
    isReadOnly: false,
    isInStandby: false,
    isSnapshot: false,
    recoveryModel: 'FULL',
    logReuseWait: 'NOTHING',
    updateability: 'READ_WRITE',
    inAvailabilityGroup: false,
    ...facts,
  };
}

export function serverOf(facts: Partial<ServerFacts> = {}): ServerFacts {
  return {
    serverName: 'LEGACY-SQL07',
    productVersion: '15.0.4322.2',
    productLevel: 'RTM',
    edition: 'Enterprise Edition (64-bit)',
    engineEdition: 3,
    isClustered: false,
    isHadrEnabled: false,
    pathSeparator: '\\',
    loginName: 'dba',
    nowUtcMs: Date.UTC(2026, 2, 2, 8),
    utcOffsetMinutes: 60,
    startedUtcMs: Date.UTC(2026, 1, 18, 3),
    recoveryIntervalMinutes: 0,
    modelTargetSeconds: 0,
    permissions: {
      viewServerState: true,
      viewPerformanceState: null,
      alterEventSession: true,
      createEventSession: null,
      enableEventSession: null,
      disableEventSession: null,
      addSessionEvent: null,
      dropSessionEvent: null,
      dropEventSession: null,
    },
    ...facts,
  };
}

export function factsOf(databases: readonly DatabaseFacts[], more: Partial<Facts> = {}): Facts {
  return {
    server: serverOf(),
    state: observed({
      committedTargetMb: 262_144,
      physicalMemoryMb: 393_216,
      hasBufferPoolScanComplete: true,
      hasTimestampUtc: true,
    }),
    databases,
    unreadDatabases: 0,
    roles: observed(new Map()),
    ...nothingMoreRead,
    ...more,
  };
}
