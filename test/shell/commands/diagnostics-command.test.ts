import assert from 'node:assert/strict';
import type * as Diagnostics from '../../../src/shell/commands/diagnostics-command';
import { loadShell } from '../fake-vscode';

const { writeDiagnostics } = loadShell<typeof Diagnostics>('commands/diagnostics-command');

describe('connection diagnostics', () => {
  const asked = { rows: 1_500, characters: 2_000, isLogin: false };
  const lastMinute = ['event-session', 'checkpoint-events', 'event-session'].map((name, at) => ({
    ...asked,
    name,
    atMs: at,
    tookMs: 10 + at,
  }));
  const cost = { lastMinute, sessionBytes: 4_194_304, readEveryMs: 20_000, isSpacedOut: true };
  const text = writeDiagnostics({
    extensionVersion: '0.1.0',
    editor: ['Visual Studio Code, VS Code 1.100.3, on the desktop, language de'],
    choice: { name: 'own', place: 'own', why: 'It shares its connections no longer.' },
    ways: [
      {
        name: 'mssql',
        obstacle: 'It shares its connections no longer.',
        details: ['Version 1.46.0', 'Exports: none'],
      },
      { name: 'own', obstacle: null, details: ['1 server was added.'] },
    ],
    servers: [
      {
        name: 'Payroll',
        way: 'mssql',
        connection: 'failed',
        failure: 'It shares its connections no longer.',
        absence: null,
        cost,
      },
    ],
    logins: ['login dba, our own driver: 3 logins sent, 1 refused'],
    isTrusted: false,
    untrusted: 2,
  });

  for (const [what, said] of Object.entries({
    'say what was chosen and why, and where the pane is':
      /## Chosen\n\nOwn driver\. It shares .*\.\n\nThe pane is in a container of its own\./,
    'say of a way that cannot be used what was found':
      /### SQL Server extension \(mssql\)\n\nIt shares its connections no longer\.\n\n- Version 1\.46\.0\n- Exports: none\n/,
    'say of a way that it can be used': /### Own driver\n\nCan be used\.\n/,
    'count the logins of every account':
      /## Logins since the window was opened\n\n- login dba, our own driver: 3 logins sent, 1 refused\n/,
    'say of every server what it was asked in the last minute':
      /\n {2}Last minute: 3 queries\. 33 ms in all, the longest 12 ms \(event-session\)\. Answers: 4,500 rows, 6 KB\. 2 × event-session; 1 × checkpoint-events\.\n/,
    'say how much memory the session takes on the server':
      /\n {2}The event session's buffers take 4,096 KB of the server's memory\.\n/,
    'say that it is read less often because answers take long':
      /\n {2}New events are read every 20 s, less often than set:/,
    'say of every server by which way it is reached':
      /- Payroll: SQL Server extension \(mssql\), failed\n {2}It shares its connections no longer\./,
    'say of the workspace what was ignored':
      /- Workspace: not trusted\. The connections that it defines are ignored \(2 found\)\./,
  }))
    it(what, () => assert.match(text, said));
});
