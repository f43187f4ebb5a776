import assert from 'node:assert/strict';
import * as files from 'node:fs/promises';
import { join } from 'node:path';
import { decodeCapture } from '../../../src/captures/capture-format';
import type { KeptCapture } from '../../../src/captures/capture-header';
import * as core from '../../../src/core/event-files/event-files';
import { finishSteps } from '../../../src/core/steps';
import { NOTES_SECTION } from '../../../src/monitor/recorded-server';
import type * as eventFiles from '../../../src/shell/captures/event-files';
import { Dismissed } from '../../../src/shell/kit/command-table';
import { type EventValues, GUID, writeEventXml } from '../../core/events/event-rows';
import { FakeConversation } from '../fake-conversation';
import { happened, loadShell } from '../fake-vscode';
import { LOG } from '../sample';
import { makeFolder } from '../../temporary-folder';

const { createEventIntake, openEventFiles } = loadShell<typeof eventFiles>('captures/event-files');

const T0 = Date.UTC(2026, 2, 2, 8);
/** Checkpoints of a database, each of 40 ms, a second apart. */
const write = (databaseId: number, hasActivity: boolean, from = 0): string =>
  Array.from({ length: 20 }, (_, at): EventValues => {
    const [kind, number] = [at % 2 === 0 ? 'begin' : 'end', from + at] as const;
    const activity = hasActivity ? `${GUID}-${number}` : null;
    return { kind, databaseId, at: T0 + Math.floor(number / 2) * 1_000 + (number % 2) * 40, activity };
  })
    .map((event) => writeEventXml(event))
    .join('\n');

describe('Files of events that are opened', () => {
  let folder: string;
  let conversation: FakeConversation;
  let pause: () => Promise<void>;

  beforeEach(async () => {
    folder = makeFolder();
    conversation = new FakeConversation();
    pause = () => Promise.resolve();
    happened.length = 0;
  });

  const world = () => ({
    load: async () => core,
    storage: folder as never,
    disk: files as never,
    pause: () => pause(),
    nowUtcMs: () => T0,
  });

  async function open(
    contents: Readonly<Record<string, string | Uint8Array>>,
    missing: readonly string[] = [],
  ): Promise<void> {
    for (const [name, content] of Object.entries(contents))
      await files.writeFile(join(folder, name), content);
    const uris = [...Object.keys(contents), ...missing].map((name) => {
      const path = join(folder, name);
      return { scheme: 'file', path, fsPath: path } as never;
    });
    await openEventFiles(conversation, world(), uris);
  }

  /** The capture that the editor was told to open, and what it says of itself. */
  async function opened(): Promise<KeptCapture & { readonly notes: string }> {
    const [, file] = happened.find(
      (call) => Array.isArray(call) && call[0] === 'vscode.openWith',
    ) as readonly [string, string];
    const { capture, problem } = finishSteps(decodeCapture(await files.readFile(file)));
    assert.equal(problem, null);
    const notes = capture?.sections.find(({ name }) => name === NOTES_SECTION)?.bytes ?? assert.fail();
    return { ...(capture ?? assert.fail()), notes: Buffer.from(notes).toString('utf8') };
  }

  it('become one saved capture, of which nothing counts twice', async () => {
    await open({ 'without.xml': write(5, false), 'one.xml': write(5, true), 'two.xml': write(5, true, 10) });
    const { columns, ledger, serverLabel, notes } = await opened();
    assert.equal(serverLabel, 'without.xml and 2 more');
    assert.deepEqual([columns.rows, ledger.duplicates, ledger.rowsRead], [15, 30, 60]);
    assert.match(notes, /^Read from one\.xml, two\.xml, without\.xml, without a server\./);
  });

  it('are read but for those that have no events or cannot be read, and that is said', async () => {
    await open({ 'one.xml': write(5, true), ERRORLOG: LOG }, ['gone.csv']);
    const { columns, notes } = await opened();
    assert.equal(columns.rows, 10);
    assert.match(notes, /ERRORLOG seems to be an error log\./);
    assert.match(notes, /gone\.csv was not read to its end: ENOENT/);
  });

  it('are refused with one sentence if none has events', async () => {
    await assert.rejects(open({ 'a.csv': 'a,b\n1,2' }), /^Error: a\.csv has no events of checkpoints\./);
    assert.deepEqual(happened, []);
  });

  it('are refused as event files of the server, with the query that turns them into rows', async () => {
    const xel = Buffer.from([1, 0, 0, 0, 65, 0, 66, 0, 0, 0]);
    await assert.rejects(
      open({ "it's.xel": xel }),
      /it's\.xel is no text\. An event file of SQL Server \(\.xel\) is read by SQL Server only/,
    );
    assert.match(
      conversation.shown[0] ?? '',
      /fn_xe_file_target_read_file\(N'.*it''s\.xel', NULL, NULL, NULL\)/,
    );
  });

  it('are left if the user cancels', async () => {
    const cancel = new AbortController();
    conversation.showWork = (_, work) => work(cancel.signal, () => cancel.abort());
    await assert.rejects(open({ 'one.xml': write(5, true).repeat(100) }), Dismissed);
    assert.deepEqual(happened, []);
  });

  it('are taken in pieces if they are dropped on a page', async () => {
    const bytes = Buffer.from(write(5, true), 'utf16le');
    const piece = (from: number, to: number) => ({
      type: 'errorLogFile' as const,
      name: 'dropped.xml',
      totalBytes: bytes.length,
      fromByte: from,
      bytes: new Uint8Array(bytes.subarray(from, to)).buffer,
    });
    const log = { name: 'ERRORLOG', bytes: new Uint8Array(Buffer.from(LOG)).buffer };
    assert.equal(await createEventIntake(conversation, world(), log), null);
    const intake = (await createEventIntake(conversation, world(), piece(0, 501))) ?? assert.fail();
    assert.deepEqual(await intake.take(piece(0, 501)), { bytes: 501, document: null });
    await intake.take(piece(501, bytes.length));
    assert.equal((await opened()).columns.rows, 10);
  });
});
