import type { LimitId } from '../advice/limits';
import { type Steps } from '../steps';
import type { Plan, PlanStep } from '../advice/plan';
import { writeChangeRecord } from './change-record';
import { quoteInStringInScript } from './quote';
import type { ReviewScript, ScriptSet } from './script-set';
import {
  describeWaveChoice,
  nameSubject,
  type ScriptOrigin,
  type SwitchForm,
  writeHold,
  writeRollbackHeading,
  writeSwitchHeading,
} from './switch-heading';
import { isShort, isTold, writeList, writeLiteral } from './switch-list';
import { cutProgram, placeList } from './switch-program';
import { fillTemplate } from './template';
import type { ReviewTemplate, ReviewText } from './text';

/**
 * Writes the switch of a plan's databases, here and on the servers with their primary replicas; its rollback twin,
 * which restores a value if the current one is ours and the database is the same; and the change record. A step takes a
 * few milliseconds, however many databases a script has.
 * @throws Error for a plan without steps here and elsewhere
 */
export function* writeSwitchScripts(
  plan: Plan,
  origin: ScriptOrigin,
  template: ReviewTemplate,
): Steps<ScriptSet> {
  const steps = listSteps(plan);
  if (steps.length === 0) throw new Error('A plan without databases has no script');
  const first = steps[0]?.wave ?? 1;
  const isPausing = plan.waves.pauseMinutes !== null && (steps[steps.length - 1]?.wave ?? first) > first;
  const form: SwitchForm = { isPausing, isLiteral: !isPausing && isShort(steps) };
  const writing: Writing = { steps, plan, origin, form, template };
  const change = yield* writeText(
    writing,
    writeSwitchHeading(steps, plan, origin, form),
    isPausing ? 'NULL' : String(first),
    origin.hold ?? null,
  );
  const back = [...steps]
    .reverse()
    .map((step) => ({ ...step, fromSeconds: step.toSeconds, toSeconds: step.fromSeconds }));
  // Where the switch has a list, rows of its result can take the place of the rollback's.
  const backForm: SwitchForm = { isPausing: false, isLiteral: form.isLiteral };
  const rollback = yield* writeText(
    { ...writing, steps: back, form: backForm },
    writeRollbackHeading(back, plan, origin, backForm),
    'NULL',
    null,
  );
  const subject = nameSubject(steps, origin);
  const scripts: readonly ReviewScript[] = [
    { title: `SWITCH: ${subject}`, kind: 'change', text: change },
    { title: `ROLLBACK: ${subject}`, kind: 'rollback', text: rollback },
  ];
  return { scripts, record: yield* writeChangeRecord(plan, scripts, origin) };
}

/** All steps of the script, on any server: one text is valid on every replica of a group. */
function listSteps({ steps, elsewhere = [] }: Plan): readonly PlanStep[] {
  return [...steps, ...elsewhere.flatMap((there) => there.steps)].sort((a, b) => a.wave - b.wave);
}

const MOST_SERVER_CHARACTERS = 110;

interface Writing {
  readonly steps: readonly PlanStep[];
  readonly plan: Plan;
  readonly origin: ScriptOrigin;
  readonly form: SwitchForm;
  readonly template: ReviewTemplate;
}

function* writeText(
  { steps, plan, origin, form, template }: Writing,
  heading: string,
  wave: string,
  hold: LimitId | null,
): Steps<ReviewText> {
  const program = cutProgram(template, { hasGroups: steps.some(isTold), isPausing: form.isPausing });
  const filled = fillTemplate(program, {
    wave,
    waves: describeWaveChoice(steps, wave),
    server_name: joinServers(listServers(steps, plan, origin)),
    ...(form.isPausing && {
      pause: writePause(plan.waves.pauseMinutes ?? 0),
      limit_ms: writeLimit(plan.waves.stopAboveWriteMs),
      counter_instance_column: origin.counterColumn ?? 'name',
    }),
  });
  yield;
  const declared = filled.split('\n')[1] ?? '';
  const text = form.isLiteral
    ? writeLiteral(steps, filled, declared)
    : placeList(filled, yield* writeList(steps));
  const held = hold === null ? text : text.replace(/^\/\* Guard:/m, () => `${writeHold(hold)}/* Guard:`);
  return `${heading}\n${held}` as ReviewText;
}

/** Writes names into the literal of the guard, on one line if there is room. */
function joinServers(names: readonly string[]): string {
  const quoted = names.map(quoteInStringInScript);
  return quoted.join(quoted.join("', N'").length > MOST_SERVER_CHARACTERS ? "',\n        N'" : "', N'");
}

/** Where the text may run: on this server, and on each server with a replica of its groups. */
function listServers(
  steps: readonly PlanStep[],
  { elsewhere = [] }: Plan,
  { serverName }: ScriptOrigin,
): readonly string[] {
  const replicas = steps.filter(isTold).flatMap(({ group }) => group?.replicas ?? []);
  const all = [serverName, ...replicas, ...elsewhere.map(({ primary }) => primary)];
  return all.filter(
    (name, at) => all.findIndex((other) => other.toLowerCase() === name.toLowerCase()) === at,
  );
}

/** WAITFOR waits 24 hours at most (Microsoft Learn, "WAITFOR"). */
const MOST_PAUSE_MINUTES = 24 * 60 - 1;

/** "00:15:00". */
function writePause(wanted: number): string {
  const minutes = Math.min(MOST_PAUSE_MINUTES, Math.max(1, Math.round(Number.isFinite(wanted) ? wanted : 1)));
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`;
}

/** A float literal without an exponent, to the thousandth. */
function writeLimit(value: number | null): string {
  return value === null || !Number.isFinite(value) ? 'NULL' : String(Number(value.toFixed(3)));
}
