/** Rules about the whole server, other than its build. */
import { isSystemDatabase, LARGEST_RECOVERY_INTERVAL } from '../facts';
import { formatCount } from '../../format';
import { fillText, joinSentences, t } from '../../language';
import {
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
const traceFlagsPage = citeLearn(
  'DBCC TRACEON, trace flags',
  'sql/t-sql/database-console-commands/dbcc-traceon-trace-flags-transact-sql',
);

/**
 * From this memory on, the scan of the buffer pool is worth a line: our own number. Microsoft's page speaks of 1 TB,
 * others of 0.7 s at 200 GB.
 */
const LARGE_MEMORY_MB = 256 * 1024;

/** From this on, a recovery interval is looked at first: our own number. */
export const LONG_INTERVAL_MINUTES = 10;

interface FlagMeaning {
  readonly flags: readonly number[];
  readonly rule: string;
  /** One sentence or two. */
  readonly meaning: string;
  readonly remedy?: string;
  readonly source: TaggedSource;
}

/** How a trace flag affects what is measured here (docs/facts.md, SQL Server 2 and 6). */
const flagMeanings: readonly FlagMeaning[] = [
  {
    rule: 'trace-flag-3505',
    flags: [3505],
    meaning: t(
      'It reportedly turns automatic checkpoints off. Without it, this server would behave differently from what was measured here.',
    ),
    remedy: t('Find out why it is on. Turn it off before you measure anything.'),
    source: notVerified,
  },
  {
    rule: 'trace-flag-messages',
    flags: [3502, 3504],
    meaning: t(
      'It writes more about checkpoints to the error log, so the messages here cannot be compared with those of other servers.',
    ),
    source: notVerified,
  },
  {
    rule: 'trace-flag-3468',
    flags: [3468],
    meaning: t('tempdb does not use indirect checkpoints, whatever its setting says.'),
    source: traceFlagsPage,
  },
  {
    rule: 'trace-flag-3449',
    flags: [3449],
    meaning: t(
      'From 2012 SP3 CU3 and 2014 SP1 CU7 on, it reportedly makes backups, CREATE DATABASE, adding files, log restores, shrinking and shutdown skip FlushCache. So expect fewer such messages here.',
    ),
    source: {
      title: 'SQL Server Trace Flag (sqlserver-kit)',
      url: 'https://github.com/ktaranov/sqlserver-kit',
      tag: '?',
    },
  },
  {
    rule: 'trace-flag-890',
    flags: [890],
    meaning: t(
      'Message 898 about long scans of the buffer pool is not written, so finding none proves nothing.',
    ),
    source: citeLearn(
      'MSSQLSERVER_898',
      'sql/relational-databases/errors-events/mssqlserver-898-database-engine-error',
    ),
  },
];

const flagRules: readonly ServerRule[] = flagMeanings.map(({ rule, flags, meaning, remedy, source }) => ({
  rule,
  severity: 'inform',
  sources: [source],
  ask: ({ traceFlags }) => {
    if (traceFlags.kind === 'not observable') return unseen(t('The trace flags'), traceFlags.reason);
    const on = flags.filter((flag) => traceFlags.value.includes(flag));
    if (on.length === 0) return nothing;
    const which =
      on.length === 1 ? t('Trace flag {0} is on.', on[0] ?? 0) : t('Trace flags {0} are on.', on.join(', '));
    return found(`${which} ${meaning}`, remedy);
  },
}));

export const serverRules: readonly ServerRule[] = [
  intervalRule(
    'recovery-interval-32767',
    'look first',
    (minutes) => minutes >= LARGEST_RECOVERY_INTERVAL,
    t(
      'The recovery interval is {0} minutes, the maximum. Databases with target 0 have hardly any automatic checkpoints left.',
    ),
    t(
      'Find out why, and whether recovery may take that long. What was measured does not show how automatic checkpoints usually behave.',
    ),
  ),
  intervalRule(
    'recovery-interval-long',
    'look first',
    (minutes) => minutes >= LONG_INTERVAL_MINUTES && minutes < LARGEST_RECOVERY_INTERVAL,
    t('The recovery interval is {0} minutes, so automatic checkpoints come late and write much at once.'),
    t('Find out why. Setting it back to 0, which is about one minute, may be all you need.'),
  ),
  intervalRule(
    'recovery-interval-set',
    'inform',
    (minutes) => minutes > 0 && minutes < LONG_INTERVAL_MINUTES,
    t(
      'The recovery interval is {0} min, not the default. It applies to databases with target 0. Switched databases follow their own target instead.',
    ),
  ),
  ...flagRules,
  {
    rule: 'startup-k',
    severity: 'look first',
    sources: [checkpointsPage],
    ask: ({ startup }) => {
      if (startup.kind === 'not observable') return unseen(t('The startup options'), startup.reason);
      const { checkpointMbPerSecond } = startup.value;
      return checkpointMbPerSecond === null
        ? nothing
        : found(
            t(
              'The server was started with -k {0}: all its checkpoints together may write at most that many MB a second, so each takes longer.',
              checkpointMbPerSecond,
            ),
            t(
              'Find out why. Without this option the same checkpoints are shorter. That may be all you need to change.',
            ),
          );
    },
  },
  {
    rule: 'pending-settings',
    severity: 'inform',
    sources: [citeLearn('RECONFIGURE', 'sql/t-sql/language-elements/reconfigure-transact-sql')],
    ask: ({ settings }) => {
      if (settings.kind === 'not observable')
        return unseen(t('Settings that wait for RECONFIGURE'), settings.reason);
      const { pending } = settings.value;
      if (pending.length === 0) return nothing;
      const name = (of: typeof pending): string =>
        of.map((one) => t('{0} ({1}, configured {2})', one.name, one.inUse, one.configured)).join(', ');
      const dynamic = pending.filter(({ isDynamic }) => isDynamic);
      const restart = pending.filter(({ isDynamic }) => !isDynamic);
      const now = t(
        'RECONFIGURE would apply {0}. Changing the recovery interval runs it; a switch does not.',
        name(dynamic),
      );
      const later = t('A restart would apply {0}.', name(restart));
      return found(joinSentences(dynamic.length === 0 ? '' : now, restart.length === 0 ? '' : later));
    },
  },
  {
    rule: 'model-automatic',
    severity: 'inform',
    sources: [checkpointsPage],
    ask: ({ server: { modelTargetSeconds } }) => {
      if (modelTargetSeconds === null)
        return unseen(t('The target recovery time of model'), t('the server did not say'));
      return modelTargetSeconds !== 0
        ? nothing
        : found(
            t('model has target recovery time 0: new databases will be automatic again.'),
            t('Change model too. There is a script for it.'),
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
      if (
        !databases.some(
          ({ databaseId, targetSeconds }) => targetSeconds === 0 && !isSystemDatabase(databaseId),
        )
      )
        return nothing;
      if (state.kind === 'not observable') return unseen(t('The memory'), state.reason);
      const { committedTargetMb } = state.value;
      return committedTargetMb <= LARGE_MEMORY_MB
        ? nothing
        : found(
            t(
              'SQL Server may use {0} GB of memory. An automatic checkpoint scans all pages in it, however few there are to write.',
              formatCount(Math.round(committedTargetMb / 1024)),
            ),
            t('Indirect checkpoints keep a list instead. That is a reason to switch.'),
          );
    },
  },
];

/** @param sentence with the minutes in {0} */
function intervalRule(
  rule: string,
  severity: ServerRule['severity'],
  isFound: (minutes: number) => boolean,
  sentence: string,
  remedy?: string,
): ServerRule {
  return {
    rule,
    severity,
    sources: [intervalPage, checkpointsPage],
    ask: ({ server: { recoveryIntervalMinutes: minutes }, settings }) => {
      if (minutes === null)
        return unseen(
          t('The recovery interval'),
          settings.kind === 'not observable' ? settings.reason : t('the server did not say'),
        );
      return isFound(minutes) ? found(fillText(sentence, formatCount(minutes)), remedy) : nothing;
    },
  };
}
