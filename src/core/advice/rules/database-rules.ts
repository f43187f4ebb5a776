/**
 * Rules about one database. The place that shows a finding names the database before it, so the sentences do not: the
 * same of several databases is one.
 */
import { countSeconds, formatCount, formatDuration } from '../../format';
import { t } from '../../language';
import {
  type DatabaseFacts,
  type DatabaseFiles,
  type DatabaseLog,
  type Facts,
  isSystemDatabase,
  type Observed,
} from '../facts';
import { describeHeldLog } from '../known-of-database';
import { findObstacle } from '../obstacle';
import { DEFAULT_TARGET_SECONDS } from '../plan';
import { isBoxProduct } from './builds';
import {
  type Answer,
  checkpointsPage,
  citeLearn,
  type DatabaseRule,
  found,
  inferred,
  nothing,
  unseen,
} from '../finding';

/**
 * Above this write latency the engine itself slows its checkpoints down: 20 ms before SQL Server 2016, 50 ms since
 * (docs/facts.md, SQL Server 1).
 */
function throttleLatencyMs(facts: Facts): number {
  const major = Number.parseInt(facts.server.productVersion, 10);
  return isBoxProduct(facts.server) && major < 13 ? 20 : 50;
}

/**
 * From this many virtual log files on, look at them before the change: our own number, below the 4,000 to 9,000 of the
 * published case.
 */
const MANY_VLFS = 1000;

const logPage = citeLearn(
  'The transaction log',
  'sql/relational-databases/logs/the-transaction-log-sql-server',
);

/** Asked first: if a database cannot be changed here, the other rules do not matter. */
export const obstacleRule: DatabaseRule = {
  rule: 'not-changeable-here',
  severity: 'blocks',
  sources: [
    citeLearn(
      'Target recovery time among the SET options of a database',
      'sql/t-sql/statements/alter-database-transact-sql-set-options',
    ),
  ],
  ask: (database, facts) => {
    const obstacle = findObstacle(database, facts);
    return obstacle === null ? nothing : found(t('No change is possible here. {0}', obstacle.sentence));
  },
};

