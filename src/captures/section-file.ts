/**
 * What is kept of a server beside its captures, for instance samples of write work: one file for each kind, written
 * only if it is new. A copy in each capture would hold the same megabytes twenty times. Where two windows add to one
 * kind, each writes files of its own, and no file is written twice: so one that was joined to another can go, whatever
 * the other window does.
 *
 *     {"format":"checkpoint-health section","version":1,"serverName":...,"name":"write-work","bytes":N}\n | N bytes | checksum 4
 */
import { type KeptSection } from '../core/capture/capture-record';
import { finishSteps, type Steps, takeSteps } from '../core/steps';
import { describeDiskError, type Disk, writeWholeFile } from './capture-file';
import { CHECKSUM_BYTES, computeByteChecksum, isSealed, sealBytes } from './checksum';
import { copyBytes } from '../core/number-columns';
import { t } from '../core/language';
import { explainVersion } from '../core/schema';

const FORMAT = 'checkpoint-health section';
const VERSION = 1;
const EXTENSION = '.section';
const NEW_LINE = 10;

/** A section, or one clause that says why the file is no section of this server. */
type DecodedSection =
  | { readonly section: KeptSection; readonly problem: null }
  | { readonly section: null; readonly problem: string; readonly isGone?: boolean };

/**
 * @param serverName SERVERPROPERTY('ServerName'); null if it was not known. The file name holds a checksum of it: not
 * every name can be a file's.
 */
export function nameSectionFile(serverName: string | null, { name, join }: KeptSection): string {
  if (!/^[a-z0-9-]{1,50}$/.test(name))
    throw new RangeError(`not a name of a section: ${JSON.stringify(name)}`);
  return `${nameOwner(serverName)}${name}${join === undefined ? '' : `-${Math.random().toString(36).slice(2)}`}${EXTENSION}`;
}

export function isSectionFile(file: string): boolean {
  return file.endsWith(EXTENSION);
}

/** @param name of the section; empty: any */
export function isSectionFileOf(serverName: string | null, file: string, name = ''): boolean {
  return isSectionFile(file) && file.startsWith(nameOwner(serverName) + name);
}

/** @throws Error of the file system */
export async function writeSectionFile(
  disk: Disk,
  path: string,
  serverName: string | null,
  section: KeptSection,
): Promise<void> {
  await writeWholeFile(disk.files, path, await takeSteps(encodeSection(serverName, section), disk.pause));
}

/** Never throws, whatever is on the disk. */
export async function readSectionFile(
  { files, pause }: Disk,
  path: string,
  serverName: string | null,
): Promise<DecodedSection> {
  try {
    return await takeSteps(decodeSection(await files.readFile(path), serverName), pause);
  } catch (error) {
    const code = describeDiskError(error);
    return { ...refuse(t('it cannot be read ({0})', code)), isGone: code === 'ENOENT' };
  }
}

function nameOwner(serverName: string | null): string {
  const bytes = Buffer.from(serverName ?? '', 'utf8');
  return `of-${finishSteps(computeByteChecksum(bytes, bytes.length)).toString(16).padStart(8, '0')}-`;
}

function* encodeSection(serverName: string | null, { name, bytes }: KeptSection): Steps<Uint8Array> {
  const header = Buffer.from(
    `${JSON.stringify({ format: FORMAT, version: VERSION, serverName, name, bytes: bytes.length })}\n`,
    'utf8',
  );
  const end = header.length + bytes.length;
  const whole = new Uint8Array(end + CHECKSUM_BYTES);
  whole.set(header);
  yield* copyBytes(bytes, whole, header.length);
  yield* sealBytes(whole);
  return whole;
}

function* decodeSection(whole: Uint8Array, serverName: string | null): Steps<DecodedSection> {
  const headerEnd = whole.indexOf(NEW_LINE);
  const header = parseHeader(headerEnd < 0 ? '' : Buffer.from(whole.subarray(0, headerEnd)).toString('utf8'));
  if ('problem' in header) return refuse(header.problem);
  const end = whole.length - CHECKSUM_BYTES;
  if (headerEnd + 1 + header.bytes !== end) return refuse(t('its length is wrong'));
  if (!(yield* isSealed(whole))) return refuse(t('its checksum does not match its content'));
  if (header.serverName !== serverName) return refuse(t('it belongs to another server'));
  const bytes = new Uint8Array(header.bytes);
  yield* copyBytes(whole.subarray(headerEnd + 1, end), bytes, 0);
  return { section: { name: header.name, bytes }, problem: null };
}

interface Header {
  readonly serverName: string | null;
  readonly name: string;
  readonly bytes: number;
}

function parseHeader(line: string): Header | { readonly problem: string } {
  const none = { problem: t('it is not a file of Checkpoint Health') };
  try {
    const fields = JSON.parse(line) as Record<string, unknown> | null;
    if (fields?.format !== FORMAT) return none;
    const later = explainVersion(fields.version, VERSION);
    if (later !== null) return { problem: later };
    const { serverName, name, bytes } = fields;
    const isNamed = (serverName === null || typeof serverName === 'string') && typeof name === 'string';
    return isNamed && Number.isSafeInteger(bytes) && (bytes as number) >= 0
      ? { serverName, name, bytes: bytes as number }
      : none;
  } catch {
    return none;
  }
}

function refuse(problem: string): DecodedSection & { readonly section: null } {
  return { section: null, problem };
}
