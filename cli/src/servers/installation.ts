/** What the user's configuration folder keeps about this installation: its id, and the event sessions that it started. No secret. */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Installation, StartedSession } from '../../../src/monitor/queries/surroundings';

interface Kept {
  readonly id: string;
  /** By the server's own name; one session each. */
  readonly started: Readonly<Record<string, StartedSession>>;
}

/** @throws Error with one sentence, before anything is changed on a server, if nothing could be kept there */
export function openInstallation(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): Installation {
  const file = join(findFolder(environment, platform), 'checkpoint-health', 'installation.json');
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    accessSync(dirname(file), constants.W_OK);
    if (read(file) === null) write(file, { id: randomBytes(4).toString('hex'), started: {} });
  } catch (error) {
    throw new Error(`Which event sessions are ours cannot be kept: ${error instanceof Error ? error.message : String(error)}`);
  }
  const now = (): Kept => read(file) ?? { id: '', started: {} };
  return {
    // Read each time: another process may have added a session, or made the file at the same moment.
    get id() {
      return now().id;
    },
    findStarted: (serverName) => new Map(Object.entries(now().started)).get(serverName) ?? null,
    keepStarted: async (serverName, session) => {
      const { id, started } = now();
      write(file, { id, started: { ...started, [serverName]: session } });
    },
  };
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
    const isGood = ({ definitionId, startedLocalMs }: Partial<StartedSession>): boolean =>
      typeof definitionId === 'number' && typeof startedLocalMs === 'number';
    return Object.values(started).every((each: unknown) => isGood((each ?? {}) as Partial<StartedSession>)) ? { id, started } : null;
  } catch {
    return null;
  }
}

/** Readers see the old file or the new one, never half of it. */
function write(file: string, kept: Kept): void {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`;
  writeFileSync(unfinished, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}
