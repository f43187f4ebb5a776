import { type Facts, LARGEST_RECOVERY_INTERVAL } from '../advice/facts';
import { english, formatCount } from '../format';
import { joinSentences, t } from '../language';
import type { OtherScript } from './other-script';
import { quoteInStringInScript, writeInteger } from './quote';
import { type HeadingField, type ReviewOrigin, writeProgram } from './review-program';
import type { ReviewScript } from './script-set';
import type { ReviewTemplate, ReviewText } from './text';

/** With more minutes RECONFIGURE asks for WITH OVERRIDE. */
const RECOMMENDED_RECOVERY_INTERVAL = 60;

/** Why this is no recovery interval, as one sentence; null if it is one. */
export function checkRecoveryInterval(minutes: number): string | null {
  if (Number.isInteger(minutes) && minutes >= 0 && minutes <= LARGEST_RECOVERY_INTERVAL) return null;
  return t(
    'The recovery interval is a whole number of minutes from 0 to 32767. 0, the default, means about one minute.',
  );
}

/** What this value means, for the screen; null if it is an ordinary one. */
export function warnOfRecoveryInterval(minutes: number): string | null {
  if (minutes === LARGEST_RECOVERY_INTERVAL)
    return t(
      '32767 effectively turns automatic checkpoints off. The work to redo after a crash has no limit, and under SIMPLE recovery the log is cleared only when it is 70 % full.',
    );
  if (minutes > RECOMMENDED_RECOVERY_INTERVAL)
    return t(
      'Above {0} minutes SQL Server advises against it and takes it only with RECONFIGURE WITH OVERRIDE. Recovery after a crash may take about that long.',
      RECOMMENDED_RECOVERY_INTERVAL,
    );
  return null;
}

/** The same for the script. */
function writeWarning(minutes: number): string | null {
  if (minutes === LARGEST_RECOVERY_INTERVAL)
    return '32767 effectively turns automatic checkpoints off: the work to redo after a crash has no limit, and under SIMPLE recovery the log is cleared at 70 % full only.';
  if (minutes > RECOMMENDED_RECOVERY_INTERVAL)
    return `Above ${RECOMMENDED_RECOVERY_INTERVAL} minutes SQL Server advises against it and takes it only with RECONFIGURE WITH OVERRIDE: recovery after a crash may take about that long.`;
  return null;
}

/**
 * Writes the change of `recovery interval (min)` and its rollback twin. Either stops if another option waits for
 * RECONFIGURE, which would apply it too.
 * @throws Error if the value in use was not seen, is already the wanted one, or the wanted one is refused by
 * checkRecoveryInterval
 */
export function writeRecoveryInterval(
  minutes: number,
  facts: Facts,
  origin: ReviewOrigin,
  template: ReviewTemplate,
): readonly ReviewScript[] {
  const refusal = checkRecoveryInterval(minutes);
  if (refusal !== null) throw new Error(refusal);
  const before = facts.server.recoveryIntervalMinutes;
  if (before === null)
    throw new Error(t('This login cannot see the recovery interval in use, so no script could restore it.'));
  if (before === minutes)
    throw new Error(
      t('The recovery interval is {0} already, so there is nothing to change.', formatCount(minutes)),
    );
  const write = (what: string, from: number, to: number, more: readonly HeadingField[]): ReviewText =>
    writeProgram({ what, origin, fields: [...more, ...always] }, template, {
      server_name: quoteInStringInScript(origin.serverName),
      expected_minutes: writeInteger(from),
      wanted_minutes: writeInteger(to),
    });
  const { serverName } = origin;
  const warning = writeWarning(minutes);
  const change = write(
    `RECOVERY INTERVAL: from ${before} to ${english.countOf(minutes, 'minute')} on ${serverName}.`,
    before,
    minutes,
    [
      ['Affects', describeAffected(facts)],
      ...(warning === null ? [] : [['Warning', warning] as const]),
      ['Waiting', describePending(facts)],
    ],
  );
  const rollback = write(
    `ROLLBACK: recovery interval back to ${english.countOf(before, 'minute')} on ${serverName}. Run it only to undo the change.`,
    minutes,
    before,
    [
      [
        'Restores',
        `the value wherever the one found is ${minutes}, even if another person set it: run it only where the change said CHANGED.`,
      ],
    ],
  );
  return [
    { title: `Recovery interval of ${serverName}`, kind: 'change', text: change },
    { title: `Rollback of the recovery interval of ${serverName}`, kind: 'rollback', text: rollback },
  ];
}

const always: readonly HeadingField[] = [
  [
    'Effect',
    'at once. Where show advanced options is off, it is turned on and off again. A second run changes nothing.',
  ],
  [
    'Needs',
    'ALTER SETTINGS (sysadmin, serveradmin). It prints CHANGED, LEFT ALONE or FAILED, and both options as they are then.',
  ],
];

function describeAffected({ databases }: Facts): string {
  const automatic = databases.filter(({ targetSeconds }) => targetSeconds === 0).length;
  const indirect = databases.filter(({ targetSeconds }) => (targetSeconds ?? 0) > 0).length;
  return `databases with a target recovery time of 0 only (${automatic} here, system databases included), not the others (${indirect}).`;
}

const MOST_PENDING = 2;

function describePending({ settings }: Facts): string {
  if (settings.kind === 'not observable')
    return `whether other options wait for RECONFIGURE was not observable: ${settings.reason}. The script checks it.`;
  const pending = settings.value.pending.filter(({ isDynamic }) => isDynamic);
  if (pending.length === 0)
    return 'no other option waited for RECONFIGURE when the facts were read; the script checks again.';
  const named = pending
    .slice(0, MOST_PENDING)
    .map(({ name, configured, inUse }) => `${name} (${inUse} in use, ${configured} set)`);
  const more = pending.length > MOST_PENDING ? ` and ${pending.length - MOST_PENDING} more` : '';
  return `as things are, it will change nothing: RECONFIGURE would also apply ${named.join(', ')}${more}. Settle that first.`;
}

export const recoveryInterval: OtherScript<{ readonly minutes: number }> = {
  label: t('Change the recovery interval'),
  description: t(
    'Only for databases with a target recovery time of 0. Stops if another setting waits for RECONFIGURE.',
  ),
  questions: (facts) => {
    const now = facts?.server.recoveryIntervalMinutes ?? null;
    return {
      minutes: {
        of: 'number',
        title: t('Recovery interval'),
        prompt: joinSentences(
          t('Recovery interval in minutes, 0 to 32767. 0, the default, means about one minute.'),
          now === null ? t('The value in use cannot be seen.') : t('In use: {0}.', now),
        ),
        byDefault: 0,
        check: checkRecoveryInterval,
        warn: (minutes) => {
          const warning = warnOfRecoveryInterval(minutes);
          const question = t('Write a recovery interval of {0} minutes?', formatCount(minutes));
          return warning === null ? null : { question, warning };
        },
      },
    };
  },
  write: ({ minutes }, { facts, origin, template }) =>
    writeRecoveryInterval(minutes, facts, origin, template),
};
