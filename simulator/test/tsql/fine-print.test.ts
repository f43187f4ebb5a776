/** What is easily got wrong. The page that says so stands beside each case. */
import assert from 'node:assert/strict';
import { connect, type Client } from './client';

const numbersOf = async (client: Client, sql: string): Promise<readonly number[]> =>
  (await client.run(sql)).errors.map((each) => each.number);

describe('T-SQL in fine print', () => {
  let client: Client;
  before(async () => (client = await connect()));
  after(() => client.close());

  // DBA Stack Exchange 48660, "Comparing binary 0x and 0x00 turns out to be equal", quotes Microsoft's answer: "We treat it as equal."
  it('compares binary values without the zeros at their end', async () => {
    assert.equal(await client.value('CASE WHEN 0x01 = 0x0100 AND 0x = 0x00 AND 0x01 < 0x0101 AND 0x10 > 0x01 THEN 1 ELSE 0 END'), 1);
    assert.deepEqual(await client.rows('SELECT COUNT(*) FROM (VALUES (0x), (0x00), (0x0000)) AS x(d) GROUP BY d'), [[3]]);
    assert.deepEqual(await client.rows('SELECT COUNT(DISTINCT d) FROM (VALUES (0x), (0x00), (0x10), (0x1000), (0x01)) AS x(d)'), [[3]]);
    assert.deepEqual(await client.rows('SELECT 1 FROM (VALUES (0x0100)) AS a(x) JOIN (VALUES (0x01)) AS b(y) ON x = y'), [[1]]);
  });

  // Microsoft Learn, "smalldatetime": 29.998 seconds or less are rounded down, 29.999 or more up.
  it('rounds a smalldatetime at 29.999 seconds', async () => {
    assert.equal(await client.value("CAST('2007-05-08 12:35:29.998' AS smalldatetime)"), '2007-05-08T12:35:00');
    assert.equal(await client.value("CAST('2007-05-08 12:35:29.999' AS smalldatetime)"), '2007-05-08T12:36:00');
  });

  // Microsoft Learn, "DATEADD": "Return values for a smalldatetime date and a second or fractional seconds datepart"; error 517 of a date out of range.
  it('says 517 of a date before or behind what its type can hold, and lets a time go round', async () => {
    for (const sql of [
      "DATEADD(year, -300, CAST('20240101' AS datetime))",
      "DATEADD(year, -125, CAST('20240101' AS smalldatetime))",
      "DATEADD(year, 60, CAST('20240101' AS smalldatetime))",
    ])
      assert.deepEqual(await numbersOf(client, `SELECT ${sql}`), [517], sql);
    assert.equal(await client.value("DATEADD(hour, -2, CAST('01:00' AS time(0)))"), '23:00:00');
  });

  // Microsoft Learn, "Database engine events and errors", 8133.
  it('refuses a CASE whose results are all the constant NULL', async () => {
    assert.deepEqual(await numbersOf(client, 'SELECT CASE WHEN 1 = 1 THEN NULL ELSE NULL END'), [8133]);
    assert.equal(await client.value('CASE WHEN 1 = 1 THEN NULL ELSE CAST(NULL AS int) END'), null);
  });

  // Microsoft Learn, "DECLARE @local_variable": the scope of a variable is the batch it is declared in.
  it('declares variables for the whole batch, whether or not the flow meets DECLARE', async () => {
    assert.deepEqual(await client.rows('IF 1 = 0 DECLARE @a int = 5; SELECT @a'), [[null]]);
    const answer = await client.run('DECLARE @v nvarchar(3) = 12345; SELECT @v');
    assert.deepEqual([answer.errors.map((each) => each.number), answer.sets[0]?.rows], [[8115], [[null]]]);
    assert.deepEqual((await client.run('SELECT 1 UNION ALL SELECT 2; DECLARE @n int = 7; SELECT @@ROWCOUNT')).sets[1]?.rows, [[1]]);
  });

  // Microsoft Learn, "Database engine events and errors", 109, 110, 120, 121, 213, 8101, 10709.
  it('tells which list of an INSERT is the longer one', async () => {
    const into = 'DECLARE @t TABLE (a int, b int); INSERT @t';
    for (const [rest, number] of [
      ['(a, b) VALUES (1)', 109],
      ['(a) VALUES (1, 2)', 110],
      ['(a, b) SELECT 1', 120],
      ['(a) SELECT 1, 2', 121],
      [' SELECT 1', 213],
      [' VALUES (1)', 213],
      [' VALUES (1, 2), (1)', 10709],
    ] as const)
      assert.deepEqual(await numbersOf(client, into + rest), [number], rest);
    assert.deepEqual(await numbersOf(client, 'CREATE TABLE #i (id int IDENTITY, n int); INSERT #i VALUES (5, 6)'), [8101]);
  });

  // Microsoft Learn, "Create Instances of XML Data": what of a text an xml value does not keep; "CAST and CONVERT", xml styles.
  it('keeps of an XML text what an xml value keeps', async () => {
    for (const [text, kept] of [
      [`'<?xml version="1.0"?><r a=''1''>  <b> x </b>  </r>'`, '<r a="1"><b> x </b></r>'],
      [`'<r><b></b><!-- c --></r>'`, '<r><b/><!-- c --></r>'],
      [`'<r>&lt;&#65;<![CDATA[<]]></r>'`, '<r>&lt;A&lt;</r>'],
    ] as const)
      assert.equal(await client.value(`CAST(${text} AS xml)`), kept);
    assert.equal(await client.value("CONVERT(xml, '<a> <b/> </a>', 1)"), '<a> <b/> </a>');
  });

  it('closes an element of no characters with a tag, and with TYPE as xml does', async () => {
    assert.equal(await client.value("(SELECT '' AS b FOR XML PATH('r'))"), '<r><b></b></r>');
    assert.equal(await client.value("(SELECT '' AS b FOR XML PATH('r'), TYPE)"), '<r><b/></r>');
    assert.equal(await client.value("(SELECT ' ' AS b FOR XML PATH(''), TYPE).value('.', 'varchar(5)')"), ' ');
  });

  it('refuses a bracket right behind the opening one in LIKE: whether it closes is not published', async () => {
    assert.match(await client.error("SELECT 1 WHERE ']' LIKE '[]]'"), /^50000 simulator: \] right behind/);
    assert.equal(await client.value("PATINDEX('%]', 'a]')"), 2);
  });

  // Microsoft Learn, "DECLARE CURSOR": a STATIC cursor keeps its rows; the others see changes that are made while they are open.
  it('refuses to fetch what a cursor that is not static would see otherwise', async () => {
    const loop = (cursor: string, change: string): string =>
      `CREATE TABLE #t (a int, done bit); INSERT #t VALUES (1, 0), (2, 0); DECLARE c CURSOR LOCAL ${cursor} FOR SELECT a FROM #t WHERE done = 0; OPEN c;
      DECLARE @n int = 0, @a int; FETCH c INTO @a; WHILE @@FETCH_STATUS = 0 AND @n < 9 BEGIN SET @n += 1; ${change}; FETCH c INTO @a END; SELECT @n; DROP TABLE #t`;
    const refusal = /^50000 simulator: FETCH from a cursor that is not STATIC/;
    const ask = async (cursor: string, change: string): Promise<unknown> => {
      const answer = await client.run(loop(cursor, change));
      await client.run('DROP TABLE IF EXISTS #t');
      return answer.errors[0] === undefined ? answer.sets[0]?.rows[0]?.[0] : `${answer.errors[0].number} ${answer.errors[0].message}`;
    };
    assert.match(String(await ask('FAST_FORWARD', 'INSERT #t VALUES (3, 0)')), refusal);
    assert.match(String(await ask('', 'DELETE #t WHERE a = 2')), refusal);
    assert.equal(await ask('STATIC', 'DELETE #t WHERE a = 2'), 2);
    assert.equal(await ask('', 'UPDATE #t SET done = 1 WHERE a = @a'), 2);
    assert.equal(await ask('DYNAMIC', 'DELETE #t WHERE a = @a'), 2);
  });

  // Microsoft Learn, "~ (Bitwise NOT)": the result has the type of its operand.
  it('inverts the bits of each integer type within it', async () => {
    assert.deepEqual(
      await client.rows('SELECT ~CAST(5 AS tinyint), ~x, ~CAST(5 AS smallint), ~5 FROM (VALUES (CAST(1 AS tinyint))) AS t(x)'),
      [[250, 254, -6, -6]],
    );
  });

  // Microsoft Learn, "Database engine events and errors", 536 and 537.
  it('names LEFT, RIGHT and SUBSTRING where a length is negative', async () => {
    assert.equal(await client.error("SELECT LEFT('abc', -1)"), '537 Invalid length parameter passed to the LEFT or SUBSTRING function.');
    assert.match(await client.error("SELECT RIGHT('abc', -1)"), /^536 /);
  });

  it('refuses PARSE, and PATINDEX of nothing but %, by name', async () => {
    assert.match(await client.error("SELECT TRY_PARSE('1' AS int)"), /^50000 simulator: PARSE /);
    assert.match(await client.error("SELECT PATINDEX('%', 'abc')"), /^50000 simulator: PATINDEX /);
  });

  // Microsoft Learn, "SELECT - OVER clause": RANGE cannot be used with <unsigned value specification> PRECEDING or FOLLOWING; message 4194.
  it('takes no number of rows for RANGE, and counts peers by default', async () => {
    const sum = (frame: string): string => `SELECT x, SUM(x) OVER (ORDER BY x ${frame}) FROM (VALUES (1), (1), (2)) AS t(x) ORDER BY x`;
    assert.deepEqual(await numbersOf(client, sum('RANGE BETWEEN 1 PRECEDING AND CURRENT ROW')), [4194]);
    assert.deepEqual(await client.rows(sum('')), [
      [1, 2],
      [1, 2],
      [2, 4],
    ]);
  });

  it('refuses a column whose collation is not that of the server, and lets others be', async () => {
    assert.match(
      await client.error('CREATE TABLE #c (a varchar(5) COLLATE Latin1_General_BIN2)'),
      /^50000 simulator: a column with collation /,
    );
    assert.match(
      await client.error("SELECT 'a' COLLATE Latin1_General_BIN2 AS a INTO #c"),
      /^50000 simulator: SELECT INTO of a column with /,
    );
    assert.equal(await client.error('CREATE TABLE #c (a varchar(5) COLLATE database_default); DROP TABLE #c'), 'no error');
  });

  // Microsoft Learn, "Database engine events and errors", 2705; "System stored procedures".
  it('refuses two columns of one name in SELECT INTO, and by name the procedures that SQL Server has', async () => {
    assert.deepEqual(await numbersOf(client, 'SELECT 1 AS a, 2 AS A INTO #twice'), [2705]);
    for (const name of ['msdb.dbo.sp_send_dbmail', 'sp_recompile', 'msdb.dbo.sp_delete_backuphistory', 'sp_OACreate'])
      assert.match(await client.error(`EXEC ${name}`), /^50000 simulator: procedure /, name);
    assert.match(await client.error('EXEC sp_Blitz'), /^2812 /);
  });
});
