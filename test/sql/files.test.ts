import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { listParameters } from '../../src/core/script/template';
import { readSourceFiles } from '../architecture/source-files';

const root = path.resolve(__dirname, '../../sql');
const headings = ['Name:', 'Purpose:', 'Changes:', 'Needs:', 'Runs on:', 'Read it:'];

/** Statements that change something; none may stand in read/, not even in a string that is then run. */
const changing =
  /\b(INSERT|UPDATE|DELETE|MERGE|TRUNCATE|CREATE|ALTER|DROP|GRANT|REVOKE|DENY|EXEC|EXECUTE|RECONFIGURE|CHECKPOINT|KILL|SHUTDOWN|BACKUP|RESTORE|DBCC|INTO|SET|DECLARE|USE|WAITFOR)\b/i;

function splitHeader(text: string): { header: string; body: string } {
  const end = text.indexOf('*/');
  return { header: text.slice(0, end), body: text.slice(end + 2) };
}

/** The body without comments and without what stands in strings. */
function codeOf(text: string): string {
  return splitHeader(text)
    .body.replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/N?'(?:[^']|'')*'/g, "''");
}

/** These gather the rows of a procedure, which no SELECT can, in a table variable. */
const gathering = ['read/error-log.sql', 'read/error-log-files.sql', 'read/trace-flags.sql'];

/** Those of the event session count no rows: each is one statement about one session, sent by us too. */
const isOwnSession = (name: string): boolean => /^(change|azure)\/session-(?!read\b)/.test(name);

const files = readSourceFiles('sql', '.sql').map(({ path: file, text }) => ({
  name: file.replace('sql/', ''),
  text,
}));
const listFiles = (folder: string): typeof files => files.filter(({ name }) => name.startsWith(`${folder}/`));

/** A rule for each of these files; those that break it are named together, each with its reason. */
function each(title: string, ruled: typeof files, judge: (file: (typeof files)[number]) => void): void {
  it(title, () => {
    assert.ok(ruled.length > 0);
    const broken = ruled.flatMap((file) => {
      try {
        judge(file);
        return [];
      } catch (error) {
        return [`${file.name}: ${String(error)}`];
      }
    });
    assert.deepEqual(broken, []);
  });
}

