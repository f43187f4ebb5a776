import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vsixFile } from '../../tools/build/vsix';
import { LOG } from '../shell/sample';
import { lookAfter, stopAtFailure } from './chain';
import { type Host, startHost } from './host';
import { openFromExplorer } from './saved-files';

const LINES = [
  ...LOG.split('\r\n'),
  "2026-03-02 09:31:00.10 spid60      Setting database option target_recovery_time to 60 for database 'Lager Süd'.",
];
const EXPLAIN = 'Checkpoint Health: What Does This FlushCache Line Mean?';

describe('Files of the error log, in an editor without a server', function () {
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
});
