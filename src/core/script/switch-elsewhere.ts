/** The script for a server that has the primary replica of databases which are copies here. */
import type { Plan, PlanStep, PrimarySteps } from '../advice/plan';
import type { Steps } from '../steps';
import { countDatabases, countOf } from '../format';
import { type ReviewOrigin, writeHeading } from './review-heading';
import { quoteInStringInScript } from './quote';
import type { ReviewScript } from './script-set';
import { describeEffect, describeReason, describeRollback, describeTarget, nameSwitch } from './switch-introduction';
import { writeStepRows } from './switch-rows';
import { fillTemplate } from './template';
import type { ReviewTemplate, ReviewText } from './text';

/** Copies that are named in the heading; the list has all. */
const mostCopies = 200;

/** Its switch in one wave and the rollback twin. Both run on that server alone, and ask everything again there. */
export function* writeElsewhere(
  there: PrimarySteps,
  plan: Plan,
  origin: ReviewOrigin,
  template: ReviewTemplate,
): Steps<readonly ReviewScript[]> {
  const { primary, steps } = there;
  const seen = describeView(primary, origin);
  const back = [...steps].reverse().map((step) => ({ ...step, fromSeconds: step.toSeconds, toSeconds: step.fromSeconds }));
  const write = function* (what: string, more: readonly string[], list: readonly PlanStep[]): Steps<ReviewText> {
    const rows = yield* writeStepRows(list, 'in the group');
    const filled = fillTemplate(template, { server_name: quoteInStringInScript(primary), chosen_databases: rows });
    return `${writeHeading(what, { ...origin, evidence: `none of ${primary}.` }, [...seen, ...more])}\n${filled}` as ReviewText;
  };
  const from = `on ${primary}, written from ${origin.serverName}`;
  const change = yield* write(
    `SWITCH: ${countDatabases(steps.length)} on ${primary} to ${describeTarget(plan.targetSeconds)}.`,
    [...listCopies(steps, origin), ...describeReason(plan), describeEffect(plan.targetSeconds)],
    steps,
  );
  const rollback = yield* write(
    `ROLLBACK: ${countDatabases(steps.length)} on ${primary} back to the target recovery time seen before the switch. Run it only to undo the switch.`,
    describeRollback(steps),
    back,
  );
  return [
    { title: `${nameSwitch(plan)} ${from}`, kind: 'change', wave: null, text: change },
    { title: `Rollback of the switch ${from}`, kind: 'rollback', wave: null, text: rollback },
  ];
}

function describeView(primary: string, { serverName }: ReviewOrigin): readonly string[] {
  return [
    `Written from ${serverName}, which has copies of these databases. ${primary} itself was not looked at, and its preflight is unseen; all checks of this script are made again when it runs.`,
    `Run it on ${primary} and nowhere else: it stops on any other server, also on one that has become the primary since.`,
  ];
}

function listCopies(steps: readonly PlanStep[], { serverName }: ReviewOrigin): readonly string[] {
  const lines = steps.slice(0, mostCopies).map(({ database, fromSeconds }) => `  ${database.name}: ${countOf(fromSeconds, 'second')}`);
  const more = steps.length > mostCopies ? [`  and ${steps.length - mostCopies} more: see the list`] : [];
  return [`What the copies on ${serverName} show:`, ...lines, ...more];
}
