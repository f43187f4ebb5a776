/**
 * The folder in which captures survive a restart of the editor. Files that are no captures are reported and not
 * touched; what a crash left unfinished goes.
 */
import type { Observation } from '../core/capture/checkpoint-columns';
import type { KeptSection } from '../core/capture/capture-record';
import {
  describeDiskError,
  type Disk,
  listFiles,
  makeCaptureFolder,
  readCaptureFile,
  readCaptureFileHead,
  writeCaptureFile,
} from './capture-file';
import type { CaptureHead, DecodedCapture } from './capture-format';
import type { KeptCapture } from './capture-header';
import {
  isSectionFile,
  isSectionFileOf,
  nameSectionFile,
  readSectionFile,
  writeSectionFile,
} from './section-file';
import { takeSteps } from '../core/steps';
import { t } from '../core/language';

const EXTENSION = '.checkpoints';
/** The ending of a capture that cannot be gone on with. It is kept for a person, and not looked at again. */
const SET_ASIDE = '.set-aside';
/** If a folder has more of them, the first by name are removed, which are the oldest. */
const MOST_SET_ASIDE = 20;

export interface ListedCapture {
  readonly id: string;
  readonly serverLabel: string;
  readonly serverName: string | null;
  readonly observation: Observation | null;
  readonly rows: number;
  readonly rowsRead: number;
  /** When its file was written, by the clock of this computer; Infinity: not known. */
  readonly keptMs: number;
  /** Of the server's clock at the last look at its session; null: it was no longer followed. */
  readonly utcOffsetMinutes: number | null;
}

/** `message` is one sentence that names the file. */
interface CaptureProblem {
  readonly file: string;
  readonly message: string;
}

interface FoundSections {
  readonly sections: readonly (KeptSection & { readonly file: string })[];
  readonly problems: readonly CaptureProblem[];
}

/** Another window writes every few minutes. */
const MOST_LISTINGS = 5;

