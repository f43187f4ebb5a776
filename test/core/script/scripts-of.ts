import type { Choice, Plan, WaveChoice } from '../../../src/core/advice/plan';
import type { ReviewScript, ScriptSet } from '../../../src/core/script/script-set';
import { writeSwitchScripts } from '../../../src/core/script/switch';
import type { ScriptOrigin } from '../../../src/core/script/switch-heading';
import { finishSteps } from '../../../src/core/steps';
import { reviewTemplates } from '../../../src/texts';

/** Everything at once. */
export const oneWave: WaveChoice = { canary: 0, batch: 0, pauseMinutes: null, stopAboveWriteMs: null };

/** A choice of databases for 60 seconds in one wave, with what the test wants to be different. */
export function choiceOf(databaseIds: readonly number[], byName = false, more: Partial<Choice> = {}): Choice {
  return { databaseIds, byName, targetSeconds: 60, waves: oneWave, waveOf: new Map(), ...more };
}

/** The scripts of a switch, written at once. */
export function writeSwitch(plan: Plan, origin: ScriptOrigin): ScriptSet {
  return finishSteps(writeSwitchScripts(plan, origin, reviewTemplates.switch));
}

/** The text of the first script of that kind; '' where there is none. */
export function textOf(scripts: readonly ReviewScript[], kind: ReviewScript['kind'] = 'change'): string {
  return scripts.find((script) => script.kind === kind)?.text ?? '';
}

export const changeOf = (scripts: ScriptSet | null | undefined): string => textOf(scripts?.scripts ?? []);
export const rollbackOf = (scripts: ScriptSet | null | undefined): string =>
  textOf(scripts?.scripts ?? [], 'rollback');
