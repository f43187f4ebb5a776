import assert from 'node:assert/strict';
import type { ErrorLogPiece } from '../../../src/protocol';
import {
  type ErrorLogDocument,
  LogIntake,
  readLogFile,
  readPastedLog,
} from '../../../src/shell/error-logs/error-log-document';
import { Dismissed } from '../../../src/shell/kit/command-table';
import type { PieceTaken } from '../../../src/shell/kit/file-pieces';
import { isErrorLogId, KeptErrorLogs } from '../../../src/shell/error-logs/kept-error-logs';
import * as files from 'node:fs/promises';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import { LOG } from '../sample';
import { makeFolder } from '../../temporary-folder';

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf16le'));
const pause = (): Promise<void> => Promise.resolve();
const readWhole = (name: string, bytes: Uint8Array, isCancelled = false): Promise<ErrorLogDocument> =>
  readLogFile(name, Readable.from([bytes]), { pause, isCancelled: () => isCancelled, tell: () => undefined });
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const cut = (name: string, bytes: Uint8Array, pieceBytes: number): readonly ErrorLogPiece[] =>
  Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) => ({
    type: 'errorLogFile',
    name,
    totalBytes: bytes.length,
    fromByte: at * pieceBytes,
    bytes: bytes.slice(at * pieceBytes, (at + 1) * pieceBytes).buffer,
  }));

/** Sends a file in pieces of that size, each when the one before was taken. */
async function drop(
  intake: LogIntake,
  name: string,
  bytes: Uint8Array,
  pieceBytes: number,
): Promise<readonly (PieceTaken<ErrorLogDocument> | null)[]> {
  const answers: (PieceTaken<ErrorLogDocument> | null)[] = [];
  for (const piece of cut(name, bytes, pieceBytes)) answers.push(await intake.take(piece));
  return answers;
}

describe('An error log that is dropped on a page', () => {
  it('says the same whatever the pieces that it comes in', async () => {
    const bytes = bytesOf(`\uFEFF${LOG}`);
    const whole = await readWhole('ERRORLOG.1', bytes);
    assert.equal(whole.page.tables.find(({ id }) => id === 'flush-cache')?.rows.length, 1);
    for (const size of [1, 7, 1_000, bytes.length]) {
      const answers = await drop(new LogIntake(pause), 'ERRORLOG.1', bytes, size);
      assert.deepEqual(answers.at(-1), { bytes: bytes.length, document: whole });
      assert.ok(answers.slice(0, -1).every((answer) => answer?.document === null));
    }
  });

  it('begins again with another file, and takes no piece that does not follow the one before', async () => {
    const intake = new LogIntake(pause);
    const refused = { bytes: null, document: null };
    const piece = {
      type: 'errorLogFile',
      name: 'ERRORLOG.1',
      totalBytes: 100,
      bytes: new ArrayBuffer(3),
    } as const;
    await intake.take({ ...piece, fromByte: 0 });
    assert.deepEqual(await intake.take({ ...piece, fromByte: 50 }), refused);
    assert.deepEqual(await intake.take({ ...piece, name: 'OTHER', fromByte: 3 }), refused);
    assert.deepEqual(
      await intake.take({ ...piece, fromByte: 3, bytes: 'abc' as unknown as ArrayBuffer }),
      refused,
    );
    const answers = await drop(intake, 'ERRORLOG', bytesOf(`\uFEFF${LOG}`), 64);
    assert.match(answers.at(-1)?.document?.page.title ?? '', /^1 checkpoint took longer/);
    assert.deepEqual(
      await intake.take({ ...piece, name: 'ERRORLOG', fromByte: 2 + 2 * LOG.length }),
      refused,
      'nothing follows the end',
    );
  });

  it('is left where another is dropped while it is read, and the other is read whole', async () => {
    const waiting: (() => void)[] = [];
    const intake = new LogIntake(() => new Promise((resolve) => void waiting.push(resolve)));
    const older = bytesOf('2026-03-02 08:00:00.10 Server      of the older file\r\n'.repeat(6_000));
    const newer = bytesOf(`\uFEFF${LOG}`);
    const [first = assert.fail(), second = assert.fail()] = cut('ERRORLOG.1', newer, 300);
    const answers = Promise.all(
      [...cut('ERRORLOG.1', older, older.length), first].map((piece) => intake.take(piece)),
    );
    while (waiting.length > 0) {
      waiting.shift()?.();
      await settle();
    }
    assert.deepEqual(await answers, [null, { bytes: 300, document: null }]);
    const rest = cut('ERRORLOG.1', newer, 300).slice(2);
    let last: PieceTaken<ErrorLogDocument> | null = null;
    for (const piece of [second, ...rest]) {
      const taken = intake.take(piece);
      waiting.shift()?.();
      last = await taken;
    }
    const whole = await readWhole('ERRORLOG.1', newer);
    assert.deepEqual(last, { bytes: newer.length, document: whole });
  });

  it('is refused with one sentence where it is no error log', async () => {
    const refused = /^Error: photo\.jpg cannot be read as an error log of SQL Server/;
    const noise = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 251);
    await assert.rejects(readWhole('photo.jpg', noise), refused);
    await assert.rejects(readWhole('photo.jpg', new Uint8Array(0)), refused);
    assert.throws(() => readPastedLog('photo.jpg', 'hello\nworld'), refused);
  });

  it('is read where it holds messages alone, without a date', () => {
    const { page } = readPastedLog('mail.txt', LOG.replace(/^.{35}/gm, ''));
    assert.match(page.summary, /^1 database; the longest took/);
  });

  it('is never refused where a line of it is about checkpoints, in whatever form', () => {
    const { page } = readPastedLog(
      'x.sql',
      "AND Text NOT LIKE N'FlushCache:%' --FlushCache: cleaned up 3 bufs",
    );
    assert.equal(page.title, '1 line about checkpoints could not be read.');
    assert.throws(
      () => readPastedLog('notes.md', 'We spoke of the checkpoint.'),
      /cannot be read as an error log/,
    );
  });

  it('is read no further where that is cancelled', async () => {
    await assert.rejects(readWhole('ERRORLOG', bytesOf(LOG), true), Dismissed);
  });
});

