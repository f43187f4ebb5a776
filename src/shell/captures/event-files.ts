/** Files of saved events: read into a capture without a server, which opens as a saved capture does. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { FileSystem } from '../../captures/capture-file';
import { encodeCapture } from '../../captures/capture-format';
import type * as EventFilesCore from '../../core/event-files/event-files';
import { formatCount } from '../../core/format';
import { joinSentences, t } from '../../core/language';
import { writeEventFileRead } from '../../core/script/event-file';
import { type Pause, takeSteps } from '../../core/steps';
import { describeError } from '../../monitor/queries/failure';
import { NOTES_SECTION } from '../../monitor/recorded-server';
import { Dismissed } from '../kit/command-table';
import type { Conversation } from '../kit/conversation';
import type { ErrorLogPiece } from '../../protocol';
import { cutPieces, FileIntake, readPieces } from '../kit/file-pieces';
import { openAsCapture } from './capture-editors';

type Core = typeof EventFilesCore;
type SavedEvents = EventFilesCore.SavedEvents;

export interface EventFilesWorld {
  /** What reads them, in a file of its own: few open such files. */
  readonly load: () => Promise<Core>;
  /** A folder of ours. Servers of lakes and saved events are put there as saved captures, and opened from there. */
  readonly storage: vscode.Uri;
  readonly disk: Pick<FileSystem, 'open'>;
  readonly pause: Pause;
  readonly nowUtcMs: () => number;
}

/** Bytes that are read at a time: some 100 events. */
const TAKEN_BYTES = 64 * 1024;
const ACTIVITY = /activity_id/;
const EVENTS = /(?:<|&lt;|u003c)event |event_data|checkpoint_(?:begin|end)/;

/** Letters and marks, whatever the encoding. */
const readLatin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1').replaceAll('\0', '');

/** A file, and why it was not read to its end; null: it was. */
interface FileOutcome {
  readonly uri: vscode.Uri;
  readonly why: unknown;
}

/** @throws Dismissed */
export async function chooseEventFiles(): Promise<readonly vscode.Uri[]> {
  const title = t('Events saved as CSV, JSON or XML');
  const options = { title, openLabel: t('Open Events'), canSelectMany: true };
  const uris = (await vscode.window.showOpenDialog(options)) ?? [];
  if (uris.length === 0) throw new Dismissed();
  return uris;
}

/**
 * Reads the files into one capture and opens it. An event file of the server is refused, and the query that turns it
 * into rows is opened.
 * @throws Error with one sentence if none of them has events; Dismissed
 */
export async function openEventFiles(
  conversation: Pick<Conversation, 'showWork' | 'showText'>,
  world: EventFilesWorld,
  uris: readonly vscode.Uri[],
): Promise<void> {
  const core = await world.load();
  const label =
    uris.length === 1
      ? nameOf(uris[0])
      : t('{0} and {1} more', nameOf(uris[0]), formatCount(uris.length - 1));
  const { saved, outcomes } = await conversation.showWork(t('Reading {0}', label), (signal, tell) =>
    readFiles(core, world, uris, signal, tell),
  );
  const failed = outcomes.filter(({ why }) => why !== null);
  const binary = failed.find(({ why }) => why instanceof core.BinaryFileError);
  if (binary !== undefined) await conversation.showText(writeEventFileRead(binary.uri.fsPath), 'sql');
  const failures = failed.map(({ uri, why }) =>
    why instanceof core.BinaryFileError ? describeBinary(nameOf(uri)) : describeError(why),
  );
  if (saved.record.columns.rows + saved.record.ledger.unpaired === 0)
    throw new Error(joinSentences(...failures));
  await openSaved(world, label, saved, failures);
}

/**
 * Takes a file that is dropped on a page, and opens it with its last piece.
 * @param first its first piece
 * @returns null if it is rather no file of events
 */
