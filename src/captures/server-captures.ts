/** The captures of one server, kept in a folder of their own: the newest is the one to show again. */
import { type KeptRecord } from '../core/capture/capture-record';
import { type CaptureFolder, type ListedCapture } from './capture-folder';

/** Captures of one server beyond these are removed, the oldest first. */
export const mostCapturesKept = 20;

export interface ServerCaptures {
  /** Keeps a capture and removes what is too old. @throws Error with one sentence */
  keep(record: KeptRecord): Promise<void>;
  /**
   * The newest capture that can be read; null where there is none.
   * @param serverName only what was read from this server, and what does not say; null: not known now, so the newest of any
   */
  recover(serverName: string | null): Promise<KeptRecord | null>;
}

/** @param report is told one sentence about each file that is no capture */
export function openServerCaptures(folder: CaptureFolder, serverLabel: string, report: (problem: string) => void): ServerCaptures {
  /** A capture is kept again every few minutes; the others are looked at when there is one more. */
  const known = new Set<string>();
  return {
    keep: async (record) => {
      await folder.keep({ ...record, serverLabel });
      if (known.has(record.id)) return;
      known.add(record.id);
      const { captures } = await folder.list();
      for (const { id } of sortByAge(captures).slice(mostCapturesKept)) await folder.remove(id);
    },
    recover: async (serverName) => {
      const { captures, problems } = await folder.list();
      for (const { message } of problems) report(message);
      const own = captures.filter((each) => serverName === null || each.serverName === null || each.serverName === serverName);
      const newest = sortByAge(own)[0];
      return newest === undefined ? null : (await folder.recover(newest.id)).capture;
    },
  };
}

/** The newest first, by the server's clock at the end of what was observed. */
function sortByAge(captures: readonly ListedCapture[]): readonly ListedCapture[] {
  return [...captures].sort((a, b) => (b.observation?.endUtcMs ?? 0) - (a.observation?.endUtcMs ?? 0));
}
