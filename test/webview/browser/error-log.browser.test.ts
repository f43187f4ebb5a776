import assert from 'node:assert/strict';
import { explainLine } from '../../../src/core/pages/line-page';
import { createErrorLogPage } from '../../../src/core/pages/error-log-page';
import type { EvidencePages } from '../../../src/core/pages/evidence-page';
import type { ErrorLogPiece } from '../../../src/protocol';
import { SENT_BYTES } from '../../../src/webview/dashboard/error-log-drop';
import { fakeMessages } from '../fake-capture';
import { fakeEvidence } from '../fake-evidence';
import { describePages, type OpenedPage } from '../page';

type Piece = Omit<ErrorLogPiece, 'bytes'>;

/** Drops files of this many bytes on what the selector finds. */
async function drop(
  { page }: OpenedPage,
  selector: string,
  files: readonly (readonly [name: string, bytes: number])[],
): Promise<void> {
  await page.locator(selector).evaluate((target, list) => {
    const dataTransfer = new DataTransfer();
    for (const [name, bytes] of list) dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
    const give = (type: string): boolean =>
      target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    give('dragover');
    if (!target.closest('.drop-here')) throw new Error('The page does not say that it takes the file.');
    give('drop');
  }, files);
}

/** What was sent of files, once it is this many pieces. */
async function takePieces(opened: OpenedPage, count: number): Promise<readonly Piece[]> {
  await opened.page.waitForFunction((wanted) => {
    const { postedMessages } = window as unknown as { postedMessages: { type: string }[] };
    return postedMessages.filter(({ type }) => type === 'errorLogFile').length >= wanted;
  }, count);
  return (await opened.posted()).flatMap((message) => {
    if (message.type !== 'errorLogFile') return [];
    const { type, name, totalBytes, fromByte } = message;
    return [{ type, name, totalBytes, fromByte }];
  });
}

const withEvidence = (part: Partial<EvidencePages> = {}) => [
  ...fakeMessages(),
  { type: 'evidence', evidence: { ...fakeEvidence(), ...part } } as const,
];

