/** What the user's configuration folder keeps about this installation: the event sessions that it made. No secret. */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { writeWholeFile } from '../../../src/captures/capture-file';
import { explainVersion } from '../../../src/core/schema';
import { describeError } from '../../../src/monitor/queries/failure';
import type { Installation, StartedSession } from '../../../src/monitor/queries/surroundings';
import { readStarted } from '../../../src/monitor/tracking/session-owner';

/**
 * Each session has a file of its own, so that programs that start sessions at one moment lose none of each other's.
 * @throws Error with one sentence, before anything is changed on a server, if nothing could be kept there
 */
export function openOwnInstallation(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): Installation {
  const named = platform === 'win32' ? environment.APPDATA : environment.XDG_CONFIG_HOME;
  const above = named !== undefined && isAbsolute(named) ? named : join(homedir(), '.config');
  const folder = join(above, 'checkpoint-health');
  const sessions = join(folder, 'sessions');
  /** An earlier version kept all of them in it. */
  const earlier = join(folder, 'installation.json');
  try {
    makeFolder(sessions);
    accessSync(sessions, constants.W_OK);
    read(earlier, parseEarlier);
  } catch (error) {
    throw new Error(`Cannot save which event sessions are ours: ${describeError(error)}`);
  }
  const ofSession = (mark: string): string => join(sessions, `${mark}.json`);
  return {
    newMark: () => randomBytes(16).toString('hex'),
    // The mark is what a server says: it names a file only if it is one.
    findStarted: (mark) =>
      (MARK.test(mark) ? read(ofSession(mark), (kept) => readStarted([kept])) : null)?.[0] ??
      read(earlier, parseEarlier)?.find((started) => started.mark === mark) ??
      null,
    keepStarted: async (started) => {
      const kept = JSON.stringify({ version: SESSION_VERSION, ...started });
      await writeWholeFile(files, ofSession(started.mark), Buffer.from(`${kept}\n`, 'utf8'));
    },
  };
}

/** Of the file of a session; one without a number has version 1. */
const SESSION_VERSION = 1;
const MARK = /^[0-9a-f]{32}$/;

/** Not by `recursive`: below `/proc` that never ends. */
function makeFolder(folder: string): void {
  const make = (): unknown => mkdirSync(folder, { mode: 0o700 });
  try {
    make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    makeFolder(dirname(folder));
    make();
  }
}

type Kept = Readonly<Record<string, unknown>>;
type Started = readonly StartedSession[] | null;

/** null: there is none. @throws Error if it is damaged, or a later version wrote it */
function read(file: string, take: (kept: Kept) => Started): Started {
  try {
    const { version = 1, ...fields } = (JSON.parse(readFileSync(file, 'utf8')) ?? {}) as Kept;
    const later = explainVersion(version, SESSION_VERSION);
    if (later !== null) throw new Error(`${file} is left as it is: ${later}.`);
    const kept = take(fields);
    if (kept !== null) return kept;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (!(error instanceof SyntaxError)) throw error;
  }
  const advice = 'Delete it: the sessions that were started from here then count as started elsewhere.';
  throw new Error(`${file} is damaged. ${advice}`);
}

/** A still earlier version kept what a server counts, by which no session can be known again. */
const parseEarlier = ({ id, sessions }: Kept): Started =>
  sessions === undefined && typeof id === 'string' ? [] : readStarted(sessions);
