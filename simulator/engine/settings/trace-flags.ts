import type { TraceFlagState } from '../interface/instance';

/** Trace flags that the model obeys. docs/facts.md, SQL Server 6. Any other can be turned on and does nothing. */
export const TRACE_FLAG = {
  /** Prints the begin and end of each checkpoint to the error log. */
  checkpointBeginEnd: 3502,
  /** Prints the FlushCache lines of each checkpoint, even a short one. */
  checkpointDetails: 3504,
  /** No automatic checkpoints. */
  noAutomaticCheckpoints: 3505,
  /** Suppresses message 898. Microsoft Learn, "MSSQLSERVER_898". */
  noScanMessage: 890,
} as const;

/** Trace flags of the instance (-T, or DBCC TRACEON with -1) and those of single sessions. */
export class TraceFlags {
  private readonly global: Set<number>;
  private readonly sessions = new Map<number, Set<number>>();

  constructor(startup: readonly number[]) {
    this.global = new Set(startup);
  }

  /** @param spid undefined: for the whole instance */
  turn(state: 'on' | 'off', flags: readonly number[], spid: number | undefined): void {
    const set = spid === undefined ? this.global : (this.sessions.get(spid) ?? new Set<number>());
    if (spid !== undefined) this.sessions.set(spid, set);
    for (const flag of flags) {
      if (state === 'on') set.add(flag);
      else set.delete(flag);
    }
  }

  /** What DBCC TRACESTATUS(-1) shows a session: every flag that is on for it or for all, by number. */
  list(spid: number): readonly TraceFlagState[] {
    const own = this.sessions.get(spid) ?? new Set<number>();
    return [...new Set([...this.global, ...own])]
      .sort((a, b) => a - b)
      .map((flag) => ({ flag, isGlobal: this.global.has(flag), isSession: own.has(flag) }));
  }

  isOn(flag: number, spid: number): boolean {
    return this.global.has(flag) || this.sessions.get(spid)?.has(flag) === true;
  }

  isOnForAll(flag: number): boolean {
    return this.global.has(flag);
  }

  forget(spid: number): void {
    this.sessions.delete(spid);
  }
}
