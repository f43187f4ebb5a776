import type { Facts, Permissions, ServerFacts } from '../../core/advice/facts';
import { isAmazonRds } from '../../core/advice/platform';
import type { TrackingObstacle } from '../../core/capture/tracking-status';
import { writeSessionGrant } from '../../core/script/session';
import { fillText, joinSentences, t } from '../../core/language';

/** SERVERPROPERTY('EngineEdition') of platforms without event sessions of the server (docs/facts.md, SQL Server 6). */
const withoutServerSessions: ReadonlyMap<number, string> = new Map([
  [5, 'Azure SQL Database'],
  [11, 'Azure Synapse serverless SQL'],
  [12, 'Microsoft Fabric'],
]);
const MANAGED_INSTANCE = 8;

/**
 * Whether an event session there can write only blobs with a credential, and no files of its own: then it records in
 * memory (docs/facts.md, SQL Server 6).
 */
export function hasNoFiles({ engineEdition }: Pick<ServerFacts, 'engineEdition'>): boolean {
  return engineEdition === MANAGED_INSTANCE;
}

/**
 * The folder of the event files; '' for the folder of the error log. Amazon RDS allows one folder only (docs/facts.md,
 * SQL Server 6).
 */
export function findSessionFolder(facts: Facts): string {
  return isAmazonRds(facts) ? 'D:\\rdsdbdata\\log\\' : '';
}

/** Why this login cannot track checkpoints on this server, before it tries; null if nothing known is in the way. */
export function findTrackingObstacle(server: ServerFacts): TrackingObstacle | null {
  const platform = withoutServerSessions.get(server.engineEdition);
  if (platform !== undefined)
    return {
      brief: t('not possible on {0}', platform),
      missing: [],
      sentence: describeObstacle(server, platform),
      grant: null,
    };
  const missing = listMissing(server, 'start');
  const sentence = findMissingPermission(server);
  if (sentence === null) return null;
  return {
    brief: t('needs {0}', joinWords(missing)),
    missing,
    sentence,
    grant: writeSessionGrant(missing, server.loginName),
  };
}

/** The same as the end of "Cannot tell: ..."; null if checkpoints can be recorded. */
export function describeBlindness(server: ServerFacts): string | null {
  const platform = withoutServerSessions.get(server.engineEdition);
  if (platform !== undefined) return t('tracking is not possible on {0}', platform);
  return findTrackingObstacle(server) === null
    ? null
    : t('this login has no permission to record checkpoints');
}

function describeObstacle(server: ServerFacts, platform: string): string {
  return joinSentences(
    t(
      '{0} is {1}, which has no event sessions for the whole server, so this version cannot track it.',
      server.serverName,
      platform,
    ),
    t('The list of databases and the review of scripts work without tracking.'),
    server.engineEdition === 5
      ? t('You can record the checkpoints of one database there by hand, with sql/azure.')
      : '',
  );
}

/**
 * What is done with our session. `start again`: one that was stopped is dropped first; `remove running`: it is stopped
 * first.
 */
export type TrackingStep =
  | 'start'
  | 'start again'
  | 'stop'
  | 'change databases'
  | 'remove'
  | 'remove running';

/**
 * From SQL Server 2022 each part is a permission of its own; ALTER ANY EVENT SESSION covers all of them (docs/facts.md,
 * SQL Server 6).
 */
const permissionNames = {
  createEventSession: 'CREATE ANY EVENT SESSION',
  enableEventSession: 'ALTER ANY EVENT SESSION ENABLE',
  disableEventSession: 'ALTER ANY EVENT SESSION DISABLE',
  addSessionEvent: 'ALTER ANY EVENT SESSION ADD EVENT',
  dropSessionEvent: 'ALTER ANY EVENT SESSION DROP EVENT',
  dropEventSession: 'DROP ANY EVENT SESSION',
} as const satisfies Partial<Record<keyof Permissions, string>>;

const WORKS_UNTRACKED = t(
  'The list of databases and the review of scripts work without it, and so does the error log as far as this login may read it. Writes (I/O) are sampled only while tracking.',
);

