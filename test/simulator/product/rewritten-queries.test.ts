import assert from 'node:assert/strict';
import { declareParameters } from '../../../src/core/script/prologue';
import { fillTemplate } from '../../../src/core/script/template';
import { nameSessionFile, writeEventsRead, writeFilePattern, writeSessionCreate } from '../../../src/core/script/session';
import type { ReadText } from '../../../src/core/script/text';
import type { Connection } from '../../../src/hosts/host';
import { ownSessionTemplates, readTemplates } from '../../../src/texts';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { openFreely } from '../../hosts/opening';
import { fillRead, run, startOtherSession } from './other-session';
import { reach } from './watched-server';

/** This server has no availability groups. */
const ofGroups = ['availabilityRoles', 'databaseCopies', 'distributedGroups'];

type Rewrite = (sql: string) => string;

/** Ways to say the same: the simulator must understand T-SQL, not recognise our texts. */
const rewrites: Readonly<Record<string, Rewrite>> = {
  'without comments, on one line': (sql) => withoutComments(sql).replace(/\s+/g, ' '),
  'with comments of both kinds between all lines': (sql) => sql.replace(/\n/g, " -- it's /* not */ code\n /* nor /* nested */ 'this' */ "),
  'with keywords and names in other case': (sql) => outsideStrings(withoutComments(sql), (code) => code.toLowerCase()),
  'in capitals': (sql) => outsideStrings(withoutComments(sql), (code) => code.toUpperCase()),
  'with other table aliases': renameAliases,
  'with brackets around its column names': (sql) => withoutComments(sql).replace(/\b([a-z])\.([a-z_]+)\b(?!\()/g, '$1.[$2]'),
  'inside a derived table with a predicate that holds': (sql) =>
    wrap(sql, (body) => `SELECT * FROM (${body}) AS wrapped WHERE 1 = 1 AND N'a' = N'A ' AND NOT (NULL = NULL AND 1 = 0)`),
  'inside a common table expression': (sql) => wrap(sql, (body) => `WITH wrapped AS (${body}) SELECT * FROM wrapped`),
  'as one branch of a union with nothing': (sql) =>
    wrap(sql, (body) => `WITH wrapped AS (${body}) SELECT * FROM wrapped UNION ALL SELECT * FROM wrapped WHERE 1 = 0`),
};

describe('The read queries, said in other words', function () {
  this.timeout(120_000);
  let simulator: Simulator;
  let connection: Connection;
  let file = '';

  before(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required' });
    connection = await openFreely(reach(simulator));
    file = nameSessionFile();
    const plan = { databaseIds: null, hasBufferPoolScanComplete: true, majorVersion: 15, fileName: file };
    await run(connection, writeSessionCreate(plan, ownSessionTemplates.create));
    await run(connection, fillTemplate(ownSessionTemplates.start, {}));
    await startOtherSession(connection);
    simulator.server.advance(5 * 60_000);
  });

  after(async () => {
    await connection?.close();
    await simulator?.close();
  });

  for (const name of Object.keys(readTemplates) as (keyof typeof readTemplates)[]) {
    for (const [how, rewrite] of Object.entries(rewrites)) {
      it(`give the same rows for ${name} ${how}`, async () => {
        const sql = name === 'checkpointEvents' ? declareParameters(writeEventsRead(pageOf(file), readTemplates[name])) : fillRead(name);
        const [expected, found] = [await run(connection, sql), await run(connection, rewrite(sql) as ReadText)];
        assert.ok(ofGroups.includes(name) || expected.rows.length > 0);
        assert.deepEqual(
          found.columns.map((column) => column.toLowerCase()),
          expected.columns,
        );
        assert.deepEqual(found.rows, expected.rows);
      });
    }
  }

  it('give their columns in the order in which they are asked for', async () => {
    const { columns, rows } = await run(connection, "SELECT x.b, x.a FROM (SELECT a = 1, b = N'two') AS x;" as ReadText);
    assert.deepEqual([columns, rows], [['b', 'a'], [['two', '1']]]);
  });
});

function pageOf(configuredFile: string) {
  return { filePattern: writeFilePattern(configuredFile), cursor: null, rows: 500, hasTimestampUtc: true, serverName: null };
}

/** The query without its header and its last semicolon, behind the variable that it reads into first. */
function wrap(sql: string, write: (body: string) => string): string {
  const [, declared = '', body = ''] = /^\s*(DECLARE [^;]+;)?([\s\S]*?);?\s*$/.exec(withoutComments(sql)) ?? [];
  return `${declared} ${write(body)}`;
}

function withoutComments(sql: string): string {
  return sql.replace(/\/\*[\s\S]*?\*\//g, ' ');
}

function outsideStrings(sql: string, change: (code: string) => string): string {
  return sql
    .split(/(N?'(?:[^']|'')*')/)
    .map((part, i) => (i % 2 === 0 ? change(part) : part))
    .join('');
}

function renameAliases(sql: string): string {
  return outsideStrings(withoutComments(sql), (code) =>
    code.replace(/\b([a-z])\./g, 'other_$1.').replace(/\bAS ([a-z])\b/g, 'AS other_$1'),
  );
}
