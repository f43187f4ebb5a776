import type { Reply } from '../tds/handler';
import type { ProcedureCall } from './system-procedures';
import { runSystemText } from './system-text';

/** sp_databases (Microsoft Learn, "sp_databases (Transact-SQL)"): sizes in KB, of the databases that the caller may use. */
export async function* listDatabases({ session, line }: ProcedureCall): AsyncGenerator<Reply, number> {
  yield* runSystemText(
    session,
    `SELECT DATABASE_NAME = d.name, DATABASE_SIZE = (SELECT CAST(SUM(CAST(f.size AS bigint)) * 8 AS int) FROM sys.master_files AS f WHERE f.database_id = d.database_id),
       REMARKS = CAST(NULL AS varchar(254))
     FROM sys.databases AS d WHERE HAS_DBACCESS(d.name) = 1 ORDER BY d.name`,
    line,
  );
  return 0;
}
