/** The scripts of one server as files in a folder of its own. None is ever run. */
import { createHash } from 'node:crypto';
import { access, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAgentJob } from '../../../src/core/script/agent-job';
import type { ReviewScript, ScriptSet } from '../../../src/core/script/script-set';
import { makeFolder, whileHeld } from '../../../src/lake/delta-log';

const FILE_NAMES = {
  change: 'switch.sql',
  rollback: 'rollback.sql',
  'agent job': 'agent-job.sql',
  analysis: 'analysis.sql',
} as const;
const RECORD_NAME = 'change-record.md';

interface ScriptFile {
  readonly name: string;
  readonly text: string;
}

/** What is written for one server, byte for byte as the editor's review opens it. */
export function listScriptFiles({ scripts, record }: ScriptSet, withJob: boolean): readonly ScriptFile[] {
  const jobs = withJob ? scripts.filter(({ kind }) => kind === 'change').map(writeAgentJob) : [];
  const file = ({ kind, text }: ReviewScript): ScriptFile => ({ name: FILE_NAMES[kind], text });
  return [...scripts.map(file), ...jobs.map(file), { name: RECORD_NAME, text: record }];
}

/** They undo what an earlier set may have done since: they are never lost. */
const UNDO: readonly string[] = [FILE_NAMES.rollback, RECORD_NAME];

/**
 * Writes the set of one server, which replaces an earlier one as a whole: a file that is left of it would be of other
 * databases, or of another target. An earlier rollback and its record stay: as they are if there is no successor, else
 * with a digest of their text in their names.
 * @param files empty: nothing is to be switched any more
 * @param isForced an earlier set goes first
 * @returns names of files of the earlier set that have no successor, without those: they are gone if forced, else still
 * there
 * @throws Error with one sentence, before any is written, if an earlier set is there and files are to be written
 */
export async function writeScriptFiles(
  folder: string,
  files: readonly ScriptFile[],
  isForced: boolean,
): Promise<readonly string[]> {
  const earlier: string[] = [];
  for (const name of [...Object.values(FILE_NAMES), RECORD_NAME])
    if (await isThere(join(folder, name))) earlier.push(name);
  const [first] = earlier;
  if (first !== undefined && !isForced && files.length > 0)
    throw new Error(`${join(folder, first)} is there already. --force replaces all files of that set.`);
  if (files.length > 0) await makeFolder(folder);
  // The whole set is on the disk before the earlier one goes: its rollback may be needed.
  const parts = files.map(({ name, text }) => ({
    path: join(folder, name),
    part: join(folder, `${name}.unfinished`),
    text,
  }));
  try {
    for (const { part, text } of parts) await writeFile(part, text, 'utf8');
    for (const name of UNDO)
      if (files.some((file) => file.name === name)) await keepEarlier(folder, name, files);
    // No switch is there without its rollback, if one of them cannot be renamed.
    for (const { part, path } of [...parts].reverse()) await whileHeld(() => rename(part, path));
  } finally {
    for (const { part } of parts) await rm(part, { force: true }).catch(() => undefined);
  }
  const left = earlier.filter((name) => !UNDO.includes(name) && !files.some((file) => file.name === name));
  if (isForced) for (const name of left) await whileHeld(() => unlink(join(folder, name)));
  return left;
}

/** Another text of that name gets a name of its own. */
async function keepEarlier(folder: string, name: string, files: readonly ScriptFile[]): Promise<void> {
  const text = await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null || files.some((file) => file.name === name && file.text === text)) return;
  const digest = createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 8);
  await whileHeld(() => rename(join(folder, name), join(folder, name.replace('.', `-${digest}.`))));
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Names that Windows keeps for devices. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * The folder of a server, by a name that any file system takes. Where that is another, it ends with a digest of the
 * server's.
 */
export function nameFolder(server: string): string {
  const plain = server
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^\.+|(?<!\.)\.+$/g, '_')
    .slice(0, 100);
  const safe = RESERVED.test(plain) ? `_${plain}` : plain;
  return safe === server
    ? safe
    : `${safe}-${createHash('sha256').update(server, 'utf8').digest('hex').slice(0, 8)}`;
}
