import { countOf, english } from '../format';
import { joinSentences, t } from '../language';
import { checkTargetSeconds } from '../advice/plan';
import type { Facts } from '../advice/facts';
import type { OtherScript } from './other-script';
import { quoteInStringInScript, writeInteger } from './quote';
import { type HeadingField, type ReviewOrigin, writeProgram } from './review-program';
import type { ReviewScript } from './script-set';
import type { ReviewTemplate, ReviewText } from './text';

/**
 * Writes the change of model's target recovery time, which no switch includes, and its rollback twin.
 * @throws Error if model's value was not seen, is already the wanted one, or the wanted one is no target recovery time
 */
export function writeModelTarget(
  seconds: number,
  facts: Facts,
  origin: ReviewOrigin,
  template: ReviewTemplate,
): readonly ReviewScript[] {
  const refusal = checkTargetSeconds(seconds);
  if (refusal !== null) throw new Error(refusal);
  const before = facts.server.modelTargetSeconds;
  if (before === null)
    throw new Error(
      t('This login cannot see the target recovery time of model, so no script could restore it.'),
    );
  if (before === seconds)
    throw new Error(
      countOf(
        seconds,
        t('model has {0} second already, so there is nothing to change.'),
        t('model has {0} seconds already, so there is nothing to change.'),
      ),
    );
  const write = (what: string, from: number, to: number, more: readonly HeadingField[]): ReviewText =>
    writeProgram({ what, origin, fields: [...more, ...always] }, template, {
      server_name: quoteInStringInScript(origin.serverName),
      expected_seconds: writeInteger(from),
      wanted_seconds: writeInteger(to),
    });
  const { serverName } = origin;
  const change = write(
    `MODEL: target recovery time of model on ${serverName} from ${before} to ${english.countOf(seconds, 'second')}.`,
    before,
    seconds,
    [
      ['New', 'new databases begin with it. Existing, restored and attached databases keep their own.'],
      [
        'tempdb',
        'takes it at the next start of the instance: on SQL Server 2016 and 2017 make sure that KB4040276 is installed before that.',
      ],
    ],
  );
  const rollback = write(
    `ROLLBACK: model on ${serverName} back to ${english.countOf(before, 'second')}. Run it only to undo the change.`,
    seconds,
    before,
    [
      [
        'Restores',
        `the value wherever the one found is ${seconds}, even if another person set it. Databases created in the meantime keep what they have.`,
      ],
    ],
  );
  return [
    { title: `Target recovery time of model on ${serverName}`, kind: 'change', text: change },
    { title: `Rollback of model's target recovery time on ${serverName}`, kind: 'rollback', text: rollback },
  ];
}

const always: readonly HeadingField[] = [
  ['Needs', 'SQL Server 2012 or later; ALTER on model.'],
  ['Prints', 'what model has then. A second run changes nothing.'],
];

export const modelTarget: OtherScript<{ readonly targetSeconds: number }> = {
  label: t('Change the target recovery time of model'),
  description: t('New databases begin with it. tempdb takes it at the next start.'),
  questions: (facts) => {
    const now = facts?.server.modelTargetSeconds ?? null;
    return {
      targetSeconds: {
        of: 'number',
        title: 'model',
        prompt: joinSentences(
          t(
            'Target recovery time of model in seconds. New databases begin with it, and tempdb takes it at the next start.',
          ),
          now === null ? t('The current value cannot be seen.') : t('Now: {0}.', now),
        ),
        byDefault: 60,
        check: (seconds) => checkTargetSeconds(seconds),
      },
    };
  },
  write: ({ targetSeconds }, { facts, origin, template }) =>
    writeModelTarget(targetSeconds, facts, origin, template),
};