export async function createEventIntake(
  conversation: Pick<Conversation, 'showText'>,
  world: EventFilesWorld,
  first: Pick<ErrorLogPiece, 'name' | 'bytes'>,
): Promise<FileIntake<null> | null> {
  if (!/\.xel$/i.test(first.name) && !EVENTS.test(readLatin(new Uint8Array(first.bytes)))) return null;
  const core = await world.load();
  return new FileIntake(world.pause, (name) => {
    const reader = new core.EventFiles(randomUUID());
    const file = reader.open(name);
    return {
      take: (bytes) => {
        try {
          file.take(bytes);
        } catch (error) {
          if (!(error instanceof core.BinaryFileError)) throw error;
          void conversation.showText(writeEventFileRead(name), 'sql');
          throw new Error(describeBinary(name));
        }
      },
      end: async () => {
        file.end();
        await openSaved(world, name, await takeSteps(reader.finish(), world.pause), []);
        return null;
      },
    };
  });
}

async function openSaved(
  { storage, pause, nowUtcMs }: EventFilesWorld,
  label: string,
  { record, notes }: SavedEvents,
  failures: readonly string[],
): Promise<void> {
  const bytes = Buffer.from(joinSentences(...failures, ...notes), 'utf8');
  const sections = [{ name: NOTES_SECTION, bytes }];
  const capture = await takeSteps(encodeCapture({ ...record, sections, serverLabel: label }), pause);
  await openAsCapture(vscode.Uri.joinPath(storage, 'events'), label, capture, nowUtcMs());
}

async function readFiles(
  { EventFiles, BinaryFileError }: Core,
  { disk, pause }: EventFilesWorld,
  uris: readonly vscode.Uri[],
  signal: AbortSignal,
  tell: (share: number) => void,
): Promise<{ readonly saved: SavedEvents; readonly outcomes: readonly FileOutcome[] }> {
  const reader = new EventFiles(randomUUID());
  const files = await Promise.all(uris.map(async (uri) => ({ uri, ...(await peek(disk, uri)) })));
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  let bytes = 0;
  const outcomes: FileOutcome[] = [];
  // Events that name their task come first: of those that do not, only what is new counts.
  for (const { uri } of files.sort((a, b) => Number(b.hasActivity) - Number(a.hasActivity))) {
    const file = reader.open(nameOf(uri));
    const take = async (): Promise<void> => {
      for await (const piece of readPieces(disk, vscode.workspace.fs, uri))
        for (const part of cutPieces(piece, TAKEN_BYTES)) {
          if (signal.aborted) throw new Dismissed();
          file.take(part);
          tell(Math.min((bytes += part.length) / totalBytes, 1));
          await pause();
        }
    };
    const why = await take()
      .catch((error: unknown) => {
        const isAll = error instanceof Dismissed || error instanceof BinaryFileError;
        throw isAll
          ? error
          : new Error(t('{0} was not read to its end: {1}', nameOf(uri), describeError(error)));
      })
      .then(() => file.end())
      .then(
        () => null,
        (error: unknown) => error,
      );
    if (why instanceof Dismissed) throw why;
    outcomes.push({ uri, why });
  }
  return { saved: await takeSteps(reader.finish(), pause), outcomes };
}

/** @returns nothing of a file that cannot be read: reading it says why */
async function peek(
  disk: EventFilesWorld['disk'],
  uri: vscode.Uri,
): Promise<{ readonly size: number; readonly hasActivity: boolean }> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    for await (const piece of readPieces(disk, vscode.workspace.fs, uri))
      return { size, hasActivity: ACTIVITY.test(readLatin(piece)) };
  } catch {
    // Below.
  }
  return { size: 0, hasActivity: false };
}

const nameOf = (uri: vscode.Uri | undefined): string => uri?.path.split('/').pop() ?? '';

function describeBinary(name: string): string {
  return t(
    '{0} is no text. An event file of SQL Server (.xel) is read by SQL Server only: the query that was opened turns it into rows, which you save as CSV, JSON or XML.',
    name,
  );
}
