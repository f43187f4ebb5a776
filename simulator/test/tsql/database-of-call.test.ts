import assert from 'node:assert/strict';
import { connect, type Client } from './client';

describe('A procedure that is named with its database', () => {
  let client: Client;
  before(async () => (client = await connect()));
  after(() => client.close());

  // Microsoft Learn, "sp_executesql": changes in database context last only to the end of the statement.
  for (const [name, database] of [
    ['Sales.sys.sp_executesql', 'Sales'],
    ['[a]]b]..sp_executesql', 'a]b'],
    ['"a]b".[sys].[sp_executesql]', 'a]b'],
    ['sys.sp_executesql', 'master'],
  ] as const)
    it(`runs in it: ${name}`, async () => {
      const { sets, errors } = await client.run(`EXEC ${name} N'SELECT DB_NAME()'; SELECT DB_NAME();`);
      assert.deepEqual(errors, []);
      assert.deepEqual(
        sets.map(({ rows }) => rows),
        [[[database]], [['master']]],
      );
    });

  it('takes its name from a variable', async () => {
    const { sets } = await client.run(
      "DECLARE @call nvarchar(300) = QUOTENAME(N'a]b') + N'.sys.sp_executesql'; EXEC @call N'SELECT DB_NAME()';",
    );
    assert.deepEqual(sets[0]?.rows, [['a]b']]);
  });

  it('is back in its own database after an error, and says 911 for one that is not there', async () => {
    assert.equal(
      await client.error("EXEC nowhere.sys.sp_executesql N'SELECT 1';"),
      "911 Database 'nowhere' does not exist. Make sure that the name is entered correctly.",
    );
    await client.run("EXEC Sales.sys.sp_executesql N'SELECT 1/0';");
    assert.equal(await client.value('DB_NAME()'), 'master');
  });
});
