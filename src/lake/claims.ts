/**
 * Which servers a collector is reading into a lake, so that a run that overlaps leaves them to it. A claim is a file that
 * its owner touches; one that was not touched lately is of a run that ended without a word. Nothing rests on it: two
 * that read at once are told apart by the commit (`lake`).
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './delta-log';

const TOUCH_MS = 10_000;
/** Several touches; the clock is that of the file system. */
const STALE_MS = 60_000;

interface Claim {
  readonly servers: readonly string[];
  readonly startedUtcMs: number;
  readonly host: string;
  readonly process: number;
}

interface Claimed {
  /** Servers of another run, with the moment at which that began and where it runs. */
  readonly taken: ReadonlyMap<string, Pick<Claim, 'startedUtcMs' | 'host' | 'process'>>;
  release(): Promise<void>;
}

/** Claims those servers that no other run is reading. */
export async function claimServers(lake: string, servers: readonly string[], host: string): Promise<Claimed> {
  const folder = join(lake, '_collecting');
  const own = `${randomUUID()}.json`;
  const path = join(folder, own);
  const claim: Claim = { servers, startedUtcMs: Date.now(), host, process: process.pid };
  await makeFolder(folder);
  await writeFile(path, JSON.stringify(claim));
  const touch = (): unknown => utimes(path, new Date(), new Date()).catch(() => undefined);
  const beat = setInterval(touch, TOUCH_MS).unref();
  const { mtimeMs: nowOnDiskMs } = await stat(path);
  const taken = new Map<string, Claim>();
  for (const name of await readdir(folder)) {
    const other = name === own ? null : await readClaim(join(folder, name), nowOnDiskMs);
    // Of two that began at once, one gives way.
    const isFirst =
      other !== null &&
      (other.startedUtcMs < claim.startedUtcMs || (other.startedUtcMs === claim.startedUtcMs && name < own));
    if (isFirst) for (const server of other.servers) taken.set(server, other);
  }
  return {
    taken: new Map([...taken].filter(([server]) => servers.includes(server))),
    release: async () => {
      clearInterval(beat);
      await unlink(path).catch(() => undefined);
    },
  };
}

/** null: it ended, or its owner did. */
async function readClaim(path: string, nowOnDiskMs: number): Promise<Claim | null> {
  try {
    const { mtimeMs } = await stat(path);
    if (nowOnDiskMs - mtimeMs < STALE_MS) return JSON.parse(await readFile(path, 'utf8')) as Claim;
    await unlink(path);
  } catch {
    // Taken away meanwhile, or half written: then the commit tells them apart.
  }
  return null;
}
