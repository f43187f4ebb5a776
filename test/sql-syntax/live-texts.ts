import { observe } from '../live/observe';
import type { LiveLogin, Row } from '../live/login';
import { openSqlServerTarget } from '../live/sql-server-target';
import type { NamedText } from '../../tools/tsql-check/check';

const event =
  '<event name="checkpoint_begin" timestamp="2026-03-02T08:00:00.000Z"><data name="database_id"><value>5</value></data></event>';
/** Columns of every answer that the tests read on from. */
const row: Row = {
  name: "CheckpointHealthLive B]'--",
  n: 16,
  product_version: '16.0.4135.4',
  event_data: event,
  file_name: "D:\\log\\it's_0_1.xel",
  file_offset: '5120',
  public_key: Uint8Array.of(1, 2),
  private_key: Uint8Array.of(3, 4),
};

/** Every T-SQL text that the live tests send to a SQL Server, recorded by logins that answer everything with one row. */
export async function listLiveTexts(): Promise<readonly NamedText[]> {
  const texts: string[] = [];
  const answer = (sql: string): readonly Row[] => {
    texts.push(sql);
    // A file that has been rolled over is one that is not in the answer any more.
    return [{ ...row, file_name: `${String(row['file_name'])}${texts.length}` }];
  };
  const login: LiveLogin = {
    attempt: (sql) => Promise.resolve({ rows: answer(sql), errors: [] }),
    rows: (sql) => Promise.resolve(answer(sql)),
    // No database is there yet.
    number: (sql) => Promise.resolve(sql.includes('ISNULL(DB_ID') ? Number(answer(sql).length - 1) : Number(answer(sql)[0]?.['n'])),
    close: () => undefined,
  };
  const open = (): Promise<LiveLogin> => Promise.resolve(login);
  const address = { host: 'h', port: 1433, user: 'u', password: 'p' };
  const target = await openSqlServerTarget(address, address, 5, open);
  await observe(target, open);
  await target.many();
  for (const may of ['VIEW SERVER STATE', 'db_owner of one database', 'dbcreator'] as const) await target.login(may);
  await target.dispose();
  return [...new Set(texts)].map((sql, i) => ({ name: String(i), sql }));
}
