/** The same job as SQL over a table of texts, as a data engineer would write it. */
import { DuckDBInstance } from '@duckdb/node-api';
import type { EventRow } from '../src/core/events/event';

/** An end pairs with the begin right before it in the same task and database. */
const PAIRS = (events: string): string => `
  SELECT count(*), sum(moment - begun) FROM (
    SELECT kind, moment, lag(moment) OVER task AS begun, lag(kind) OVER task AS begin_kind
    FROM (${events}) WINDOW task AS (PARTITION BY guid, id ORDER BY number)
  ) WHERE kind = 'end' AND begin_kind = 'beg'`;

const BY_POSITION = PAIRS(`
  SELECT substr(x, 25, 3) AS kind, epoch_ms(substr(x, t + 11, 23)::TIMESTAMP) AS moment,
    substr(x, v + 7, position('<' IN substr(x, v + 7, 11)) - 1)::INTEGER AS id,
    substr(x, a + 46, 36) AS guid, substr(x, a + 83, length(x) - a - 107)::BIGINT AS number
  FROM (SELECT x, position('timestamp="' IN x) AS t, position('<value>' IN x) AS v, position('attach_activity_id"' IN x) AS a FROM texts)`);

const PATTERN =
  'checkpoint_(beg|end).*timestamp="([^"]+)Z".*database_id"><value>(\\d+)<.*attach_activity_id".*<value>(.{36})-(\\d+)<';
const BY_PATTERN = PAIRS(`
  SELECT f.kind AS kind, epoch_ms(f.at::TIMESTAMP) AS moment, f.id::INTEGER AS id, f.guid AS guid, f.number::BIGINT AS number
  FROM (SELECT regexp_extract(x, '${PATTERN}', ['kind', 'at', 'id', 'guid', 'number']) AS f FROM texts)`);

interface DuckDbWays {
  readonly ways: readonly { readonly name: string; readonly run: () => Promise<number> }[];
  close(): void;
}

/**
 * Puts the texts into a table in memory, and gives the ways to pair them.
 * @throws Error if one of them finds other checkpoints than there are
 */
export async function pairWithDuckDb(rows: readonly EventRow[]): Promise<DuckDbWays> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run('CREATE TABLE texts (x VARCHAR)');
  const appender = await connection.createAppender('texts');
  for (const { eventData } of rows) {
    appender.appendVarchar(eventData ?? '');
    appender.endRow();
  }
  appender.closeSync();
  const count = async (sql: string): Promise<number> =>
    Number((await connection.runAndReadAll(sql)).getRows()[0]?.[0]);
  const ways = [
    { name: 'position() and LAG', run: () => count(BY_POSITION) },
    { name: 'regexp_extract() and LAG', run: () => count(BY_PATTERN) },
  ];
  for (const { name, run } of ways) {
    const found = await run();
    if (found !== rows.length / 2)
      throw new Error(`${name} finds ${found} checkpoints of ${rows.length / 2}.`);
  }
  return { ways, close: () => connection.closeSync() };
}
