/** What the user's configuration folder keeps about this installation: the event sessions that it made. No secret. */
import { randomBytes } from 'node:crypto';
import { accessSync, closeSync, constants, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Installation, StartedSession } from '../../../src/monitor/queries/surroundings';
import { addStarted, readStarted } from '../../../src/monitor/tracking/session-owner';

/** @throws Error with one sentence, before anything is changed on a server, if nothing could be kept there */
export function openInstallation(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): Installation {
  const file = join(findFolder(environment, platform), 'checkpoint-health', 'installation.json');
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    accessSync(dirname(file), constants.W_OK);
    if (read(file) === null) write(file, []);
  } catch (error) {
    throw new Error(`Which event sessions are ours cannot be kept: ${error instanceof Error ? error.message : String(error)}`);
  }
  // Read each time: another process may have added a session, or made the file at the same moment.
  const list = (): readonly StartedSession[] => read(file) ?? [];
  return {
    newMark: () => randomBytes(16).toString('hex'),
    findStarted: (mark) => list().find((started) => started.mark === mark) ?? null,
    keepStarted: async (started) => write(file, addStarted(list(), started)),
  };
}

function findFolder({ XDG_CONFIG_HOME, APPDATA }: Readonly<Record<string, string | undefined>>, platform: string): string {
  const named = platform === 'win32' ? APPDATA : XDG_CONFIG_HOME;
  return named !== undefined && isAbsolute(named) ? named : join(homedir(), '.config');
}

/** null: there is none. @throws Error if it is damaged */
function read(file: string): readonly StartedSession[] | null {
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

function parse(text: string): readonly StartedSession[] | null {
  try {
    const kept = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    // An earlier version kept what a server counts, by which no session can be known again.
    if (kept !== null && kept['sessions'] === undefined && typeof kept['id'] === 'string') return [];
    return readStarted(kept?.['sessions']);
  } catch {
    return null;
  }
}

/** Readers see the old file or the new one, never half of it, also after a loss of power. */
function write(file: string, sessions: readonly StartedSession[]): void {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`;
  const handle = openSync(unfinished, 'wx', 0o600);
  try {
    writeFileSync(handle, `${JSON.stringify({ sessions }, null, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(unfinished, file);
}
