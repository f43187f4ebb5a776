/** Rules about the whole server, other than its build. */
import { type Facts } from '../facts';
import { formatCount } from '../../format';
import { type Answer, checkpointsPage, citeLearn, found, notVerified, nothing, type ServerRule, unseen } from './rule';

const intervalPage = citeLearn(
  'Configure the recovery interval',
  'sql/database-engine/configure-windows/configure-the-recovery-interval-server-configuration-option',
);
const traceFlagsPage = citeLearn('DBCC TRACEON, trace flags', 'sql/t-sql/database-console-commands/dbcc-traceon-trace-flags-transact-sql');

/** The largest value that sp_configure takes. */
const largestIntervalMinutes = 32_767;
/** "Large memory": a number of ours, since the warning names none. */
const largeMemoryMb = 256 * 1024;

interface FlagMeaning {
  readonly flags: readonly number[];
  readonly rule: string;
  readonly meaning: string;
  readonly remedy: string | null;
}

/** What a trace flag does to what is measured here (docs/facts.md, SQL Server 6). */
const flagMeanings: readonly FlagMeaning[] = [
  {
    rule: 'trace-flag-3505',
    flags: [3505],
    meaning: 'automatic checkpoints are said to be turned off, and what was measured is not what this server would do without it',
    remedy: 'Find out why it is on, and turn it off before anything is measured.',
  },
  {
    rule: 'trace-flag-messages',
    flags: [3502, 3504],
    meaning: 'more about checkpoints is written to the error log, so its messages cannot be compared with those of other servers',
    remedy: null,
  },
  { rule: 'trace-flag-3468', flags: [3468], meaning: 'tempdb uses no indirect checkpoints whatever its setting says', remedy: null },
  {
    rule: 'trace-flag-3449',
    flags: [3449],
    meaning: 'it changes when the cache is scanned for dirty pages; somebody had a reason for it',
    remedy: null,
  },
  { rule: 'trace-flag-890', flags: [890], meaning: 'it changes how dirty pages are written; somebody had a reason for it', remedy: null },
];

const flagRules: readonly ServerRule[] = flagMeanings.map(({ rule, flags, meaning, remedy }) => ({
  rule,
  severity: 'inform',
  sources: [rule === 'trace-flag-3468' ? traceFlagsPage : notVerified],
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
        minutes < largestIntervalMinutes
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
        minutes === 0 || minutes >= largestIntervalMinutes
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
    rule: 'large-memory-availability-group',
    severity: 'inform',
    sources: [notVerified],
    ask: ({ state, databases }) => {
      if (!databases.some(({ inAvailabilityGroup }) => inAvailabilityGroup)) return nothing;
      if (state.kind === 'not observable') return unseen('The memory', state.reason);
      return state.value.physicalMemoryMb < largeMemoryMb
        ? nothing
        : found(
            'Much memory and an availability group: an old warning against indirect checkpoints there is handed on, whose source could not be found.',
          );
    },
  },
];

function askInterval({ server }: Facts, answer: (minutes: number) => Answer): Answer {
  const minutes = server.recoveryIntervalMinutes;
  return minutes === null ? unseen('The recovery interval', 'this login may not see it') : answer(minutes);
}
