/**
 * How much indirect checkpoints write of the same work, compared with automatic ones. `more` is published
 * (docs/facts.md, SQL Server 1); the others test comparisons.
 */
export const INDIRECT_WRITES = ['more', 'same', 'less'] as const;

export type IndirectWrites = (typeof INDIRECT_WRITES)[number];

/** From a moment on every database writes this multiple of its log. */
interface WorkloadChange {
  /** Virtual milliseconds after the model began. */
  readonly afterMs: number;
  readonly factor: number;
}

/** How the history of the model goes, in any scenario. */
export interface HistoryOptions {
  readonly indirectWrites?: IndirectWrites;
  readonly workloadChange?: WorkloadChange;
}

export function isIndirectWrites(text: string): text is IndirectWrites {
  return (INDIRECT_WRITES as readonly string[]).includes(text);
}

/** Reads `168h*3`: three times the log after a week. @throws Error with one sentence for anything else */
export function readWorkloadChange(text: string): WorkloadChange {
  const [, hours, factor] = /^(\d{1,6})h\*(\d{1,4}(?:\.\d{1,4})?)$/.exec(text) ?? [];
  if (hours === undefined || factor === undefined)
    throw new Error(`--workload-change cannot be '${text}': it is hours and a factor, as in 168h*3`);
  return { afterMs: Number(hours) * 3_600_000, factor: Number(factor) };
}
