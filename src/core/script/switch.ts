import { finishSteps, type Steps } from '../steps';
import type { Plan } from '../advice/plan';
import { writeChangeRecord } from './change-record';
import { writeElsewhere } from './switch-elsewhere';
import { quoteInStringInScript, writeInteger } from './quote';
import type { ReviewScript, ScriptSet } from './script-set';
import { nameSwitch, nameWave, writeRollbackIntroduction, writeSwitchIntroduction } from './switch-introduction';
import type { ScriptOrigin } from './switch-origin';
import { listParts, type SwitchPart } from './switch-parts';
import { writeLeftOutRows, writeStepRows } from './switch-rows';
import { fillTemplate } from './template';
import type { ReviewTemplate, ReviewText } from './text';

export type { EvidenceSnapshot, ScriptOrigin } from './switch-origin';

/**
 * The reviewed switch of a plan's databases, one script or one for each wave, each with its rollback twin behind it, which restores a value wherever the
 * current one equals ours and the database is the same; behind them those for the primary replicas on other servers; and the change record.
 * @throws Error for a plan without steps here and elsewhere
 */
export function writeSwitchScripts(plan: Plan, origin: ScriptOrigin, template: ReviewTemplate): ScriptSet {
  return finishSteps(writeSwitchScriptsInSteps(plan, origin, template));
}

/** The same, in steps of a few milliseconds, however many databases a script has. */
export function* writeSwitchScriptsInSteps(plan: Plan, origin: ScriptOrigin, template: ReviewTemplate): Steps<ScriptSet> {
  const { elsewhere = [] } = plan;
  if (plan.steps.length + elsewhere.length === 0) throw new Error('A plan without databases has no script');
  const parts = plan.steps.length === 0 ? [] : listParts(plan);
  const scripts: ReviewScript[] = [];
  for (const part of parts) {
    scripts.push(yield* writeChange(part, plan, origin, template));
    yield;
    scripts.push(yield* writeRollback(part, origin, template));
    yield;
  }
  for (const there of elsewhere) {
    scripts.push(...(yield* writeElsewhere(there, plan, origin, template)));
    yield;
  }
  return { scripts, record: yield* writeChangeRecord(plan, scripts, origin) };
}

function* writeChange(part: SwitchPart, plan: Plan, origin: ScriptOrigin, template: ReviewTemplate): Steps<ReviewScript> {
  const introduction = writeSwitchIntroduction(part, plan, origin);
  yield;
  const filled = fillTemplate(template, {
    server_name: quoteInStringInScript(origin.serverName),
    chosen_databases: yield* writeStepRows([...part.earlier, ...part.steps]),
    left_out_databases: (part.wave ?? 1) === 1 ? yield* writeLeftOutRows(plan.exclusions) : '',
    first_wave: writeInteger(part.wave ?? 1),
    pause: writePause(part.pauseMinutes),
    stop_above_write_ms: part.stopAboveWriteMs === null ? 'NULL' : writeDecimal(part.stopAboveWriteMs),
  });
  const text = `${introduction}\n${filled}` as ReviewText;
  return { title: `${nameSwitch(plan)} on ${origin.serverName}${nameWave(part)}`, kind: 'change', wave: part.wave, text };
}

/** All of a part at once and in reverse: who takes back does not want to wait. */
function* writeRollback(part: SwitchPart, origin: ScriptOrigin, template: ReviewTemplate): Steps<ReviewScript> {
  const steps = [...part.steps].reverse().map((step) => ({ ...step, wave: 1, fromSeconds: step.toSeconds, toSeconds: step.fromSeconds }));
  const rows = yield* writeStepRows(steps);
  const filled = fillTemplate(template, { server_name: quoteInStringInScript(origin.serverName), chosen_databases: rows });
  const text = `${writeRollbackIntroduction(part, origin)}\n${filled}` as ReviewText;
  return { title: `Rollback of the switch on ${origin.serverName}${nameWave(part)}`, kind: 'rollback', wave: part.wave, text };
}

/** "00:15:00". */
function writePause(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`;
}

/** A float literal without an exponent, to the thousandth. */
function writeDecimal(value: number): string {
  return value.toFixed(3).replace(/\.?0+$/, '');
}
