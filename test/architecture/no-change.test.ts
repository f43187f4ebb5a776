import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnSessionText, ReadText, ReviewText } from '../../src/core/script/text';
import type { Connection, ConnectionHost, ScriptEditor } from '../../src/hosts/host';
import ts from 'typescript';
import { root } from '../../tools/packages';
import { isCallOf, listFound, readSourceFiles, type SourceFile } from './source-files';

/**
 * No code path of the extension can run a script that changes a database. Three things together show it: a Connection
 * takes only two kinds of text (types, here); texts of these kinds are made in few places from files that change
 * nothing but our own event session (here); and nowhere else is anything given to a server (here). What runs is held to
 * the ledger of the simulator besides (test/simulator/own-commands.ts).
 */
const shipped = readSourceFiles('src');

/** Where a node is of the kind, as `path: what`, once for each file. */
const list = (files: readonly SourceFile[], find: (node: ts.Node) => string | null): string[] => [
  ...new Set(files.flatMap((file) => listFound(file, find).map((what) => `${file.path}: ${what}`))),
];

/** The type of `text as ReadText` and `<ReadText>text`. */
const nameCast = (node: ts.Node): string =>
  ts.isAsExpression(node) || ts.isTypeAssertionExpression(node) ? node.type.getText() : '';

/** Every method of a host, a driver or the editor by which a text can be run on a server. */
const SENDING =
  /^(query|execSqlBatch|execSql|callProcedure|execBulkLoad|runQuery|runQueryString|runQueryAndReturn|runQueryStatement|executeSimpleQuery|executeQuery)$/;

describe('No code path changes a database:', () => {
  it('a connection takes no text for review, by its type', () => {
    const connection = { query: () => Promise.resolve([]) } as unknown as Connection;
    const [review, read, own] = ['r' as ReviewText, 's' as ReadText, 'o' as OwnSessionText];
    const options = { timeoutMs: 1 };
    // @ts-expect-error a text for review is none that a connection takes
    void connection.query(review, options);
    // @ts-expect-error nor is any string
    void connection.query('SELECT 1;', options);
    void connection.query(read, options);
    void connection.query(own, options);
  });

  it('an editor takes texts for review only, and has no way to run one', () => {
    const editor = { open: () => Promise.resolve() } as ScriptEditor;
    // @ts-expect-error what runs by itself is not opened for review
    void editor.open('s' as ReadText, 'title', 'id');
    const methods: readonly (keyof ScriptEditor)[] = ['open'];
    // @ts-expect-error there is no other
    const others: readonly Exclude<keyof ScriptEditor, 'open'>[] = ['run'];
    assert.deepEqual([methods.length, others.length], [1, 1]);
    const runs: readonly Extract<
      keyof ConnectionHost | keyof Connection,
      `${string}run${string}` | `execute${string}`
    >[] = [];
    assert.deepEqual(runs, []);
  });

  it('texts that may be sent are declared in few places, and the types are got around in none', () => {
    assert.deepEqual(
      list(
        shipped,
        (node) =>
          /^(ReadText|OwnSessionText|ReadTemplate|OwnSessionTemplate)$/.exec(nameCast(node))?.[0] ?? null,
      ),
      [
        'src/core/script/caught-read.ts: ReadText',
        'src/core/script/prologue.ts: ReadText',
        'src/texts.ts: ReadTemplate',
        'src/texts.ts: OwnSessionTemplate',
      ],
    );
    // What neither writes nor carries a text may bend its own types.
    const near = shipped.filter(({ path }) => !/^src\/(webview|core\/(?!script))/.test(path));
    assert.deepEqual(
      list(near, (node) => /^(any|never)$/.exec(nameCast(node))?.[0] ?? null),
      [],
    );
    assert.deepEqual(
      near.filter(({ text }) => /@ts-(ignore|nocheck|expect-error)/.test(text)).map(({ path }) => path),
      [],
    );
  });

  it('a file is what its folder says: read/ is read, and of change/ only what is about our own event session is ours to run', () => {
    const texts = readFileSync(join(root, 'src/texts.ts'), 'utf8');
    const files = new Map(
      [...texts.matchAll(/^import (\w+) from '\.\.\/sql\/(.*)\.sql';$/gm)].map((match) => [
        match[1] ?? '',
        match[2] ?? '',
      ]),
    );
    const branded = [...texts.matchAll(/: (\w+) as (\w+)Template,$/gm)].map((match) => ({
      file: files.get(match[1] ?? '') ?? '',
      kind: match[2],
    }));
    assert.equal(branded.length, files.size);
    for (const { file, kind } of branded) {
      const expected = file.startsWith('read/')
        ? 'Read'
        : file.startsWith('change/session-')
          ? 'OwnSession'
          : 'Review';
      assert.equal(kind, expected, file);
      if (kind !== 'OwnSession') continue;
      // Without comments and strings.
      const text = readFileSync(join(root, 'sql', `${file}.sql`), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ' ');
      const code = text.replace(/N?'(?:[^']|'')*'/g, "''");
      assert.match(code, /\bEVENT SESSION \[<session_name, sysname, CheckpointHealth>\]/, file);
      assert.doesNotMatch(
        code,
        /\b(ALTER|CREATE|DROP)\s+(?!EVENT\b)|\b(EXEC|EXECUTE|CHECKPOINT|RECONFIGURE|DBCC|UPDATE|DELETE|MERGE|TRUNCATE|GRANT|KILL|SHUTDOWN|BACKUP|RESTORE)\b/,
        file,
      );
    }
  });

  it('nothing is given to a server but by the one query of the monitor, and by the three hosts behind it', () => {
    assert.deepEqual(
      list(shipped, (node) =>
        isCallOf(node, SENDING) && ts.isPropertyAccessExpression(node.expression)
          ? node.expression.name.text
          : null,
      ),
      [
        'src/hosts/azdata/connection.ts: runQueryAndReturn',
        'src/hosts/direct/connection.ts: execSqlBatch',
        'src/hosts/direct/connection.ts: execSql',
        'src/hosts/mssql/connection.ts: executeSimpleQuery',
        'src/hosts/mssql/sharing.ts: executeSimpleQuery',
        'src/monitor/queries/server-query.ts: query',
      ],
    );
  });

  it('no command of the editor or of another extension that we execute runs a script', () => {
    // What is no literal stands as it is written.
    const executed = list(shipped, (node) => {
      const [id] = isCallOf(node, /^executeCommand$/) ? node.arguments : [];
      return id === undefined ? null : ts.isStringLiteralLike(id) ? id.text : id.getText();
    });
    assert.deepEqual(
      executed.filter((each) => /run|exec(?!uteCommand)/i.test(each.slice(each.indexOf(': ')))),
      ["src/hosts/mssql/sharing.ts: nameSharingCommand('executeSimpleQuery')"],
    );
    const known =
      /setContext|\.focus|vscode\.diff|fullCommandId|workbench\.action\.|NEW_QUERY_COMMAND|EDIT_PERMISSIONS_COMMAND|nameSharingCommand|^src\/hosts\/mssql\/vscode\.ts: id$|^src\/shell\/kit\/file-saver\.ts: vscode\.open$|^src\/shell\/(captures\/capture-(commands|editors)|error-logs\/error-log-editors)\.ts: vscode\.openWith$/;
    assert.deepEqual(
      executed.filter((each) => !known.test(each)),
      [],
    );
  });
});
