import assert from 'node:assert/strict';
import { readCaughtAnswers, writeCaughtReads } from '../../../src/core/script/caught-read';
import { addPrologue, declareParameters } from '../../../src/core/script/prologue';
import { fillTemplate } from '../../../src/core/script/template';
import { nameSessionFile, writeEventsRead, writeFilePattern, writeSessionCreate } from '../../../src/core/script/session';
import type { OwnSessionText, ReadText } from '../../../src/core/script/text';
import type { Connection, ResultSet } from '../../../src/hosts/host';
import { ownSessionTemplates, readTemplates } from '../../../src/texts';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { openFreely } from '../../hosts/opening';
import { reach } from './watched-server';

const OTHER_SESSION = 'Made by someone else';

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

describe('Every read of sql/, gathered before it is sent', () => {
  let simulator: Simulator;
  let connection: Connection;

  before(async () => {
    simulator = await startSimulator({ scenario: 'availability-group', databases: 40, rate: 0, tls: 'required' });
    connection = await openFreely(reach(simulator));
    await startOtherSession(connection);
  });

  after(async () => {
    await connection?.close();
    await simulator?.close();
  });

  const ask = (text: ReadText): Promise<ResultSet> => run(connection, addPrologue(text));

  const names = (Object.keys(readTemplates) as (keyof typeof readTemplates)[]).filter((each) => each !== 'checkpointEvents');
  for (const name of names) {
    it(`gives the same columns and rows in the same order: ${name}`, async () => {
      const text = fillRead(name);
      const plain = await ask(text);
      const answer = readCaughtAnswers(await ask(writeCaughtReads([text])), [text])?.[0];
      assert.deepEqual([answer?.error, answer?.columns, answer?.rows], [null, plain.columns, plain.rows]);
      assert.ok(plain.rows.length > 0 || name === 'acceleratedRecovery', 'no database here has accelerated recovery');
    });
  }

  it('tells the number of an error that a host would hide, and what was asked beside it', async () => {
    const texts = [fillRead('serverFacts'), fillTemplate(readTemplates.checkpointEvents, {}), fillRead('databaseFacts')];
    const [facts, events, databases] = readCaughtAnswers(await ask(writeCaughtReads(texts)), texts) ?? [];
    assert.deepEqual([facts?.error, events?.error?.number, events?.rows.length, databases?.error], [null, 25718, 0, null]);
    const plain = await ask(fillRead('databaseFacts'));
    assert.deepEqual([facts?.rows.length, databases?.columns, databases?.rows], [1, plain.columns, plain.rows]);
  });
});

/** A session of someone else that records checkpoints in memory, so that every read has something to find. */
async function startOtherSession(connection: Connection): Promise<void> {
  const create = `CREATE EVENT SESSION [${OTHER_SESSION}] ON SERVER
    ADD EVENT sqlserver.checkpoint_begin, ADD EVENT sqlserver.checkpoint_end
    ADD TARGET package0.ring_buffer;`;
  const start = `ALTER EVENT SESSION [${OTHER_SESSION}] ON SERVER STATE = START;`;
  for (const text of [create, start]) await run(connection, `${text}\nSELECT done = 1;` as OwnSessionText);
}

/** A read with its defaults, and of that session where it asks for a ring. */
function fillRead(name: keyof typeof readTemplates): ReadText {
  return fillTemplate(readTemplates[name], name === 'ringBuffer' ? { session_name: OTHER_SESSION } : {});
}

function pageOf(configuredFile: string) {
  return { filePattern: writeFilePattern(configuredFile), cursor: null, rows: 500, hasTimestampUtc: true, serverName: null };
}

async function run(connection: Connection, sql: ReadText | OwnSessionText): Promise<ResultSet> {
  const sets = await connection.query(sql, { timeoutMs: 30_000 });
  return sets[sets.length - 1] as ResultSet;
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