/** 'look first' before 'inform'. */
export const databaseRules: readonly DatabaseRule[] = [
  {
    rule: 'value-set-on-purpose',
    severity: 'look first',
    sources: [checkpointsPage],
    ask: ({ targetSeconds, databaseId }) =>
      isSystemDatabase(databaseId) ||
      targetSeconds === null ||
      targetSeconds === 0 ||
      targetSeconds === DEFAULT_TARGET_SECONDS
        ? nothing
        : found(
            t('The target is {0}, not the default of 60 seconds.', countSeconds(targetSeconds)),
            t('Ask its owner before you overwrite it.'),
          ),
  },
  {
    rule: 'slow-data-writes',
    severity: 'look first',
    sources: [checkpointsPage],
    ask: (database, facts) =>
      askOf(facts.files, database, t('The write latency and volumes of files'), ({ dataWriteMs }) => {
        const limitMs = throttleLatencyMs(facts);
        return dataWriteMs === null || dataWriteMs < limitMs
          ? nothing
          : found(
              t(
                'Writes to the data files have taken {0} on average since the server started. At {1} ms or more the storage is near its limit, and indirect checkpoints can add writes.',
                formatDuration(dataWriteMs),
                limitMs,
              ),
              t('Look at the storage first. Or switch outside busy hours and watch total write work.'),
            );
      }),
  },
  {
    rule: 'data-and-log-on-one-volume',
    severity: 'inform',
    sources: [
      citeLearn(
        'Place data and log files on separate drives',
        'sql/relational-databases/policy-based-management/place-data-and-log-files-on-separate-drives',
      ),
    ],
    ask: (database, facts) =>
      askOf(
        facts.files,
        database,
        t('The write latency and volumes of files'),
        ({ dataVolumes, logVolumes }) => {
          if (dataVolumes.length === 0 || logVolumes.length === 0)
            return unseen(
              t('The volumes of files'),
              facts.volumes.kind === 'not observable'
                ? facts.volumes.reason
                : t('this login or platform does not show them'),
            );
          const shared = logVolumes.filter((volume) => dataVolumes.includes(volume));
          return shared.length === 0
            ? nothing
            : found(
                t(
                  'The data and log files are on the same volume ({0}), so log writes have to wait for page writes.',
                  shared.join(', '),
                ),
              );
        },
      ),
  },
  {
    rule: 'many-virtual-log-files',
    severity: 'inform',
    sources: [
      citeLearn(
        'Transaction log architecture and management guide',
        'sql/relational-databases/sql-server-transaction-log-architecture-and-management-guide',
      ),
    ],
    ask: (database, facts) =>
      askOf(facts.logs, database, t('The number of virtual log files'), ({ vlfCount }) =>
        vlfCount < MANY_VLFS
          ? nothing
          : found(
              t('The log has {0} virtual log files.', formatCount(vlfCount)),
              t(
                'Reduce them before or after the switch, not together with it. Otherwise the effects cannot be told apart.',
              ),
            ),
      ),
  },
  {
    rule: 'oldest-page',
    severity: 'inform',
    sources: [logPage],
    // OLDEST_PAGE comes with indirect checkpoints (docs/facts.md, SQL Server 2). With automatic ones it is momentary
    // and says nothing against a switch.
    ask: (database, facts) => {
      const held = describeHeldLog(database, facts);
      return held === ''
        ? nothing
        : found(held, t('Look at the write latency of the data files. A manual CHECKPOINT empties the log.'));
    },
  },
  {
    rule: 'simple-log',
    severity: 'inform',
    sources: [
      {
        title: 'Stack Overflow 54630421, Unusual checkpoint behaviour in SQL Server',
        url: 'https://stackoverflow.com/questions/54630421/unusual-checkpoint-behaviour-in-sql-server',
        tag: 'M',
      },
      checkpointsPage,
    ],
    ask: ({ recoveryModel, targetSeconds }) =>
      recoveryModel === 'SIMPLE' && targetSeconds === 0
        ? found(
            t('The recovery model is SIMPLE: only checkpoints empty the log.'),
            t(
              'If the log cannot grow, watch how full it is after the switch. In a published case (60 seconds, few writes) a log filled to 99 %, past the 70 % at which a checkpoint is due, until a manual CHECKPOINT.',
            ),
          )
        : nothing,
  },
  {
    rule: 'accelerated-recovery',
    severity: 'inform',
    sources: [
      citeLearn(
        'Accelerated database recovery',
        'sql/relational-databases/accelerated-database-recovery-concepts',
      ),
    ],
    ask: ({ databaseId }, { acceleratedRecovery }) => {
      if (acceleratedRecovery.kind === 'not observable')
        return unseen(t('Accelerated database recovery'), acceleratedRecovery.reason);
      return acceleratedRecovery.value.has(databaseId)
        ? found(
            t(
              'Accelerated database recovery is on. Undo takes hardly any time, but redo still begins at the last checkpoint, so how often there is one decides how long recovery takes.',
            ),
          )
        : nothing;
    },
  },
  {
    rule: 'replicas-inherit',
    severity: 'inform',
    sources: [inferred],
    ask: (database, facts) => {
      if (!database.inAvailabilityGroup || facts.roles.kind === 'not observable') return nothing;
      const role = facts.roles.value.get(database.databaseId);
      if (role?.role !== 'PRIMARY') return nothing;
      return found(
        role.groupName === ''
          ? t('This is the primary replica. The secondary replicas get the new value too.')
          : t(
              'This is the primary replica, in {0}. The secondary replicas get the new value too.',
              role.groupName,
            ),
      );
    },
  },
];

/** Takes one database's part of a reading of all databases. */
function askOf<T extends DatabaseFiles | DatabaseLog>(
  observation: Observed<ReadonlyMap<number, T>>,
  { databaseId, state }: DatabaseFacts,
  what: string,
  answer: (value: T) => Answer,
): Answer {
  if (observation.kind === 'not observable') return unseen(what, observation.reason);
  const value = observation.value.get(databaseId);
  if (value !== undefined) return answer(value);
  return unseen(what, state === 'ONLINE' ? t('the server did not say') : t('the database is not online'));
}