describePages('Error logs in a browser', (open) => {
  it('are sent piece by piece when a file is dropped on the page, each after the one before was taken, and can be cancelled', async () => {
    const opened = await open({ messages: withEvidence(), state: { page: 'errorLog' } });
    const { page, panel } = opened;
    const said = (): Promise<string | null> => panel.locator('.log-drop .dim').textContent();
    const total = 2 * SENT_BYTES + 5;
    await drop(opened, '#panel-errorLog', [['ERRORLOG.1', total]]);
    const first = { type: 'errorLogFile', name: 'ERRORLOG.1', totalBytes: total, fromByte: 0 };
    assert.deepEqual(await takePieces(opened, 1), [first]);
    await opened.send({ type: 'errorLogTaken', bytes: SENT_BYTES });
    assert.deepEqual((await takePieces(opened, 2)).slice(1), [{ ...first, fromByte: SENT_BYTES }]);
    assert.match((await said()) ?? '', /^Reading ERRORLOG\.1: 50 %/);
    await opened.send({ type: 'errorLogTaken', bytes: 2 * SENT_BYTES });
    await takePieces(opened, 3);
    await opened.send({ type: 'errorLogTaken', bytes: total });
    assert.equal(await said(), 'ERRORLOG.1 was read.');
    assert.equal(await page.locator('[role=status].visually-hidden').textContent(), 'ERRORLOG.1 was read.');

    await drop(opened, '#panel-errorLog', [['ERRORLOG.2', total]]);
    await takePieces(opened, 4);
    const cancel = panel.getByRole('button', { name: 'Cancel' });
    await cancel.focus();
    await page.keyboard.press('Enter');
    assert.equal(await said(), 'Reading was cancelled.');
    assert.equal((await opened.active()).text, 'Open an ERRORLOG file…', 'the focus is not lost');
    await opened.send({ type: 'errorLogTaken', bytes: SENT_BYTES });
    assert.equal((await takePieces(opened, 4)).length, 4, 'what was cancelled goes no further');

    const two = [
      ['a', 1],
      ['b', 1],
    ] as const;
    await drop(opened, '#panel-errorLog', two);
    assert.equal(await said(), 'Drop one file at a time.');
    await drop(opened, '#panel-errorLog', [['<img>', 0]]);
    assert.equal(await said(), '<img> is empty.');
    await panel.getByRole('button', { name: 'Open an ERRORLOG file…' }).click();
    assert.deepEqual(await opened.lastPosted(), { type: 'invoke', command: 'readErrorLog', databaseIds: [] });
  });

  it('say what is being read, let it be cancelled, and how it goes on', async () => {
    const opened = await open({ messages: withEvidence(), state: { page: 'writeWork' } });
    const bar = opened.panel.locator('.reading-bar');
    const tell = (text: string | null, stopped: string | null): Promise<void> =>
      opened.send({ type: 'evidenceState', reading: text === null ? null : { text }, stopped });
    assert.equal(await bar.isVisible(), false);
    await tell('Reading the error log and the backups…', null);
    await bar.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(await opened.lastPosted(), { type: 'cancelReading' });
    await tell(null, 'It was cancelled.');
    assert.equal(await bar.getByRole('status').textContent(), 'It was cancelled.');
    assert.equal((await opened.active()).text, 'Refresh', 'the focus goes to what stands there now');
    await bar.getByRole('button', { name: 'Refresh' }).click();
    assert.deepEqual(await opened.lastPosted(), { type: 'invoke', command: 'refresh', databaseIds: [] });
    await tell(null, null);
    assert.equal(await bar.isVisible(), false);
  });

  it('name the permission that a login lacks, and what works without it', async () => {
    const notes = [
      "sp_readerrorlog: The EXECUTE permission was denied on the object 'xp_readerrorlog' (Msg 229).",
    ];
    const errorLog = createErrorLogPage({
      reading: null,
      nameOf: () => null,
      idOf: () => null,
      notes,
      isRefused: true,
    });
    const { panel } = await open({ messages: withEvidence({ errorLog }), state: { page: 'errorLog' } });
    assert.equal(
      await panel.locator('.notice h2').textContent(),
      'This login has no permission to read the error log',
    );
    assert.match(
      (await panel.locator('.notice p').textContent()) ?? '',
      /VIEW SERVER STATE.*Checkpoints, their figures and write work do not need the log/,
    );
    assert.equal(await panel.locator('table:visible').count(), 0);
    assert.match((await panel.locator('.notes').textContent()) ?? '', /Msg 229/);
  });

  it('stand on a page of their own, sorted as they were left', async () => {
    const message = { type: 'errorLog', name: 'ERRORLOG.1 <b>', page: fakeEvidence().errorLog } as const;
    const opened = await open({ entry: 'errorLog', messages: [message] });
    const { page } = opened;
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), message.name);
    assert.equal(await page.locator('h1 + .dim').textContent(), 'Error log, read without a server');
    const [heading = ''] =
      message.page.tables.find(({ rows }) => rows.length > 0)?.columns.map((column) => column.heading) ?? [];
    await opened.click(page.locator('th button', { hasText: heading }).first());
    const state = await opened.kept();
    assert.notDeepEqual((state as { evidenceSorts: object }).evidenceSorts, {});
    await page.getByRole('button', { name: 'Show as Markdown' }).click();
    await page.getByRole('button', { name: 'Open an ERRORLOG file…' }).click();
    const types = (await opened.posted()).map(({ type }) => type);
    assert.deepEqual(types, ['ready', 'markdown', 'readErrorLog']);
    await drop(opened, 'main', [['ERRORLOG.2', 10]]);
    await takePieces(opened, 1);
    const again = await open({ entry: 'errorLog', messages: [message], state });
    assert.equal(
      await again.page.locator('th[aria-sort]:not([aria-sort="none"])').first().textContent(),
      heading,
    );
  });

  it('are not what the page of one explained message says that it is', async () => {
    const explained = explainLine(
      'FlushCache: cleaned up 394031 bufs with 282252 writes in 65544 ms (avoided 21 new dirty bufs) for db 19:0',
    );
    assert.ok(typeof explained !== 'string');
    const { page } = await open({
      entry: 'errorLog',
      messages: [{ type: 'errorLog', ...explained, isMessage: true }],
    });
    assert.equal(
      await page.getByRole('heading', { level: 1 }).textContent(),
      'FlushCache message of database 19',
    );
    assert.equal(await page.locator('h1 + .dim').textContent(), 'What one message of the error log means');
  });
});
