/** What the user's configuration folder keeps about this installation: its id, and the event sessions that it started. No secret. */
import { randomBytes } from 'node:crypto';
import { accessSync, closeSync, constants, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Installation, StartedSession } from '../../../src/monitor/queries/surroundings';

interface Kept {
  readonly id: string;
  /** By the server's own name, which two servers may share, and by its address; one session each, the newest last. */
  readonly started: Readonly<Record<string, Readonly<Record<string, StartedSession>>>>;
}

/**
 * @returns the installation as the server at an address is told of it
 * @throws Error with one sentence, before anything is changed on a server, if nothing could be kept there
 */
export function openInstallation(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): (address: string) => Installation {
  const file = join(findFolder(environment, platform), 'checkpoint-health', 'installation.json');
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    accessSync(dirname(file), constants.W_OK);
    if (read(file) === null) write(file, { id: randomBytes(4).toString('hex'), started: {} });
  } catch (error) {
    throw new Error(`Which event sessions are ours cannot be kept: ${error instanceof Error ? error.message : String(error)}`);
  }
  const now = (): Kept => read(file) ?? { id: '', started: {} };
  const listStarted = (serverName: string): ReadonlyMap<string, StartedSession> =>
    new Map(Object.entries(new Map(Object.entries(now().started)).get(serverName) ?? {}));
  return (address) => ({
    // Read each time: another process may have added a session, or made the file at the same moment.
    get id() {
      return now().id;
    },
    // The same server may be named in another way than when it was started.
    findStarted: (serverName) => {
      const known = listStarted(serverName);
      return known.get(address) ?? [...known.values()].pop() ?? null;
    },
    keepStarted: async (serverName, session) => {
      const known = new Map(listStarted(serverName));
      known.delete(address);
      const { id, started } = now();
      write(file, { id, started: { ...started, [serverName]: Object.fromEntries(known.set(address, session)) } });
    },
  });
}

function findFolder({ XDG_CONFIG_HOME, APPDATA }: Readonly<Record<string, string | undefined>>, platform: string): string {
  const named = platform === 'win32' ? APPDATA : XDG_CONFIG_HOME;
  return named !== undefined && isAbsolute(named) ? named : join(homedir(), '.config');
}

/** null: there is none. @throws Error if it is damaged */
function read(file: string): Kept | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const kept = parse(text);
  if (kept === null)
    throw new Error(`${file} is damaged. Delete it: the sessions that were started from here then count as started elsewhere.`);
  return kept;
}

function parse(text: string): Kept | null {
  try {
    const { id, started } = JSON.parse(text) as Partial<Kept>;
    if (typeof id !== 'string' || !/^[0-9a-f]{8}$/.test(id) || typeof started !== 'object' || started === null) return null;
    const sessions = Object.values(started).flatMap((each: unknown) => Object.values(each ?? {}) as Partial<StartedSession>[]);
    const isGood = sessions.every((each) => typeof each.definitionId === 'number' && typeof each.startedLocalMs === 'number');
    return isGood ? { id, started } : null;
  } catch {
    return null;
  }
}

/** Readers see the old file or the new one, never half of it, also after a loss of power. */
function write(file: string, kept: Kept): void {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`;
  const handle = openSync(unfinished, 'wx', 0o600);
  try {
    writeFileSync(handle, `${JSON.stringify(kept, null, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(unfinished, file);
}
