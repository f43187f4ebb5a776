import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vsixFile } from '../../tools/build/vsix';
import { GUID, writeEventXml } from '../core/events/event-rows';
import { LOG } from '../shell/sample';
import { lookAfter, stopAtFailure } from './chain';
import { type Host, startHost } from './host';
import { openFromExplorer, typePath } from './saved-files';

const LINES = [
  ...LOG.split('\r\n'),
  "2026-03-02 09:31:00.10 spid60      Setting database option target_recovery_time to 60 for database 'Lager Süd'.",
];
const EXPLAIN = 'Checkpoint Health: What Does This FlushCache Line Mean?';

describe('Files of the error log and of events, in an editor without a server', function () {
  stopAtFailure(this);
  let host: Host;
  lookAfter(this, 'files', () => host);

  before(async () => {
    host = await startHost({ vsixFiles: [vsixFile] });
  });

  const write = (name: string, lines: readonly string[], encoding: 'utf8' | 'utf16le'): string => {
    const path = join(host.vscode.workspaceFolder, name);
    writeFileSync(path, Buffer.from((encoding === 'utf8' ? '' : '\uFEFF') + lines.join('\r\n'), encoding));
    return path;
  };
  const openEvents = async (path: string): Promise<void> => {
    await host.runCommand('Checkpoint Health: Open Events File…');
    await host.page.getByText('Events saved as CSV, JSON or XML').waitFor();
    await typePath(host, path);
  };
  const closeAll = (): Promise<void> => host.runCommandById('workbench.action.closeAllEditors');

  it('open as a page with a double-click, as SQL Server writes them, and are not changed', async () => {
    const path = write('ERRORLOG.1', LINES, 'utf16le');
    const before = readFileSync(path);
    await openFromExplorer(host, 'ERRORLOG.1');
    await host.webview().locator('h1').filter({ hasText: 'ERRORLOG.1' }).waitFor();
    await host.webview().getByText('1 checkpoint took longer than the recovery interval.').waitFor();
    await host.webview().getByText('Lager Süd').first().waitFor();
    await host.screenshot('files-errorlog-dark');
    assert.deepEqual(readFileSync(path), before);
    await closeAll();
  });

  it('open as a text by any other name, from which a selected message is explained', async () => {
    write(
      'of a colleague.log',
      LINES.map((line) => `sql-1  | ${line}`),
      'utf8',
    );
    await openFromExplorer(host, 'of a colleague.log');
    await host.page.locator('.monaco-editor .view-line').first().click();
    await host.runCommandById('editor.action.selectAll');
    await host.runCommand(EXPLAIN);
    await host.webview().getByText('This checkpoint wrote 394,031 pages (3.0 GB) in 65.5 s.').waitFor();
    await host.webview().getByText('The text has 1 more message.').waitFor();
    await host.screenshot('files-explained-dark');
    await host.setTheme('light');
    await host.screenshot('files-explained-light');
    await host.setTheme('dark');
    await closeAll();
  });

  it('of events, saved as CSV, open as a timeline, with what the file cannot know', async () => {
    const path = write(
      'events of sql07.csv',
      ['object_name,event_data,file_name', ...writeRows()],
      'utf16le',
    );
    await openEvents(path);
    await host.webview().locator('tr[data-database-id]').first().waitFor();
    await host.webview().getByRole('heading', { name: 'events of sql07.csv' }).waitFor();
    await host.webview().getByText('Files do not say which events a session lost.').first().waitFor();
    assert.equal(await host.webview().locator('tr[data-database-id]').count(), 30);
    for (const theme of ['dark', 'light', 'highContrast'] as const) {
      await host.setTheme(theme);
      for (const [width, height] of [
        [1440, 900],
        [1280, 720],
      ] as const) {
        await host.page.setViewportSize({ width, height });
        await host.screenshot(`files-events-${theme}-${height}`);
      }
    }
    await host.setTheme('dark');
    await closeAll();
  });

  it('of events of the server itself are refused, with the query that turns them into rows', async () => {
    const path = join(host.vscode.workspaceFolder, "it's_0_1.xel");
    writeFileSync(path, Buffer.from([1, 0, 0, 0, 65, 0, 0, 0, 0, 7]));
    await openEvents(path);
    const { text } = await host.waitForDocument(({ languageId }) => languageId === 'sql');
    assert.match(text, /fn_xe_file_target_read_file\(N'.*it''s_0_1\.xel', NULL, NULL, NULL\)/);
    await host.page.getByText('is read by SQL Server only').first().waitFor();
    await host.screenshot('files-xel-dark');
  });
});

/** One task over 30 databases for an hour, twice, with two hours between; one cell is cut. */
function writeRows(): readonly string[] {
  const rows: string[] = [];
  let at = Date.UTC(2026, 2, 2, 8);
  for (let number = 0; number < 2_400; number++) {
    if (number === 1_200) at += 7_200_000;
    const databaseId = 5 + (number % 30);
    for (const [kind, ms] of [
      ['begin', 500],
      ['end', 900 + databaseId * 60],
    ] as const) {
      at += ms;
      const xml = writeEventXml({ kind, databaseId, at, activity: `${GUID}-${rows.length + 1}` });
      const text = number === 700 && kind === 'end' ? xml.slice(0, 100) : xml;
      rows.push(`checkpoint_${kind},"${text.replaceAll('"', '""')}",D:\\Log\\Checkpoints_0_1.xel`);
    }
  }
  return rows;
}