interface StepNeeds {
  /** {0}: what is missing, {1}: the login, {2}: the server. */
  readonly needs: string;
  readonly parts: readonly (keyof typeof permissionNames)[];
  readonly stillWorks: string;
}

const steps: Readonly<Record<TrackingStep, StepNeeds>> = {
  start: {
    needs: t('Tracking needs {0}, which the login {1} does not have on {2}.'),
    parts: ['createEventSession', 'enableEventSession'],
    stillWorks: WORKS_UNTRACKED,
  },
  'start again': {
    needs: t('Tracking in place of the stopped session needs {0}, which the login {1} does not have on {2}.'),
    parts: ['dropEventSession', 'createEventSession', 'enableEventSession'],
    stillWorks: WORKS_UNTRACKED,
  },
  stop: {
    needs: t('Stopping the event session needs {0}, which the login {1} does not have on {2}.'),
    parts: ['disableEventSession'],
    stillWorks: t(
      'Until then the session continues within its limits and is still read. The script for the administrator: sql/change/session-stop.sql.',
    ),
  },
  'change databases': {
    needs: t('Changing the tracked databases needs {0}, which the login {1} does not have on {2}.'),
    parts: ['dropSessionEvent', 'addSessionEvent'],
    stillWorks: t('Until then tracking continues with the current databases.'),
  },
  remove: {
    needs: t('Removing the event session needs {0}, which the login {1} does not have on {2}.'),
    parts: ['dropEventSession'],
    stillWorks: t(
      'Until then it stays as it is. The script for the administrator: sql/change/session-drop.sql.',
    ),
  },
  'remove running': {
    needs: t('Removing the running event session needs {0}, which the login {1} does not have on {2}.'),
    parts: ['disableEventSession', 'dropEventSession'],
    stillWorks: t(
      'Until then tracking continues. The scripts for the administrator: sql/change/session-stop.sql and session-drop.sql.',
    ),
  },
};

/**
 * What this login lacks for a step of tracking, in one sentence with what to do and what still works; null if nothing
 * is known to be missing. Before SQL Server 2022 the parts are not known, and ALTER ANY EVENT SESSION is all of them.
 */
export function findMissingPermission(server: ServerFacts, step: TrackingStep = 'start'): string | null {
  const { needs, stillWorks } = steps[step];
  const missing = listMissing(server, step);
  if (missing.length === 0) return null;
  const needed = fillText(needs, joinWords(missing), server.loginName, server.serverName);
  return joinSentences(needed, t('Ask an administrator to grant it.'), stillWorks);
}

/** At most two in practice. */
function joinWords(words: readonly string[]): string {
  return words.reduce((before, word) => t('{0} and {1}', before, word));
}

function listMissing(server: ServerFacts, step: TrackingStep): readonly string[] {
  const { permissions } = server;
  const { parts } = steps[step];
  const lacked =
    permissions.alterEventSession === true ? [] : parts.filter((part) => permissions[part] !== true);
  // If the login has none of them, or the server does not know them, the one permission that covers all is named.
  const missing =
    lacked.length === parts.length
      ? ['ALTER ANY EVENT SESSION']
      : lacked.map((part) => permissionNames[part]);
  return step.startsWith('start') && lacksView(permissions)
    ? [...missing, nameViewPermission(server)]
    : missing;
}

/** SQL Server 2022 has a part of VIEW SERVER STATE that is enough (docs/facts.md, SQL Server 6). */
export function nameViewPermission({ productVersion }: Pick<ServerFacts, 'productVersion'>): string {
  return Number(productVersion.split('.')[0] ?? 0) >= 16
    ? 'VIEW SERVER PERFORMANCE STATE'
    : 'VIEW SERVER STATE';
}

/** Whether this login may not see the server's state. Events, write work and the cost of checkpoints rest on it. */
export function lacksView({ viewServerState, viewPerformanceState }: Permissions): boolean {
  return viewServerState === false && viewPerformanceState !== true;
}
