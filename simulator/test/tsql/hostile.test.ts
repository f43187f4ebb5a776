/** Scripts of a size or depth that no person writes: an answer or an error, never a fall. */
import assert from 'node:assert/strict';
import { Duck } from '../../tsql/duck';
import { Relations } from '../../tsql/relations';
import { ask, tell, useClient } from './client';
import { column } from './fake-instance';

describe('T-SQL scripts that are hostile', () => {
  const client = useClient();

  it('reads a batch of 100,000 lines and numbers them', async () => {
    const lines: string[] = Array.from({ length: 100_000 }, (_, index) =>
      index % 2 === 0 ? '-- a comment' : '',
    );
    lines.push("PRINT 'end'", 'SELECT 1 / 0');
    const answer = await client.run(lines.join('\n'));
    assert.deepEqual([tell(answer), answer.errors[0]?.line], ['end | [] | !8134', 100_002]);
    assert.equal(
      await client.told(Array.from({ length: 3_000 }, (_, index) => `DECLARE @a${index} int;`).join('\n')),
      '',
    );
  });

  it('carries strings of two megabytes', async () => {
    const long = 'x'.repeat(2_000_000);
    assert.deepEqual(
      await client.rows(
        `DECLARE @s nvarchar(max) = N'${long}'; SET @s += N'y'; SELECT LEN(@s), RIGHT(@s, 2)`,
      ),
      [[2_000_001n, 'xy']],
    );
    const print = `DECLARE @s nvarchar(max) = N'PRINT ''${long.slice(0, 9000)}''' + REPLICATE(CAST(N' ' AS nvarchar(max)), 1500000); EXEC (@s)`;
    assert.equal((await client.told(print)).length, 8000);
  });

  it('says 191 of what is nested too deeply', async () => {
    for (const sql of [
      `SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
      `SELECT ${'~'.repeat(20_000)}1`,
      `${'BEGIN '.repeat(20_000)} SELECT 1 ${' END'.repeat(20_000)}`,
      `SELECT ${'CASE WHEN 1 = 1 THEN '.repeat(10_000)} 1 ${' END'.repeat(10_000)}`,
      `${'IF 1 = 1 '.repeat(20_000)} PRINT 1`,
    ])
      assert.equal(await client.told(`PRINT 'before'; ${sql}`), '!191', sql.slice(0, 40));
    assert.equal(await client.value('1'), 1);
  });

  it('refuses what is nested more deeply than it can run, and goes on', async () => {
    const refused = [
      `${'BEGIN '.repeat(400)} SELECT 1 ${' END'.repeat(400)}`,
      `SELECT ${'n + '.repeat(1000)} n FROM sys.numbers`,
      `SELECT 1 ${'WHERE EXISTS (SELECT 1 '.repeat(20)}${')'.repeat(20)}`,
    ];
    for (const sql of refused) assert.match(await client.error(sql), /^50000 simulator: /, sql.slice(0, 40));
    assert.deepEqual(
      await client.rows(`IF 1 = 0 SELECT 0 ${'ELSE IF 1 = 0 SELECT 0 '.repeat(500)} ELSE SELECT 5`),
      [[5]],
    );
    assert.match(
      await client.error(`DECLARE @t TABLE (n int); INSERT @t VALUES (1)${', (1)'.repeat(1000)}`),
      /^10738 /,
    );
  });

  it('goes ten levels of dynamic SQL down, each quoted in the other', async () => {
    let sql = "PRINT CONCAT('level ', @@NESTLEVEL)";
    for (let level = 0; level < 10; level++) sql = `EXEC (N'${sql.replaceAll("'", "''")}')`;
    assert.equal(await client.told(sql), 'level 10');
  });

  it('lets an attention end a loop without end, and others work meanwhile', async () => {
    const other = client.login();
    const controller = new AbortController();
    const endless = ask(
      client.session,
      { kind: 'batch', sql: 'WHILE 1 = 1 DECLARE @x int = 1' },
      controller.signal,
    );
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => ask(client.login(), { kind: 'batch', sql: 'SELECT @@SPID' })),
    );
    assert.equal(new Set(answers.map((each) => each.sets[0]?.rows[0]?.[0])).size, 3);
    controller.abort();
    await assert.rejects(endless, { name: 'AbortError' });
    other.close();
  });

  it('asks one thing at a time of the connection that copies views for all sessions', async () => {
    const duck = await Duck.create();
    const connection = await duck.connect();
    const run = connection.run.bind(connection);
    let underWay = 0;
    let most = 0;
    connection.run = async (...args) => {
      most = Math.max(most, ++underWay);
      return run(...args).finally(() => underWay--);
    };
    duck.connect = () => Promise.resolve(connection);
    const relations = await Relations.create(duck);
    const views = Array.from({ length: 8 }, (_, index) =>
      relations.handle(String(index), { columns: [column('n', { name: 'int' })], rows: () => [[index]] }),
    );
    const copied = views.map(async (view) => {
      await relations.materialise([view]);
      await relations.release([view]);
    });
    await Promise.all(copied);
    assert.equal(most, 1);
    relations.close();
    duck.close();
  });
});
