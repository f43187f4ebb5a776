import assert from 'node:assert/strict';
import type * as Diagnostics from '../../../src/shell/commands/diagnostics-command';
import { loadWithVsCode } from '../fake-vscode';

/* eslint-disable-next-line @typescript-eslint/no-require-imports -- `vscode` exists only while this is loaded */
const { writeDiagnostics } = loadWithVsCode(() => require('../../../src/shell/commands/diagnostics-command') as typeof Diagnostics);

describe('connection diagnostics', () => {
  const lastMinute = ['event-session', 'checkpoint-events', 'event-session'].map((name, at) => ({
    name,
    atMs: at,
    tookMs: 10 + at,
    rows: 1_500,
    characters: 2_000,
    isLogin: false,
  }));
  const cost = { lastMinute, sessionBytes: 4_194_304, readEveryMs: 20_000, isSpacedOut: true };
  const text = writeDiagnostics({
    extensionVersion: '0.1.0',
    editor: ['Visual Studio Code, VS Code 1.100.3, on the desktop, language de'],
    choice: { name: 'own', place: 'own', why: 'It shares its connections no longer.' },
    ways: [
      { name: 'mssql', obstacle: 'It shares its connections no longer.', details: ['Version 1.46.0', 'Exports: none'] },
      { name: 'own', obstacle: null, details: ['1 server was added.'] },
    ],
    servers: [
      { name: 'Payroll', way: 'mssql', connection: 'failed', failure: 'It shares its connections no longer.', absence: null, cost },
    ],
    logins: ['login dba, our own driver: 3 logins sent, 1 refused'],
    isTrusted: false,
    untrusted: 2,
  });

  it('say what was chosen and why, and where the pane is', () => {
    assert.match(text, /## Chosen\n\nOwn driver\. It shares its connections no longer\.\n\nThe pane is in a container of its own\./);
  });

  it('say of every way what was found', () => {
    assert.match(
      text,
      /### SQL Server extension \(mssql\)\n\nIt shares its connections no longer\.\n\n- Version 1\.46\.0\n- Exports: none\n/,
    );
    assert.match(text, /### Own driver\n\nCan be used\.\n/);
  });

  it('count the logins of every account', () => {
    assert.match(text, /## Logins since the window was opened\n\n- login dba, our own driver: 3 logins sent, 1 refused\n/);
  });

  it('say of every server what it was asked in the last minute', () => {
    assert.match(
      text,
      /\n {2}Last minute: 3 queries\. 33 ms in all, the longest 12 ms \(event-session\)\. Answers: 4,500 rows, 6 KB\. 2 × event-session; 1 × checkpoint-events\.\n/,
    );
  });

  it('say how much memory the session takes on the server, and that it is read less often because answers take long', () => {
    assert.match(
      text,
      /\n {2}The event session's buffers take 4,096 KB of the server's memory\.\n {2}New events are read every 20 s, less often than is set:/,
    );
  });

  it('say of every server by which way it is reached, and of the workspace what was ignored', () => {
    assert.match(text, /- Payroll: SQL Server extension \(mssql\), failed\n {2}It shares its connections no longer\./);
    assert.match(text, /- Workspace: not trusted\. The connections that it defines are ignored \(2 found\)\./);
  });
});
