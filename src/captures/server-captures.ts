/** The captures of one server, kept in a folder of their own: the newest is the one to show again. */
import { type KeptRecord, type KeptSection } from '../core/capture/capture-record';
import { type CaptureFolder, type ListedCapture, nameFile } from './capture-folder';
import { t } from '../core/language';

/** If a server has more captures, the oldest are removed. */
export const MOST_CAPTURES_KEPT = 20;
/** Clocks of computers differ by this much at most, unless one is wrong. */
const AHEAD_MS = 5 * 60_000;

export interface ServerCaptures {
  /**
   * Keeps a capture and removes captures that are too old. Its sections are kept once for the server. Sections that are
   * given replace earlier ones; others stay.
   * @throws Error with one sentence
   */
  keep(record: KeptRecord): Promise<void>;
  /**
   * The newest capture that can be read, with the sections of its server; null if there is none.
   * @param serverName takes only captures of this server and those that name no server; null: not known now, so the
   * newest of any
   * @param tell gets one sentence about each capture that is damaged and was set aside
   */
  recover(serverName: string | null, tell?: (setAside: string) => void): Promise<KeptRecord | null>;
  /**
   * Sets a capture aside that cannot go on, so that it is not tried again.
   * @param why one clause
   * @returns one sentence for the user
   */
  setAside(id: string, why: string): Promise<string>;
  /** The newest capture as its first lines tell it, of any server; null if there is none. */
  findNewest(): Promise<ListedCapture | null>;
}

/** @param report gets one sentence about each file that is no capture */
export function openServerCaptures(
  folder: CaptureFolder,
  serverLabel: string,
  report: (problem: string) => void,
): ServerCaptures {
  /**
   * Captures kept already. Old ones are removed only when a new one comes, because each is kept again every few
   * minutes.
   */
  const known = new Set<string>();
  return {
    keep: async (record) => {
      await folder.keep({ ...record, sections: [], serverLabel });
      await folder.keepSections(record.serverName, record.sections);
      if (known.has(record.id)) return;
      known.add(record.id);
      await removeOldest(folder, report);
    },
    recover: async (serverName, tell = report) => {
      const { captures, problems } = await folder.list();
      for (const { message } of problems) report(message);
      const own = captures.filter(
        (each) => serverName === null || each.serverName === null || each.serverName === serverName,
      );
      for (const { id } of sortByAge(own, report)) {
        const decoded = await folder.recover(id);
        if (decoded.capture !== null)
          return { ...decoded.capture, sections: await recoverSections(folder, decoded.capture, report) };
        if (decoded.isUnread === true) report(t('{0} was skipped: {1}.', nameFile(id), decoded.problem));
        else tell(await setAside(folder, id, decoded.problem));
      }
      return null;
    },
    setAside: (id, why) => setAside(folder, id, why),
    findNewest: async () => sortByAge((await folder.list()).captures, report)[0] ?? null,
  };
}

async function setAside(folder: CaptureFolder, id: string, why: string): Promise<string> {
  return t(
    'The kept capture {0} cannot be continued: {1}. It is not tried again; its file is {2}.',
    id,
    why,
    await folder.setAside(id),
  );
}

async function removeOldest(folder: CaptureFolder, report: (problem: string) => void): Promise<void> {
  const sorted = sortByAge((await folder.list()).captures, report);
  const [left, old] = [sorted.slice(0, MOST_CAPTURES_KEPT), sorted.slice(MOST_CAPTURES_KEPT)];
  for (const { id } of old) await folder.remove(id);
  const names = new Set(left.map(({ serverName }) => serverName));
  for (const gone of new Set(old.map(({ serverName }) => serverName)))
    if (!names.has(gone)) await folder.removeSections(gone);
}

/** Sections that an earlier version kept within the capture count only if there is no newer file. */
async function recoverSections(
  folder: CaptureFolder,
  { serverName, sections: within }: KeptRecord,
  report: (problem: string) => void,
): Promise<readonly KeptSection[]> {
  const { sections, problems } = await folder.recoverSections(serverName);
  for (const { message } of problems) report(message);
  const names = new Set(sections.map(({ name }) => name));
  return [...within.filter(({ name }) => !names.has(name)), ...sections];
}

/**
 * The newest first: by the end of what was observed, on the server's clock, or by when the file was written, if that
 * was before. So a clock that was ahead, the server's or ours, puts no capture before later ones. Where both were, it
 * is the last, and that is said.
 */
function sortByAge(
  captures: readonly ListedCapture[],
  report: (problem: string) => void,
): readonly ListedCapture[] {
  const nowMs = Date.now();
  const ages = new Map(
    captures.map((capture) => [capture, Math.min(capture.observation?.endUtcMs ?? 0, capture.keptMs)]),
  );
  for (const [capture, endMs] of ages) {
    if (endMs <= nowMs + AHEAD_MS) continue;
    ages.set(capture, 0);
    report(t('The kept capture {0} is from the future, so it counts as the oldest.', capture.id));
  }
  return [...captures].sort((a, b) => (ages.get(b) ?? 0) - (ages.get(a) ?? 0));
}
