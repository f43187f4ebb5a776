import assert from 'node:assert/strict';
import * as files from 'node:fs/promises';
import { join } from 'node:path';
import type { CustomReadonlyEditorProvider } from 'vscode';
import type { ErrorLogDocument } from '../../../src/shell/error-logs/error-log-document';
import type * as editors from '../../../src/shell/error-logs/error-log-editors';
import { HeldAnswer } from '../../held-answer';
import { customEditors, FakePanel, loadShell } from '../fake-vscode';
import { LOG } from '../sample';
import { makeFolder } from '../../temporary-folder';

const { registerErrorLogEditors } = loadShell<typeof editors>('error-logs/error-log-editors');

describe('A file that is opened as an error log', () => {
  let folder: string;
  /** The pages that stood in the editor, in order. */
  let pages: ErrorLogDocument[];
  /** Called between two pieces. */
  let between: () => void;
  let disk: Pick<typeof files, 'open'>;

  beforeEach(async () => {
    folder = makeFolder();
    pages = [];
    between = () => undefined;
    disk = files;
  });

  /** Opens it and waits until nothing is read any more. */
  async function open(name: string, scheme = 'file', panel = new FakePanel('editor', name)): Promise<void> {
    const path = join(folder, name);
    const end = new HeldAnswer();
    const panels = {
      take: (_panel: unknown, document: ErrorLogDocument) => {
        pages.push(document);
        return (next: ErrorLogDocument): void => (pages.push(next), end.give());
      },
    };
    panel.onDidDispose(() => setTimeout(end.give, 20));
    registerErrorLogEditors({ panels, files: disk as never, pause: async () => between() });
    const editor = customEditors.get('checkpointHealth.errorLogFile') as CustomReadonlyEditorProvider;
    const document = await editor.openCustomDocument(
      { scheme, path, fsPath: path } as never,
      {} as never,
      {} as never,
    );
    await editor.resolveCustomEditor(document, panel as never, {} as never);
    await end.call();
  }

  const write = (name: string, text: string): Promise<void> =>
    files.writeFile(join(folder, name), Buffer.from(`\uFEFF${text}`, 'utf16le'));

  it('says first that it is being read, then what it says, as SQL Server wrote it, and stays as it was', async () => {
    await write('ERRORLOG.1', LOG);
    const before = await files.readFile(join(folder, 'ERRORLOG.1'));
    await open('ERRORLOG.1');
    const said = pages.map(({ name, page }) => `${name}: ${page.title ?? page.summary}`);
    assert.deepEqual(said, [
      'ERRORLOG.1: Reading ERRORLOG.1',
      'ERRORLOG.1: 1 checkpoint took longer than the recovery interval.',
    ]);
    assert.match(pages[1]?.page.notes.join(' ') ?? '', /UTF-16LE.*UTC\+1/);
    assert.deepEqual(await files.readFile(join(folder, 'ERRORLOG.1')), before);
  });

  it('is read in pieces however large it is, never as a whole', async () => {
    await write(
      'ERRORLOG',
      LOG + "2026-03-02 10:00:00.00 spid7s      Starting up database 'x'.\r\n".repeat(20_000),
    );
    const sizes: number[] = [];
    disk = {
      open: async (path: string) => {
        const file = await files.open(path, 'r');
        const read = (...[bytes, offset, length, at]: readonly [Uint8Array, number, number, number]) => {
          sizes.push(length);
          return file.read(bytes, offset, length, at);
        };
        return { read, close: () => file.close() };
      },
    } as never;
    await open('ERRORLOG');
    assert.match(pages.at(-1)?.page.title ?? '', /^1 checkpoint took longer/);
    assert.ok(sizes.length > 8 && Math.max(...sizes) <= 1 << 20, String(sizes));
  });

  it('is read on a file system of the editor too, which gives it as a whole', async () => {
    await write('ERRORLOG', LOG);
    await open('ERRORLOG', 'vscode-vfs');
    assert.match(pages.at(-1)?.page.title ?? '', /^1 checkpoint took longer/);
  });

  it('is left when the editor is closed meanwhile', async () => {
    await write('ERRORLOG', LOG.repeat(2_000));
    const panel = new FakePanel('editor', 'ERRORLOG');
    let pieces = 0;
    between = () => {
      if (++pieces === 2) panel.dispose();
    };
    await open('ERRORLOG', 'file', panel);
    assert.deepEqual([pieces, pages.length], [2, 1]);
  });

  for (const [what, name, content, says] of [
    ['no error log', 'a]b\'c"--.txt', 'The cake is a lie.\n', /cannot be read as an error log of SQL Server/],
    ['empty', 'ERRORLOG', '', /cannot be read as an error log of SQL Server/],
    ['not there', 'ERRORLOG.9', null, /ENOENT/],
  ] as const)
    it(`gives a sentence and the way to its text where it is ${what}`, async () => {
      if (content !== null) await files.writeFile(join(folder, name), content);
      await open(name);
      const { missing } = pages.at(-1)?.page ?? {};
      assert.equal(missing?.title, 'Not read');
      assert.match(missing?.text ?? '', says);
      assert.match(missing?.text ?? '', /choose Reopen Editor With…/);
    });
});
