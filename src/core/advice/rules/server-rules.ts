/** Rules about the whole server, other than its build. */
import { type Facts, isSystemDatabase, LARGEST_RECOVERY_INTERVAL } from '../facts';
import { formatCount } from '../../format';
import {
  type Answer,
  checkpointsPage,
  citeLearn,
  found,
  nothing,
  notVerified,
  type ServerRule,
  type TaggedSource,
  unseen,
} from '../finding';

const intervalPage = citeLearn(
  'Configure the recovery interval',
  'sql/database-engine/configure-windows/configure-the-recovery-interval-server-configuration-option',
);
const traceFlagsPage = citeLearn('DBCC TRACEON, trace flags', 'sql/t-sql/database-console-commands/dbcc-traceon-trace-flags-transact-sql');

/** From this memory on, the scan of the buffer pool is worth a line: our own number. Microsoft's page speaks of 1 TB, others of 0.7 s at 200 GB. */
const LARGE_MEMORY_MB = 256 * 1024;

interface FlagMeaning {
  readonly flags: readonly number[];
  readonly rule: string;
  readonly meaning: string;
  readonly remedy?: string;
  readonly source: TaggedSource;
}

/** How a trace flag affects what is measured here (docs/facts.md, SQL Server 2 and 6). */
const flagMeanings: readonly FlagMeaning[] = [
  {
    rule: 'trace-flag-3505',
    flags: [3505],
    meaning: 'automatic checkpoints are said to be turned off, and what was measured is not what this server would do without it',
    remedy: 'Find out why it is on, and turn it off before anything is measured.',
    source: notVerified,
  },
  {
    rule: 'trace-flag-messages',
    flags: [3502, 3504],
    meaning: 'more about checkpoints is written to the error log, so its messages cannot be compared with those of other servers',
    source: notVerified,
  },
  {
    rule: 'trace-flag-3468',
    flags: [3468],
    meaning: 'tempdb uses no indirect checkpoints whatever its setting says',
    source: traceFlagsPage,
  },
  {
    rule: 'trace-flag-3449',
    flags: [3449],
    meaning:
      'backups, CREATE DATABASE, added files, log restores, shrinking and shutdown are said to go without FlushCache, from 2012 SP3 CU3 and 2014 SP1 CU7 on, so there are fewer such messages here than elsewhere',
    source: { title: 'SQL Server Trace Flag (sqlserver-kit)', url: 'https://github.com/ktaranov/sqlserver-kit', tag: '?' },
  },
  {
    rule: 'trace-flag-890',
    flags: [890],
    meaning: 'message 898 about long scans of the buffer pool is not written, so that its absence says nothing',
    source: citeLearn('MSSQLSERVER_898', 'sql/relational-databases/errors-events/mssqlserver-898-database-engine-error'),
  },
];

const flagRules: readonly ServerRule[] = flagMeanings.map(({ rule, flags, meaning, remedy, source }) => ({
  rule,
  severity: 'inform',
  sources: [source],
  ask: ({ traceFlags }) => {
    if (traceFlags.kind === 'not observable') return unseen('The trace flags', traceFlags.reason);
    const on = flags.filter((flag) => traceFlags.value.includes(flag));
    return on.length === 0 ? nothing : found(`Trace flag ${on.join(' and ')} is on: ${meaning}.`, remedy);
  },
}));