const log = readPastedLog('a]b"c', LOG);
const [one, two, three] = ['log-0000000000000001', 'log-0000000000000002', 'log-0000000000000003'] as const;
const nowUtcMs = Date.now();

describe('The page of an error log that is open', () => {
  let home: string;
  let folder: string;
  beforeEach(() => {
    home = makeFolder();
    folder = join(home, 'error-logs');
  });

  /** As another window sees the same place. */
  const open = (): KeptErrorLogs => new KeptErrorLogs(folder, files);
  const fileOf = (id: string): string => join(folder, `${id}.json`);
  const age = (path: string, days: number): Promise<void> => {
    const at = new Date(nowUtcMs - days * 24 * 3_600_000);
    return files.utimes(path, at, at);
  };

  it('is kept for the next window, and goes with its panel', async () => {
    await open().keep(one, log);
    assert.deepEqual(await open().find(one), log);
    await open().forget(one);
    await open().forget(one);
    assert.deepEqual([await files.readdir(folder), await open().find(one)], [[], null]);
  });

  it('is not kept where it has too many rows to be written in a moment', async () => {
    const [table = assert.fail()] = log.page.tables;
    const rows = Array.from({ length: 20_001 }, () => ({ databaseId: null, cells: [] }));
    const toJSON = (): never => assert.fail('was written as text');
    const long = { ...log, page: { ...log.page, tables: [{ ...table, rows }] }, toJSON };
    await open().keep(one, long);
    assert.deepEqual(await files.readdir(home), []);
  });

  it('is not there where its file holds anything else, or any of its values has another shape', async () => {
    await open().keep(one, log);
    const whole = JSON.stringify(log);
    const damaged = [/"summary":"[^"]*"/, /"heading":"[^"]*"/, /"cells":\[/, /"isNumeric":true/].map(
      (damage) =>
        whole.replace(damage, (found) => `${found.split(':')[0]}:5,"x":${found.includes('[') ? '[' : '0'}`),
    );
    for (const text of ['', '{', 'null', '[]', '{"name":"x","page":{"summary":"y"}}', ...damaged]) {
      await files.writeFile(fileOf(one), text);
      assert.equal(await open().find(one), null, text.slice(0, 200));
    }
  });

  it('is found by ids of ours only', () => {
    const ids = [one, 'log-../../x', 'log-001122334455667', undefined, 7, {}];
    assert.deepEqual(ids.filter(isErrorLogId), [one]);
  });

  it("is the user's own, also where an earlier version left it open to others", async function () {
    // On Windows the folder of the user's profile does that, and files have no such modes.
    if (process.platform === 'win32') return this.skip();
    await files.mkdir(folder, { mode: 0o755 });
    await files.writeFile(fileOf(one), '{}', { mode: 0o644 });
    await open().keep(one, log);
    const modes = await Promise.all(
      [folder, fileOf(one)].map(async (path) => (await files.stat(path)).mode & 0o777),
    );
    assert.deepEqual(modes, [0o700, 0o600]);
  });

  it('goes when no window has used it for a month, and with it nothing that is not ours', async () => {
    const before = open();
    for (const id of [one, two, three]) await before.keep(id, log);
    await files.writeFile(fileOf('notes'), 'x');
    for (const id of [one, two, 'notes']) await age(fileOf(id), 31);
    await age(fileOf(three), 29);
    assert.notEqual(await open().find(two), null);
    await open().sweep(nowUtcMs);
    assert.deepEqual((await files.readdir(folder)).sort(), [`${two}.json`, `${three}.json`, 'notes.json']);
  });

  it('leaves nothing unfinished behind when a window is killed while it writes one', async () => {
    await open().keep(one, log);
    const unfinished = `${fileOf(one)}.0badcafe.unfinished`;
    await files.writeFile(unfinished, 'x');
    await age(unfinished, 10_000);
    await open().sweep(nowUtcMs);
    assert.deepEqual(await files.readdir(folder), [`${one}.json`]);
  });

  it('is none where there is no folder yet, which is no failure', async () => {
    await open().sweep(nowUtcMs);
    await open().sweep();
    assert.deepEqual([await open().find(one), await files.readdir(home)], [null, []]);
  });
});