/** Does one thing after another, so that two writes of one capture never meet in one file. */
export class CaptureFolder {
  private lane: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly disk: Disk,
  ) {}

  /**
   * Keeps a capture, in place of an earlier one with the same id.
   * @throws Error with one sentence, for instance when the disk is full
   */
  async keep(capture: KeptCapture): Promise<void> {
    const file = this.pathOf(nameFile(capture.id));
    const explain = (why: string): string =>
      t(
        'The capture of {0} could not be kept in {1} ({2}). Use Save Capture As… to keep it elsewhere.',
        capture.serverLabel,
        file,
        why,
      );
    await this.inTurn(() => this.write(() => writeCaptureFile(this.disk, file, capture), explain));
  }

  /**
   * The captures by name of file, read from their first lines; damage after the first line shows when one is recovered.
   * Other files are problems.
   */
  list() {
    return this.inTurn(() => this.listCaptures());
  }

  private async listCaptures() {
    const captures: ListedCapture[] = [];
    const problems: CaptureProblem[] = [];
    for (const file of await this.readNames(problems)) {
      if (isSectionFile(file) || file.endsWith(SET_ASIDE)) continue;
      const head = await this.readHead(file);
      if ('problem' in head) problems.push({ file, message: t('{0} was skipped: {1}.', file, head.problem) });
      else {
        const { id, serverLabel, serverName, observation, rows, ledger, following } = head.header;
        const utcOffsetMinutes = following?.snapshot.utcOffsetMinutes ?? null;
        const { mtimeMs: keptMs } = await this.disk.files
          .stat(this.pathOf(file))
          .catch(() => ({ mtimeMs: Infinity }));
        captures.push({
          id,
          serverLabel,
          serverName,
          observation,
          rows,
          rowsRead: ledger.rowsRead,
          keptMs,
          utcOffsetMinutes,
        });
      }
    }
    return { captures, problems };
  }

  async recover(id: string): Promise<DecodedCapture> {
    const file = this.pathOf(nameFile(id));
    const decoded = await this.inTurn(() => readCaptureFile(this.disk, file));
    if (decoded.capture === null || decoded.capture.id === id) return decoded;
    return { capture: null, problem: describeOtherName(decoded.capture.id) };
  }

  /** Does nothing if it is not there. @throws Error with one sentence */
  async remove(id: string): Promise<void> {
    const file = nameFile(id);
    await this.inTurn(() => this.removeFile(file));
  }

  private async removeFile(file: string): Promise<void> {
    try {
      await this.disk.files.unlink(this.pathOf(file));
    } catch (error) {
      if (describeDiskError(error) !== 'ENOENT')
        throw new Error(
          t('The capture {0} could not be removed ({1}).', this.pathOf(file), describeDiskError(error)),
        );
    }
  }

  /**
   * Renames a capture that cannot be used, so that it is listed no more.
   * @returns where it is now; where it was if that failed
   */
  async setAside(id: string): Promise<string> {
    const path = this.pathOf(nameFile(id));
    const work = async (): Promise<string> => {
      await this.disk.files.rename(path, path + SET_ASIDE);
      const names = (await this.readNames([])).filter((name) => name.endsWith(SET_ASIDE));
      for (const name of names.slice(0, -MOST_SET_ASIDE)) await this.removeFile(name);
      return path + SET_ASIDE;
    };
    return this.inTurn(work).catch(() => path);
  }

  /**
   * Keeps sections of that server, each in place of earlier ones with the same name, or joined to them.
   * @throws Error with one sentence
   */
  keepSections(serverName: string | null, sections: readonly KeptSection[]): Promise<void> {
    return this.inTurn(() => this.joinSections(serverName, sections));
  }

  private async joinSections(serverName: string | null, sections: readonly KeptSection[]): Promise<void> {
    for (const section of sections) {
      const { join, name } = section;
      const found =
        join === undefined
          ? []
          : (await this.readSections(serverName, name)).sections.filter((one) => one.name === name);
      let bytes = section.bytes;
      const joined: string[] = [];
      for (const one of found) {
        const all = join === undefined ? null : await takeSteps(join(one.bytes, bytes), this.disk.pause);
        if (all !== null) joined.push(one.file);
        bytes = all ?? bytes;
      }
      const file = this.pathOf(nameSectionFile(serverName, section));
      await this.write(
        () => writeSectionFile(this.disk, file, serverName, { name, bytes }),
        (why) => describeUnkeptSection(serverName, file, why),
      );
      // One that stays is joined again.
      for (const one of joined) await this.removeFile(one).catch(() => undefined);
    }
  }

  async recoverSections(serverName: string | null) {
    const { sections, problems } = await this.inTurn(() => this.readSections(serverName));
    return { sections: sections.map(({ name, bytes }) => ({ name, bytes })), problems };
  }

  /**
   * If another window joined a file to its own meanwhile, they are listed again.
   * @param name of the section; absent: all
   */
  private async readSections(
    serverName: string | null,
    name?: string,
    triesLeft = MOST_LISTINGS,
  ): Promise<FoundSections> {
    const sections: (KeptSection & { readonly file: string })[] = [];
    const problems: CaptureProblem[] = [];
    for (const file of await this.readNames(problems)) {
      if (!isSectionFileOf(serverName, file, name)) continue;
      const found = await readSectionFile(this.disk, this.pathOf(file), serverName);
      if (found.section !== null) sections.push({ ...found.section, file });
      else if (found.isGone === true && triesLeft > 0)
        return this.readSections(serverName, name, triesLeft - 1);
      else problems.push({ file, message: t('{0} was skipped: {1}.', file, found.problem) });
    }
    return { sections, problems };
  }

  /** Does nothing if there are none. @throws Error with one sentence */
  removeSections(serverName: string | null): Promise<void> {
    return this.inTurn(async () => {
      for (const file of await this.readNames([]))
        if (isSectionFileOf(serverName, file)) await this.removeFile(file);
    });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.lane.then(work);
    this.lane = turn.catch(() => undefined);
    return turn;
  }

  private pathOf(file: string): string {
    return `${this.path}/${file}`;
  }

  /** @param explain one sentence from the reason of the file system */
  private async write(write: () => Promise<void>, explain: (why: string) => string): Promise<void> {
    try {
      await makeCaptureFolder(this.disk.files, this.path);
      await write();
    } catch (error) {
      throw new Error(explain(describeDiskError(error)));
    }
  }

  /** The names of the files. A folder that was never written to is empty. */
  private async readNames(problems: CaptureProblem[]): Promise<readonly string[]> {
    try {
      return [...(await listFiles(this.disk.files, this.path))].sort();
    } catch (error) {
      const code = describeDiskError(error);
      if (code !== 'ENOENT')
        problems.push({
          file: this.path,
          message: t('The capture folder {0} cannot be read ({1}).', this.path, code),
        });
      return [];
    }
  }

  private async readHead(file: string): Promise<CaptureHead> {
    if (!file.endsWith(EXTENSION)) return { problem: t('it is not a capture of Checkpoint Health') };
    const head = await readCaptureFileHead(this.disk, this.pathOf(file));
    const hasOtherName = !('problem' in head) && head.header.id !== file.slice(0, -EXTENSION.length);
    return hasOtherName ? { problem: describeOtherName(head.header.id) } : head;
  }
}

function describeUnkeptSection(serverName: string | null, file: string, why: string): string {
  return serverName === null
    ? t('Samples, changes and forecasts of this server could not be kept in {0} ({1}).', file, why)
    : t('Samples, changes and forecasts of {0} could not be kept in {1} ({2}).', serverName, file, why);
}

function describeOtherName(id: string): string {
  return t('it holds the capture {0}, so its name is wrong', id);
}

/** The name of the file for an id, which may hold only characters that every file system takes. @throws RangeError */
export function nameFile(id: string): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(id))
    throw new RangeError(`not an id of a capture: ${JSON.stringify(id)}`);
  return `${id}${EXTENSION}`;
}
