import type { Choice, WaveChoice } from '../../../src/core/advice/plan';
import type { ScriptSet } from '../../../src/core/script/script-set';

/** Everything at once. */
export const oneWave: WaveChoice = { canary: 0, batch: 0, pauseMinutes: null, stopAboveWriteMs: null };

/** A choice of databases for 60 seconds in one wave, with what the test wants to be different. */
export function choiceOf(databaseIds: readonly number[], byName = false, more: Partial<Choice> = {}): Choice {
  return { databaseIds, byName, targetSeconds: 60, waves: oneWave, waveOf: new Map(), ...more };
}

/** The text of the first change; '' where there is none. */
export function changeOf(scripts: ScriptSet | null | undefined): string {
  return scripts?.scripts.find(({ kind }) => kind === 'change')?.text ?? '';
}

/** The text of the first rollback twin; '' where there is none. */
export function rollbackOf(scripts: ScriptSet | null | undefined): string {
  return scripts?.scripts.find(({ kind }) => kind === 'rollback')?.text ?? '';
}