export const serverRules: readonly ServerRule[] = [
  {
    rule: 'recovery-interval-32767',
    severity: 'look first',
    sources: [intervalPage, checkpointsPage],
    ask: (facts) =>
      askInterval(facts, (minutes) =>
        minutes < LARGEST_RECOVERY_INTERVAL
          ? nothing
          : found(
              `The recovery interval is ${formatCount(minutes)} minutes, the most there is: databases with target 0 have hardly any automatic checkpoint left.`,
              'Find out why, and whether recovery may take that long; what was measured says nothing about automatic checkpoints as they usually are.',
            ),
      ),
  },
  {
    rule: 'recovery-interval-set',
    severity: 'inform',
    sources: [intervalPage, checkpointsPage],
    ask: (facts) =>
      askInterval(facts, (minutes) =>
        minutes === 0 || minutes >= LARGEST_RECOVERY_INTERVAL
          ? nothing
          : found(
              `The recovery interval is ${formatCount(minutes)} min, not the default: it is about databases with target 0, and those that are switched follow their own target instead.`,
            ),
      ),
  },
  ...flagRules,
  {
    rule: 'startup-k',
    severity: 'look first',
    sources: [checkpointsPage],
    ask: ({ startup }) => {
      if (startup.kind === 'not observable') return unseen('The start-up options', startup.reason);
      const { checkpointMbPerSecond } = startup.value;
      return checkpointMbPerSecond === null
        ? nothing
        : found(
            `The server was started with -k ${checkpointMbPerSecond}: its checkpoints may write that many MB a second together, so every duration is longer for it.`,
            'Find out why it was given. Without it the same checkpoints are shorter: that may be all that is to be changed.',
          );
    },
  },
  {
    rule: 'pending-settings',
    severity: 'inform',
    sources: [citeLearn('RECONFIGURE', 'sql/t-sql/language-elements/reconfigure-transact-sql')],
    ask: ({ settings }) => {
      if (settings.kind === 'not observable') return unseen('Settings that wait for RECONFIGURE', settings.reason);
      const { pending } = settings.value;
      if (pending.length === 0) return nothing;
      const name = (of: typeof pending): string => of.map((one) => `${one.name} (${one.inUse}, configured ${one.configured})`).join(', ');
      const [dynamic, restart] = [pending.filter(({ isDynamic }) => isDynamic), pending.filter(({ isDynamic }) => !isDynamic)];
      const sentences = [
        ...(dynamic.length === 0
          ? []
          : [`RECONFIGURE would apply ${name(dynamic)}: so would a change of the recovery interval; a switch runs none.`]),
        ...(restart.length === 0 ? [] : [`A restart would apply ${name(restart)}.`]),
      ];
      return found(sentences.join(' '));
    },
  },
  {
    rule: 'model-automatic',
    severity: 'inform',
    sources: [checkpointsPage],
    ask: ({ server: { modelTargetSeconds } }) => {
      if (modelTargetSeconds === null) return unseen("model's target recovery time", 'the server did not say');
      return modelTargetSeconds !== 0
        ? nothing
        : found(
            'model has target recovery time 0: new databases will be automatic again.',
            'Change model with the script that is made for it.',
          );
    },
  },
  {
    rule: 'scan-cost',
    severity: 'inform',
    sources: [
      {
        title: 'Bob Dorr, SQL 2016 - It Just Runs Faster: Indirect Checkpoint Default',
        url: 'https://learn.microsoft.com/en-us/archive/blogs/psssql/sql-2016-it-just-runs-faster-indirect-checkpoint-default',
        tag: 'D',
      },
      citeLearn(
        'Operations that trigger a buffer pool scan',
        'troubleshoot/sql/performance/buffer-pool-scan-runs-slowly-large-memory-machines',
      ),
    ],
    ask: ({ state, databases }) => {
      if (!databases.some(({ databaseId, targetSeconds }) => targetSeconds === 0 && !isSystemDatabase(databaseId))) return nothing;
      if (state.kind === 'not observable') return unseen('The memory', state.reason);
      const { committedTargetMb } = state.value;
      return committedTargetMb <= LARGE_MEMORY_MB
        ? nothing
        : found(
            `SQL Server may use ${formatCount(Math.round(committedTargetMb / 1024))} GB of memory: an automatic checkpoint looks through all that is cached, however little there is to write.`,
            'Indirect checkpoints keep a list instead: it speaks for the change.',
          );
    },
  },
];

function askInterval({ server }: Facts, answer: (minutes: number) => Answer): Answer {
  const minutes = server.recoveryIntervalMinutes;
  return minutes === null ? unseen('The recovery interval', 'this login may not see it') : answer(minutes);
}