describe('The files of sql/', () => {
  each('begin with a header that says what they do, change and need', files, ({ name, text }) => {
    const { header } = splitHeader(text);
    assert.ok(text.startsWith('/*\n'), 'a comment comes first');
    let from = 0;
    for (const heading of headings) {
      const at = header.indexOf(`\n${heading}`, from);
      assert.ok(at >= 0, `${heading} is missing or out of order`);
      assert.match(
        header.slice(at + heading.length + 1).split('\n')[0] as string,
        /\S/,
        `${heading} says nothing`,
      );
      from = at + 1;
    }
    assert.equal(/Name:\s+(\S+)/.exec(header)?.[1], path.basename(name, '.sql'));
  });

  each('end every batch with a semicolon', files, ({ text }) => {
    for (const batch of codeOf(text).split(/^GO$/m)) {
      if (batch.trim() === '') continue;
      assert.match(batch.trim(), /[;>]$/, 'the last statement has no semicolon');
    }
  });

  each('use block comments, LF line ends and no tab', files, ({ text }) => {
    assert.doesNotMatch(codeOf(text), /--/);
    assert.doesNotMatch(text, /[\r\t]/);
  });

  // What a colleague runs in whatever database is current: an upgraded server's databases need not have level 110.
  each(
    'have no word that T-SQL has from compatibility level 110 on, but for the experiments',
    files.filter(({ name }) => !name.startsWith('lab/')),
    ({ text }) =>
      assert.doesNotMatch(
        text,
        /\b(TRY_CONVERT|TRY_CAST|TRY_PARSE|PERCENTILE_CONT|PERCENTILE_DISC|WITHIN\s+GROUP)\b/i,
      ),
  );

  each(
    'compare and concatenate no two columns of text without a COLLATE, which is always the same',
    files,
    ({ text }) => {
      assert.deepEqual(listMixedColumns(codeOf(text)), []);
      // Texts that it runs are code too.
      for (const [, run = ''] of splitHeader(text).body.matchAll(/N'((?:[^']|'')*\bFROM\b(?:[^']|'')*)'/g))
        assert.deepEqual(listMixedColumns(run.replace(/''(?:[^']|'''')*''/g, "''")), []);
      assert.doesNotMatch(codeOf(text), /\bCOLLATE (?!Latin1_General_BIN2\b)/);
    },
  );

  each(
    'set what the methods of xml need in every batch that uses them; for a procedure the two that it keeps, before it',
    files,
    ({ text }) => {
      const batches = codeOf(text).split(/^GO$/m);
      batches.forEach((batch, at) => {
        const [before = '', ...uses] = batch.split(/\.(?:value|nodes|exist|query|modify)\(/);
        if (uses.length === 0) return;
        const kept = /^\s*(?:CREATE|ALTER) PROCEDURE\b/.test(batch) ? batches.slice(0, at).join('') : before;
        for (const option of ['QUOTED_IDENTIFIER', 'ANSI_NULLS'])
          assert.match(kept, new RegExp(`SET [A-Z_, ]*\\b${option}\\b[A-Z_, ]* ON;`));
        for (const option of ['ANSI_WARNINGS', 'ANSI_PADDING', 'ARITHABORT', 'CONCAT_NULL_YIELDS_NULL'])
          assert.match(before, new RegExp(`SET [A-Z_, ]*\\b${option}\\b[A-Z_, ]* ON;`));
        assert.match(before, /SET NUMERIC_ROUNDABORT OFF;/);
      });
    },
  );

  each('rely on no concatenation being NULL, which a window may have switched off', files, ({ text }) => {
    for (const batch of codeOf(text).split(/^GO$/m))
      if (!/CONCAT_NULL_YIELDS_NULL\b[A-Z_, ]* ON;/.test(batch))
        assert.doesNotMatch(
          batch,
          /\bISNULL\((?:[^(),]|\([^()]*\))*''(?:[^(),]|\([^()]*\))*\+|\bISNULL\((?:[^(),]|\([^()]*\))*\+[^,]*''/,
        );
  });

  each(
    'switch off a limit of rows that the window was left with, wherever they pin its options',
    files,
    ({ name, text }) => {
      for (const batch of codeOf(text).split(/^GO$/m)) {
        if (!/^SET NOCOUNT ON;$/m.test(batch) || isOwnSession(name)) continue;
        assert.match(batch, /SET NOCOUNT ON;\nSET ROWCOUNT 0;\n/);
      }
    },
  );

  each('say that they change nothing exactly where they stand in read/', files, ({ name, text }) => {
    const says = /Changes:\s+(.*)/.exec(splitHeader(text).header)?.[1];
    assert.equal(says === 'nothing', name.startsWith('read/'));
  });

  each('name no parameter in a form that SSMS does not know', files, ({ text }) => {
    const parameters = text.match(/<[a-z_]+,[^<>]*>/g) ?? [];
    assert.equal(
      new Set(parameters.map((parameter) => /<([a-z_]+),/.exec(parameter)?.[1])).size,
      listParameters(text).length,
    );
  });

  const selects = listFiles('read').filter((file) => !gathering.includes(file.name));

  each(
    'of read/ are a single bounded SELECT that changes nothing, but for a variable into which a view is read once',
    selects,
    ({ text }) => {
      const code = codeOf(text)
        .trim()
        .replace(/^DECLARE @\w+ [\w()]+ =\n\(\n {4}SELECT TOP \(1\) [^;]+\n\);\n/, '');
      assert.match(code, /^SELECT TOP \((?:\d+|<rows, int, \d+>)\)\s/);
      assert.equal(code.indexOf(';'), code.length - 1, 'one statement');
      assert.doesNotMatch(code, changing);
    },
  );

  each('of read/ write and read every time in style 126', selects, ({ text }) => {
    const styles = [
      ...codeOf(text).matchAll(/CONVERT\((?:varchar\(30\)|datetime), (?:(?!CONVERT).)*?, (\d+)\)/g),
    ].map(([, style]) => style);
    assert.deepEqual(new Set(styles), new Set(styles.length > 0 ? ['126'] : []));
  });

  each(
    'of read/ convert every number, date and bit to text, because hosts show them differently',
    selects,
    ({ text }) => {
      const bare = /\b(\w+) = (\w+\.)?(\w+_id|\w+_count|is_\w+|\w+_date|\w+_offset|\w+_kb)\b\s*,?\n/g;
      const outermost =
        codeOf(text)
          .split('\n')
          .filter((line) => /^ {4}\w+ = /.test(line))
          .join('\n') + '\n';
      assert.deepEqual(
        [...outermost.matchAll(bare)].map((match) => match[0]),
        [],
      );
    },
  );

  each(
    'that gather rows execute one system procedure that reads, and change nothing but their own table variable',
    files.filter(({ name }) => gathering.includes(name)),
    ({ text }) => {
      const { body } = splitHeader(text);
      const code = codeOf(body);
      const executed = [...body.matchAll(/\bEXEC(?:UTE)?\s+([\w.]+)|\b(DBCC \w+)/gi)].map(
        (match) => match[1] ?? match[2],
      );
      assert.equal(executed.length, 2);
      assert.equal(executed[0], 'sys.sp_executesql');
      assert.match(executed[1] ?? '', /^(sys\.sp_(readerrorlog|enumerrorlogs)|DBCC TRACESTATUS)$/);
      for (const [, object] of code.matchAll(/\b(?:INSERT INTO|DELETE l\s+FROM)\s+(\S+)/g))
        assert.match(object ?? '', /^@/);
      const harmless = /\b(INSERT INTO @|DELETE l\b|EXEC sys\.sp_executesql|DECLARE|SET @)/g;
      assert.doesNotMatch(code.replace(harmless, ' '), changing);
    },
  );

  each(
    'of ssms/ make one procedure, which changes nothing but temporary tables of its own and the one that its caller names',
    listFiles('ssms'),
    ({ name, text }) => {
      const [, body = ''] = splitHeader(text).body.split(/^ALTER PROCEDURE dbo\.sp_CheckpointHealth$/m);
      const code = codeOf(`*/${body}`);
      for (const [, object] of code.matchAll(/\b(?:CREATE TABLE|INSERT INTO)\s+(\S+)/g))
        assert.match(object ?? '', /^(?:#CheckpointHealth_|@)/, name);
      for (const [, alias] of code.matchAll(/\bUPDATE\s+(\w+)/g))
        assert.match(code, new RegExp(`FROM #\\w+ AS ${alias}\\b`));
      const harmless =
        /\b(CREATE TABLE #\w+|INSERT INTO [#@]\w+|UPDATE \w+\s+SET \w+\.|DECLARE @|SET @|SET [A-Z_, ]+ (?:ON|OFF|0);|EXECUTE (?:sys\.sp_read|rdsadmin\.dbo\.rds_read_)error_?log @)/g;
      const named = [...body.matchAll(/SET @statement = N'([^']*)' \+ (@\w+)/g)].map(([, text, table]) => [
        text,
        table,
      ]);
      assert.deepEqual(named, [
        ['IF OBJECT_ID(@target_table) IS NULL CREATE TABLE ', '@target_table'],
        ['INSERT INTO ', '@target_table'],
      ]);
      const dynamic = [...body.matchAll(/EXECUTE sys\.sp_executesql N'([^']*)'/g)].map(([, sql = '']) =>
        sql.trim(),
      );
      assert.equal(dynamic.length, 1, 'one text that it runs, of a function that older servers have not');
      assert.match(
        dynamic[0] ?? '',
        /^UPDATE d\s+SET d\.\w+ = l\.\w+\s+FROM #CheckpointHealth_database AS d\b[^;]*;$/,
      );
      assert.doesNotMatch(
        code
          .replace(harmless, ' ')
          .replace(/#\w+/g, ' ')
          .replace(/EXECUTE sys\.sp_executesql(?= ''| @statement)/g, ' '),
        changing,
      );
    },
  );

  it('are all in the README for people with SSMS, which names no other', () => {
    const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8');
    const listed = readme.slice(readme.indexOf('\n## All files'));
    const named = [...listed.matchAll(/`([a-z]+\/[\w-]+\.sql)`/g)].map(([, name]) => name as string);
    assert.deepEqual([...named].sort(), files.map(({ name }) => name).sort());
  });
});

/**
 * Columns of text, by their names: catalog and management views do not agree on one collation. A COLLATE behind it
 * settles one.
 */
const textColumn = /\b[a-z]\w*\.\[?(?:\w*name|\w*_desc)\b\]?(?!\s*(?:COLLATE\b|\())/gi;
const ends =
  /[,;]|\b(?:SELECT|FROM|WHERE|AND|OR|ON|SET|IF|BEGIN|DECLARE|INSERT|UPDATE|VALUES|ORDER|GROUP|HAVING|JOIN|APPLY|EXECUTE|PRINT|WHEN|THEN|ELSE)\b/i;

/** A text with what stood in brackets of it put aside. */
interface Level {
  readonly text: string;
  readonly inner: readonly Level[];
}

/**
 * Comparisons and concatenations of different columns of text without a COLLATE. Where their collations differ that is
 * Msg 468 or 451, an error of the whole batch that no TRY catches.
 * @param code T-SQL without comments, its strings emptied
 */
function listMixedColumns(code: string): readonly string[] {
  return listOf(readLevel(code, { at: 0 }));
}

function readLevel(code: string, from: { at: number }): Level {
  let text = '';
  const inner: Level[] = [];
  while (from.at < code.length) {
    const character = code[from.at++] as string;
    if (character === ')') break;
    if (character !== '(') text += character;
    else {
      text += `(${inner.length})`;
      inner.push(readLevel(code, from));
    }
  }
  return { text, inner };
}

function listOf({ text, inner }: Level): readonly string[] {
  const found = text
    .split(ends)
    .filter((piece) => /[+=<>]|\b(?:IN|LIKE)\b/i.test(piece))
    .map((piece) => flatten({ text: piece, inner }).trim().replace(/\s+/g, ' '))
    .filter((piece) => new Set(piece.match(textColumn)).size > 1);
  return [...found, ...inner.flatMap(listOf)];
}

/** A query in brackets counts by what it selects. */
function flatten({ text, inner }: Level): string {
  const own = /^\s*SELECT\b/i.test(text) ? text.replace(/\bFROM\b[^]*/i, '') : text;
  return own.replace(
    /\((\d+)\)(?!\s*COLLATE\b)/g,
    (_, at: string) => `(${flatten(inner[Number(at)] as Level)})`,
  );
}
