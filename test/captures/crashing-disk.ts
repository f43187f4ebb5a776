/**
 * A disk in memory that fails and loses power. It has the functions of node:fs/promises that captures and lakes use.
 * What was synced survives. Of everything else any part may survive: each new or changed name for itself, of a rename
 * both names or none, and of a content that was not synced the old one, the new one, a part of it or zeros. So no order
 * of writes is promised but the one that syncs make.
 */
import { dirname } from 'node:path';
import type { FileSystem } from '../../src/captures/capture-file';
import { type Chance, pick } from '../core/errorlog/disturbed-log';

interface StoredFile {
  content: Uint8Array;
  /** What survives for sure. */
  synced: Uint8Array;
  readonly mtimeMs: number;
}
type Entry = StoredFile | 'folder';
/** null: the name is gone. */
type Change = readonly [path: string, entry: Entry | null];

const NOTHING = new Uint8Array(0);

export class CrashingDisk implements FileSystem {
  /** How many changes are still done before the power is lost. */
  left = Infinity;
  done = 0;
  /** Set to make the named operation fail with that code. */
  failing: { readonly operation: string; readonly code: string } | null = null;
  /** Longest time that two writes were under way at once. */
  mostWrites = 0;
  /** Bytes that were read of each file since it was cleared. */
  readonly bytesRead = new Map<string, number>();
  private writes = 0;
  /** Changes of names that are not synced, each in its folder. */
  private unsynced: (readonly Change[])[] = [];
  private readonly entries: Map<string, Entry>;

  /**
   * @param chance how long each operation takes, in turns of other work
   * @param durable the names that survive for sure
   */
  constructor(
    private readonly chance: Chance,
    private readonly durable = new Map<string, Entry>([['/', 'folder']]),
  ) {
    this.entries = new Map(durable);
  }

  /** The disk as it is found when the power is back. */
  restart(): CrashingDisk {
    const { chance } = this;
    const found = new Map(this.durable);
    for (const changes of this.unsynced) if (chance() < 0.5) apply(found, changes);
    for (const path of [...found.keys()].sort())
      if (path !== '/' && !found.has(dirname(path))) found.delete(path);
    for (const [path, entry] of found) {
      if (entry === 'folder') continue;
      const content = survive(entry, chance);
      found.set(path, { ...entry, content, synced: content });
    }
    return new CrashingDisk(chance, found);
  }

  /** The paths of all files. */
  get names(): readonly string[] {
    return [...this.entries].filter(([, entry]) => entry !== 'folder').map(([path]) => path);
  }

  /** What the disk holds, as it stands there. */
  get(path: string): Uint8Array {
    return this.fileAt(path).content;
  }

  /** Puts a file there past those that are tested. */
  put(path: string, content: Uint8Array, mtimeMs = Date.now()): void {
    this.entries.set(path, { content, synced: content, mtimeMs });
  }

  mkdir = async (path: string, options?: { readonly recursive: true }): Promise<string | undefined> => {
    this.refuse('mkdir');
    if (this.entries.has(path) && options === undefined) throw failure('EEXIST');
    if (this.entries.has(path)) return undefined;
    const first = options === undefined ? undefined : await this.mkdir(dirname(path), options);
    this.change([[path, 'folder']]);
    return first ?? path;
  };

  chmod = async (): Promise<void> => this.refuse('chmod');

  /** Bytes, whatever the encoding: callers that want text get it by `toString`. */
  readFile = async (path: string, encoding?: 'utf8'): Promise<never> => {
    await this.wait('readFile');
    const bytes = Buffer.from(this.fileAt(path).content);
    this.count(path, bytes.length);
    return (encoding === undefined ? bytes : bytes.toString(encoding)) as never;
  };

