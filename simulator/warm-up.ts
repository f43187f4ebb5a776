import type { Session, SessionHost } from './tds/handler';

const TIMES = 2;
/** What clients read first. Reading does not change the model. */
const READS = [
  `SELECT
    CONVERT(varchar(11), database_id), name, CONVERT(varchar(30), create_date, 126), CONVERT(varchar(11), target_recovery_time_in_seconds), state_desc,
    CONVERT(varchar(1), is_read_only), CONVERT(varchar(1), is_in_standby), CONVERT(varchar(11), source_database_id), recovery_model_desc,
    log_reuse_wait_desc, CONVERT(nvarchar(20), DATABASEPROPERTYEX(name, N'Updateability')),
    CASE WHEN replica_id IS NULL THEN '0' ELSE '1' END
FROM sys.databases
ORDER BY database_id;`,
  `SELECT TOP (1000) object_name, event_data, file_name, CONVERT(varchar(20), file_offset)
FROM sys.fn_xe_file_target_read_file(N'*.xel', NULL, NULL, NULL);`,
];

/**
 * A server that has been up for days has its catalog in memory and its code compiled. Without this a client's first
 * statements take three times as long as later ones.
 * @returns the errors of statements that this platform refuses
 */
export async function warmUp(
  host: SessionHost,
  login: { readonly name: string; readonly password: string },
): Promise<readonly string[]> {
  const session = host.login({
    user: login.name,
    password: login.password,
    host: '',
    application: '',
    library: '',
    database: 'master',
    encrypted: true,
  });
  const errors: string[] = [];
  try {
    for (let time = 0; time < TIMES; time++)
      for (const sql of READS) errors.push(...(await read(session, sql)));
    return errors;
  } finally {
    session.close();
  }
}

async function read(session: Session, sql: string): Promise<readonly string[]> {
  const errors: string[] = [];
  for await (const reply of session.execute({ kind: 'batch', sql }, new AbortController().signal))
    if (reply.kind === 'error') errors.push(reply.message.message);
  return errors;
}
