import type { Exclusion, Plan, PlanStep } from '../advice/plan';
import { quoteInComment, quoteInString, quoteStringInScript, writeInteger } from './quote';
import type { ScriptSet } from './script-set';
import { fillTemplate } from './template';
import type { ReviewTemplate, ReviewText } from './text';

/** What a script says about where it comes from. */
export interface ScriptOrigin {
  readonly serverName: string;
  /** When the facts were read: server time, as shown to people ("2026-03-02 09:14:05 UTC+01:00"). */
  readonly readAt: string;
  /** What was measured, one sentence; or that nothing was. */
  readonly evidence: string;
}

/**
 * The reviewed switch of a plan's databases, and its rollback twin, which restores a value only where the current one is still ours and the database is the same.
 * @throws Error for a plan without steps
 */
export function writeSwitchScripts(plan: Plan, origin: ScriptOrigin, template: ReviewTemplate): ScriptSet {
  if (plan.steps.length === 0) throw new Error('A plan without databases has no script');
  const back = [...plan.steps].reverse().map((step) => ({ ...step, fromSeconds: step.toSeconds, toSeconds: step.fromSeconds }));
  const change = write(writeIntroduction('SWITCH', plan.steps, plan.exclusions, origin), plan.steps, origin, template);
  const rollback = write(writeIntroduction('ROLLBACK', back, [], origin), back, origin, template);
  return {
    scripts: [
      { title: `Switch to indirect checkpoints on ${origin.serverName}`, kind: 'change', wave: null, text: change },
      { title: `Rollback of the switch on ${origin.serverName}`, kind: 'rollback', wave: null, text: rollback },
    ],
    record: '',
  };
}

function write(introduction: string, steps: readonly PlanStep[], origin: ScriptOrigin, template: ReviewTemplate): ReviewText {
  const filled = fillTemplate(template, {
    server_name: quoteInString(origin.serverName),
    chosen_databases: steps.map(writeRow).join('\n'),
  });
  return `${introduction}\n${filled}` as ReviewText;
}

function writeRow(step: PlanStep): string {
  const values = [
    quoteStringInScript(step.database.name),
    `'${quoteInString(step.database.createdLocal)}'`,
    writeInteger(step.fromSeconds),
    writeInteger(step.toSeconds),
  ];
  return `INSERT @chosen (database_name, created_local, expected_seconds, wanted_seconds) VALUES (${values.join(', ')}); /* ${quoteInComment(step.evidence)} */`;
}

function writeIntroduction(
  kind: 'SWITCH' | 'ROLLBACK',
  steps: readonly PlanStep[],
  exclusions: readonly Exclusion[],
  origin: ScriptOrigin,
): string {
  const count = steps.length === 1 ? '1 database' : `${steps.length} databases`;
  const what =
    kind === 'SWITCH'
      ? `${count} on ${origin.serverName} to a target recovery time of ${steps[0]?.toSeconds} seconds (indirect checkpoints).`
      : `${count} on ${origin.serverName} back to the target recovery time seen before the switch. Run it only to undo the switch.`;
  const lines = [
    `${kind}: ${what}`,
    `Written by Checkpoint Health from facts read at ${origin.readAt}. Not executed: read it, then run it yourself.`,
    `Evidence: ${origin.evidence}`,
  ];
  if (kind === 'SWITCH') {
    lines.push(
      'Expect page writes to move from checkpoints to the background writer: total writes may rise. Takes effect at once, without a restart.',
    );
    lines.push(exclusions.length === 0 ? 'Left out: nothing that was chosen.' : `Left out (${exclusions.length}):`);
    lines.push(...exclusions.map((exclusion) => `  ${exclusion.name} ${exclusion.reason}.`));
  }
  return `/* ${lines.map(quoteInComment).join('\n')}\n*/`;
}