  open = async (path: string, flags: 'r' | 'w' | 'wx'): ReturnType<FileSystem['open']> => {
    await this.wait('open');
    const old = this.entries.get(path);
    if (flags === 'wx' && old !== undefined) throw failure('EEXIST');
    if (flags !== 'r' && old === undefined)
      this.change([[path, { content: NOTHING, synced: NOTHING, mtimeMs: Date.now() }]]);
    else if (flags === 'w' && old !== 'folder') (old as StoredFile).content = NOTHING;
    const entry = this.entries.get(path);
    if (entry === undefined) throw failure('ENOENT');
    // Nobody reads or writes a folder: it is opened to be synced.
    const file = entry as StoredFile;
    return {
      read: async (buffer, offset, length, position) => {
        const piece = file.content.subarray(position, position + length);
        buffer.set(piece, offset);
        this.count(path, piece.length);
        return { bytesRead: piece.length };
      },
      stat: async () => ({ size: file.content.length }),
      writeFile: async (bytes) => {
        this.mostWrites = Math.max(this.mostWrites, ++this.writes);
        await new Promise(setImmediate);
        this.writes--;
        await this.spend('writeFile');
        file.content = bytes.slice();
      },
      sync: async () => {
        await this.spend(entry === 'folder' ? 'sync of the folder' : 'sync');
        if (entry === 'folder') this.syncNames(path);
        else entry.synced = entry.content;
      },
      close: async () => undefined,
    };
  };

  stat = async (path: string): Promise<{ readonly mtimeMs: number }> => {
    await this.wait('stat');
    return { mtimeMs: this.fileAt(path).mtimeMs };
  };

  link = async (from: string, to: string): Promise<void> => {
    await this.wait('link');
    if (this.entries.has(to)) throw failure('EEXIST');
    this.change([[to, this.fileAt(from)]]);
  };

  rename = async (from: string, to: string): Promise<void> => {
    await this.wait('rename');
    this.change([
      [from, null],
      [to, this.fileAt(from)],
    ]);
  };

  readdir = async (path: string): Promise<readonly string[]> => {
    await this.wait('readdir');
    if (this.entries.get(path) !== 'folder') throw failure('ENOENT');
    return [...this.entries.keys()]
      .filter((each) => each !== '/' && dirname(each) === path)
      .map((each) => each.slice(path.length + 1));
  };

  unlink = async (path: string): Promise<void> => {
    await this.wait('unlink');
    this.fileAt(path);
    this.change([[path, null]]);
  };

  private fileAt(path: string): StoredFile {
    const entry = this.entries.get(path);
    if (entry === undefined || entry === 'folder') throw failure('ENOENT');
    return entry;
  }

  private change(changes: readonly Change[]): void {
    this.countDown();
    for (const [path] of changes) if (this.entries.get(dirname(path)) !== 'folder') throw failure('ENOENT');
    apply(this.entries, changes);
    this.unsynced.push(changes);
  }

  private syncNames(folder: string): void {
    const isHere = ([change]: readonly Change[]): boolean =>
      change !== undefined && dirname(change[0]) === folder;
    for (const changes of this.unsynced.filter(isHere)) apply(this.durable, changes);
    this.unsynced = this.unsynced.filter((changes) => !isHere(changes));
  }

  private async spend(operation: string): Promise<void> {
    await this.wait(operation);
    this.countDown();
  }

  private async wait(operation: string): Promise<void> {
    // Now and then others get far meanwhile.
    const most = this.chance() < 0.02 ? 5_000 : 4;
    for (let turns = Math.floor(this.chance() * most); turns > 0; turns--) await Promise.resolve();
    if (this.left <= 0) throw failure('power lost');
    this.refuse(operation);
  }

  private refuse(operation: string): void {
    if (this.failing?.operation === operation) throw failure(this.failing.code);
  }

  private count(path: string, bytes: number): void {
    this.bytesRead.set(path, (this.bytesRead.get(path) ?? 0) + bytes);
  }

  private countDown(): void {
    if (this.left <= 0) throw failure('power lost');
    this.left--;
    this.done++;
  }
}

function apply(entries: Map<string, Entry>, changes: readonly Change[]): void {
  for (const [path, entry] of changes) {
    if (entry === null) entries.delete(path);
    else entries.set(path, entry);
  }
}

function survive({ content, synced }: StoredFile, chance: Chance): Uint8Array {
  if (content === synced) return synced;
  const length = Math.floor(chance() * (content.length + 1));
  const zeros = content.slice();
  zeros.fill(0, length);
  return pick(chance, [synced, content, NOTHING, content.slice(0, length), zeros]);
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
