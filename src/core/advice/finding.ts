/** Where a rule comes from, so that a reader can check it: a page that is published, or that there is none. */
export interface Source {
  /** "KB3166902", "Microsoft Learn, Database checkpoints", "inferred by Checkpoint Health". */
  readonly title: string;
  readonly url: string | null;
}

/**
 * One thing to know before a target recovery time is changed.
 * 'blocks': not to be changed here and now; 'look first': somebody has to decide; 'inform': stands in the script and decides nothing.
 */
export interface Finding {
  /** The rule's name, stable: policies and tests point at it. "unpatched-2014-cluster". */
  readonly rule: string;
  readonly severity: 'blocks' | 'look first' | 'inform';
  /** One sentence with what was seen. */
  readonly sentence: string;
  /** What to do about it; null where there is nothing to do. */
  readonly remedy: string | null;
  readonly sources: readonly Source[];
}

/** The worst first. */
export const SEVERITIES: readonly Finding['severity'][] = ['blocks', 'look first', 'inform'];

/** What stands for or against a change, of the whole server and by database_id. */
export interface Preflight {
  readonly server: readonly Finding[];
  readonly databases: ReadonlyMap<number, readonly Finding[]>;
  /** What could not be asked, each as one sentence with its reason: never taken for a pass. */
  readonly unseen: readonly string[];
}
