/** What new databases have since SQL Server 2016, where model was not brought along (docs/facts.md, SQL Server 1). Seconds. */
export const DEFAULT_TARGET_SECONDS = 60;

/** Below this the background writer works much harder; asked again before a script is written. Seconds. */
export const UNUSUALLY_SHORT_TARGET_SECONDS = 20;

/** Why this is no target recovery time to write into a script, as one sentence; null where it is one. 0 is automatic checkpoints: only with a reason. Seconds. */
export function checkTargetSeconds(seconds: number, reason: string | null = null): string | null {
  if (!Number.isInteger(seconds)) return 'The target recovery time is a whole number of seconds.';
  if (seconds === 0 && reason !== null && reason.trim() !== '') return null;
  if (seconds < 1 || seconds > 3600)
    return 'The target recovery time is between 1 and 3600 seconds; 60 is the default of new databases since SQL Server 2016. 0, automatic checkpoints, needs a reason.';
  return null;
}
