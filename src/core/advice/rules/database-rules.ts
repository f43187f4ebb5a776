/** Rules about one database. */
import { countOf, formatCount, formatDuration } from '../../format';
import { type DatabaseFacts, type DatabaseFiles, type DatabaseLog, type Facts, isSystemDatabase, type Observed } from '../facts';
import { findObstacle } from '../obstacle';
import { DEFAULT_TARGET_SECONDS } from '../plan';
import { isBoxProduct } from './builds';
import { type Answer, checkpointsPage, citeLearn, type DatabaseRule, found, inferred, nothing, unseen } from '../finding';
import { t } from '../../language';

/** Above this write latency the engine itself slows its checkpoints down: 20 ms before SQL Server 2016, 50 ms since (docs/facts.md, SQL Server 1). */
function throttleLatencyMs(facts: Facts): number {
  const major = Number.parseInt(facts.server.productVersion, 10);
  return isBoxProduct(facts.server) && major < 13 ? 20 : 50;
}

/** From this many virtual log files on, look at them before the change: our own number, below the 4,000 to 9,000 of the published case. */
const MANY_VLFS = 1000;

const logPage = citeLearn('The transaction log', 'sql/relational-databases/logs/the-transaction-log-sql-server');

/** Asked first: if a database cannot be changed here, the other rules do not matter. */
export const obstacleRule: DatabaseRule = {
  rule: 'not-changeable-here',
  severity: 'blocks',
  sources: [
    citeLearn('Target recovery time among the SET options of a database', 'sql/t-sql/statements/alter-database-transact-sql-set-options'),
  ],
  ask: (database, facts) => {
    const obstacle = findObstacle(database, facts);
    return obstacle === null ? nothing : found(`${database.name} ${obstacle}.`);
  },
};

/** 'look first' before 'inform'. */
export const databaseRules: readonly DatabaseRule[] = [
  {
    rule: 'value-set-on-purpose',
    severity: 'look first',
    sources: [checkpointsPage],
    ask: ({ name, targetSeconds, databaseId }) =>
      isSystemDatabase(databaseId) || targetSeconds === null || targetSeconds === 0 || targetSeconds === DEFAULT_TARGET_SECONDS
        ? nothing
        : found(
            `${name} has ${countOf(targetSeconds, t('{0} second'), t('{0} seconds'))}: someone chose that value.`,
            'Ask who did before it is overwritten.',
          ),
  },
  {
    rule: 'slow-data-writes',
    severity: 'look first',
    sources: [checkpointsPage],
    ask: (database, facts) =>
      askOf(facts.files, database, 'The write latency and volumes of files', ({ dataWriteMs }) => {
        const limitMs = throttleLatencyMs(facts);
        return dataWriteMs === null || dataWriteMs < limitMs
          ? nothing
          : found(
              `Writes to the data files of ${database.name} took ${formatDuration(dataWriteMs)} on average since the server started, ${limitMs} ms or more: the storage is near its limit, and indirect checkpoints can add writes.`,
              'Look at the storage first, or switch outside of busy hours and watch total write work.',
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
      askOf(facts.files, database, 'The write latency and volumes of files', ({ dataVolumes, logVolumes }) => {
        if (dataVolumes.length === 0 || logVolumes.length === 0)
          return unseen('The volumes of files', 'this login or platform does not show them');
        const shared = logVolumes.filter((volume) => dataVolumes.includes(volume));
        return shared.length === 0
          ? nothing
          : found(`Data and log of ${database.name} are on one volume (${shared.join(', ')}): log writes wait with page writes.`);
      }),
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
      askOf(facts.logs, database, 'The number of virtual log files', ({ vlfCount }) =>
        vlfCount < MANY_VLFS
          ? nothing
          : found(
              `The log of ${database.name} has ${formatCount(vlfCount)} virtual log files.`,
              'Put that right at another time than the switch, so that the effects can be told apart.',
            ),
      ),
  },
  {
    rule: 'oldest-page',
    severity: 'inform',
    sources: [logPage],
    // OLDEST_PAGE comes with indirect checkpoints (docs/facts.md, SQL Server 2). With automatic ones it is momentary and says nothing against a switch.
    ask: ({ name, logReuseWait, targetSeconds }) =>
      logReuseWait === 'OLDEST_PAGE' && targetSeconds !== 0
        ? found(
            `The log of ${name} waits for its oldest dirty page (log_reuse_wait_desc OLDEST_PAGE), as it can with indirect checkpoints: page writes do not keep up.`,
            'Look at the write latency of its data files; a CHECKPOINT by hand writes the page.',
          )
        : nothing,
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
    ask: ({ name, recoveryModel, targetSeconds }) =>
      recoveryModel === 'SIMPLE' && targetSeconds === 0
        ? found(
            `${name} is in SIMPLE: only checkpoints empty its log.`,
            'Where its log may not grow, watch how full it is after the switch: in a published case with 60 seconds and few writes one filled to 99 %, past the 70 % where a checkpoint is due, until a CHECKPOINT by hand.',
          )
        : nothing,
  },
  {
    rule: 'accelerated-recovery',
    severity: 'inform',
    sources: [citeLearn('Accelerated database recovery', 'sql/relational-databases/accelerated-database-recovery-concepts')],
    ask: ({ databaseId, name }, { acceleratedRecovery }) => {
      if (acceleratedRecovery.kind === 'not observable') return unseen('Accelerated database recovery', acceleratedRecovery.reason);
      return acceleratedRecovery.value.has(databaseId)
        ? found(
            `${name} uses accelerated database recovery: undo takes hardly any time, but redo still begins at the last checkpoint, so how often it has one decides how long it takes to recover.`,
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
      return role?.role === 'PRIMARY'
        ? found(
            `${database.name} is the primary replica of ${role.groupName || 'an availability group'}: its secondaries take over the value.`,
          )
        : nothing;
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
  return unseen(what, state === 'ONLINE' ? 'the server did not say' : 'the database is not online');
}
