/** The scripts of one server as files in a folder of its own. None is ever run. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAgentJob } from '../../../src/core/script/agent-job';
import type { ScriptSet } from '../../../src/core/script/script-set';
import { makeFolder, whileHeld } from '../../../src/lake/delta-log';

const FILE_NAMES = {
  change: 'switch.sql',
  rollback: 'rollback.sql',
  'agent job': 'agent-job.sql',
  analysis: 'analysis.sql',
  record: 'change-record.md',
} as const;

interface ScriptFile {
  readonly name: string;
  readonly text: string;
}

/** What is written for one server, byte for byte as the editor's review opens it. */
export function listScriptFiles({ scripts, record }: ScriptSet, withJob: boolean): readonly ScriptFile[] {
  const jobs = withJob ? scripts.filter(({ kind }) => kind === 'change').map(writeAgentJob) : [];
  const files = [...scripts, ...jobs].map(({ kind, text }) => ({ name: FILE_NAMES[kind], text }));
  return [...files, { name: FILE_NAMES.record, text: record }];
}

/** They undo what an earlier set may have done since: they are never lost. */
const UNDO: readonly string[] = [FILE_NAMES.rollback, FILE_NAMES.record];

/**
 * Writes the set of one server, which replaces an earlier one as a whole: a file left of it would be of other
 * databases, or another target. An earlier rollback and its record stay; beside new ones, with a digest in their names.
 * @param files empty: nothing is to be switched any more @param isForced an earlier set goes first
 * @returns names of other files of the earlier set without a successor: gone if forced, else still there
 * @throws Error with one sentence, before any is written, if an earlier set is there and files are to be written
 */
export async function writeScriptFiles(
  folder: string,
  files: readonly ScriptFile[],
  isForced: boolean,
): Promise<readonly string[]> {
  const earlier = Object.values(FILE_NAMES).filter((name) => existsSync(join(folder, name)));
  const [first] = earlier;
  if (first !== undefined && !isForced && files.length > 0)
    throw new Error(`${join(folder, first)} is there already. --force replaces all files of that set.`);
  if (files.length > 0) await makeFolder(folder);
  // The whole set is on the disk before the earlier one goes: its rollback may be needed.
  const partOf = ({ name }: ScriptFile): string => join(folder, `${name}.unfinished`);
  try {
    for (const file of files) await writeFile(partOf(file), file.text, 'utf8');
    for (const file of files) if (UNDO.includes(file.name)) await keepEarlier(folder, file);
    // No switch is there without its rollback, if one of them cannot be renamed.
    for (const file of [...files].reverse())
      await whileHeld(() => rename(partOf(file), join(folder, file.name)));
  } finally {
    for (const file of files) await rm(partOf(file), { force: true }).catch(() => undefined);
  }
  const left = earlier.filter((name) => !UNDO.includes(name) && !files.some((file) => file.name === name));
  if (isForced) for (const name of left) await whileHeld(() => unlink(join(folder, name)));
  return left;
}

/** Another text of that name gets a name of its own. */
async function keepEarlier(folder: string, { name, text }: ScriptFile): Promise<void> {
  const earlier = await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return text;
    throw error;
  });
  if (earlier === text) return;
  await whileHeld(() => rename(join(folder, name), join(folder, name.replace('.', `-${digest(earlier)}.`))));
}

const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 8);

/** Names that Windows keeps for devices. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** The folder of a server, by a name that any file system takes. Another name than its own ends with a digest of it. */
export function nameFolder(server: string): string {
  const plain = server
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^\.+|(?<!\.)\.+$/g, '_')
    .slice(0, 100);
  const safe = RESERVED.test(plain) ? `_${plain}` : plain;
  return safe === server ? safe : `${safe}-${digest(server)}`;
}
