/** STRING_SPLIT, GENERATE_SERIES and functions of later releases: Microsoft's documentation, page by page; a server that is older does not know them. */
import assert from 'node:assert/strict';
import { createModelledServer } from '../../engine/landscape';
import { LOGINS } from '../../engine/permissions/permissions-logins';
import type { Release } from '../../scenarios/releases';
import { createSessionHost } from '../../tsql/session-host';
import { ask, type Answer } from './client';

describe('T-SQL of each release', () => {
  const hosts = new Map<Release, Awaited<ReturnType<typeof createSessionHost>>>();
  const run = async (release: Release, sql: string): Promise<Answer> => {
    const host = hosts.get(release) ?? (await createSessionHost(createModelledServer({ rate: 0, release })));
    hosts.set(release, host);
    const password = LOGINS.find(({ name }) => name === 'dba')?.password ?? '';
    const login = { user: 'dba', password, host: '', application: '', library: '', database: '', encrypted: true };
    const session = host.login(login);
    const answer = await ask(session, { kind: 'batch', sql });
    session.close();
    return answer;
  };
  const rows = async (release: Release, sql: string): Promise<unknown> => {
    const { sets, errors } = await run(release, sql);
    assert.deepEqual(errors, [], sql);
    return sets[0]?.rows;
  };
  after(async () => {
    for (const host of hosts.values()) await host.close();
  });

  it('splits into the type of the text, in 2022 with places', async () => {
    const { sets } = await run(2019, "SELECT value FROM STRING_SPLIT('a,,b', ',')");
    assert.deepEqual(sets[0]?.columns[0]?.type, { name: 'varchar', length: 4 });
    assert.deepEqual(sets[0]?.rows, [['a'], [''], ['b']]);
    assert.deepEqual(await rows(2022, "SELECT ordinal, value FROM STRING_SPLIT(N'E D', ' ', 1) ORDER BY ordinal DESC"), [
      [2n, 'D'],
      [1n, 'E'],
    ]);
    assert.equal((await run(2019, "SELECT value FROM STRING_SPLIT('a', ',', 1)")).errors[0]?.number, 8144);
    assert.equal((await run(2019, "SELECT value FROM STRING_SPLIT('a', ';;')")).errors[0]?.number, 214);
  });

  it('makes series downwards and by steps', async () => {
    assert.deepEqual(await rows(2022, 'SELECT value FROM GENERATE_SERIES(1, 3)'), [[1], [2], [3]]);
    assert.deepEqual(await rows(2022, 'SELECT value FROM GENERATE_SERIES(5, 1, -2)'), [[5], [3], [1]]);
    assert.deepEqual(await rows(2022, 'SELECT value FROM GENERATE_SERIES(3, 2)'), [[3], [2]]);
    assert.equal((await run(2022, 'SELECT value FROM GENERATE_SERIES(1, CAST(2 AS bigint))')).errors[0]?.number, 5373);
  });

  it('knows the functions of 2022 in 2022', async () => {
    const list =
      "GREATEST(1, NULL, 2.5), LEAST('b', 'a'), DATETRUNC(month, CAST('2021-12-08' AS date)), LEFT_SHIFT(12345, 5), RIGHT_SHIFT(12345, 5), BIT_COUNT(17), GET_BIT(5, 2), SET_BIT(0, 2), LTRIM('123abc', '123'), RTRIM('abc.', '.')";
    assert.deepEqual(await rows(2022, `SELECT ${list}`), [['2.5', 'a', '2021-12-01', 395040, 385, 2n, true, 4, 'abc', 'abc']]);
    const weeks =
      "DATETRUNC(week, '2021-11-11 11:11:11.1234567'), DATETRUNC(iso_week, '2021-11-11'), DATETRUNC(hour, '2021-12-08 11:30:15.1234567')";
    assert.deepEqual(await rows(2022, `SELECT ${weeks}`), [
      ['2021-11-07T00:00:00.0000000', '2021-11-08T00:00:00.0000000', '2021-12-08T11:00:00.0000000'],
    ]);
  });

  it('passes over NULLs of windows in 2022', async () => {
    const sql =
      'SELECT i, LAG(x) IGNORE NULLS OVER (ORDER BY i), LAST_VALUE(x) IGNORE NULLS OVER (ORDER BY i), LAG(x) RESPECT NULLS OVER (ORDER BY i) FROM (VALUES (1, 5), (2, NULL), (3, NULL)) AS v (i, x) ORDER BY i';
    assert.deepEqual(await rows(2022, sql), [
      [1, null, 5, null],
      [2, 5, 5, 5],
      [3, 5, 5, null],
    ]);
    assert.equal((await run(2019, sql)).errors[0]?.message, "Incorrect syntax near 'NULLS'.");
  });

  it('refuses a whole batch for a function that is newer than the server', async () => {
    for (const [release, sql, error] of [
      [2014, "SELECT STRING_AGG(name, ',') FROM sys.databases", "195 'STRING_AGG' is not a recognized built-in function name."],
      [2016, "SELECT TRIM('a')", "195 'TRIM' is not a recognized built-in function name."],
      [2019, 'SELECT GREATEST(1, 2)', "195 'GREATEST' is not a recognized built-in function name."],
      [2014, "SELECT * FROM STRING_SPLIT('a', ',')", "208 Invalid object name 'STRING_SPLIT'."],
      [2019, 'SELECT * FROM GENERATE_SERIES(1, 2)', "208 Invalid object name 'GENERATE_SERIES'."],
    ] as const) {
      const { errors, messages } = await run(release, `PRINT 'before'; ${sql}`);
      assert.equal(`${errors[0]?.number} ${errors[0]?.message}`, error);
      if (errors[0]?.number === 195) assert.deepEqual(messages, []);
    }
  });

  it('names objects, schemas, columns, types and logins of the catalog', async () => {
    const list =
      "OBJECT_NAME(OBJECT_ID('sys.databases')), OBJECT_SCHEMA_NAME(OBJECT_ID('sys.databases')), OBJECT_NAME(5), SCHEMA_NAME(4), SCHEMA_ID('SYS'), COL_NAME(OBJECT_ID('sys.databases'), 1), COL_LENGTH('sys.databases', 'name'), TYPE_NAME(56), TYPE_ID('sysname'), SUSER_SNAME(0x01), SUSER_SNAME(SUSER_SID('dba')), FILE_NAME(1)";
    assert.deepEqual(await rows(2019, `SELECT ${list}`), [
      ['databases', 'sys', null, 'sys', 4, 'name', 256, 'int', 256, 'sa', 'dba', 'master'],
    ]);
    assert.match(
      (await run(2019, 'SELECT msdb.dbo.agent_datetime(20240101, 0)')).errors[0]?.message ?? '',
      /msdb.dbo.agent_datetime is not modelled/,
    );
    assert.deepEqual(
      await rows(2019, "SELECT c.precision, x.[value]('(./a)[1]', 'int') FROM (SELECT 1 AS precision, CAST('<a>2</a>' AS xml) AS x) AS c"),
      [[1, 2]],
    );
  });
});
