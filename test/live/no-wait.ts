/** SET TARGET_RECOVERY_TIME WITH NO_WAIT where somebody else holds the database: whether it fails, with what, and after how long. */
import type { LiveLogin, openLogin } from './login';
import type { Observation } from './observation';
import { quoteName, quoteText } from './quoting';
import type { LiveTarget } from './target';

/** Longer than the ALTER may take, with room for a slow server. */
const holdSeconds = 20;
const startWithinMs = 15_000;
const pollMs = 200;
/** So many pages of 8 KB that a backup through one small buffer is seen while it runs. */
const filledRows = 40_000;

type Held = Observation['noWait']['backup'];

/** What keeps the database busy: begins it on a login of its own; `isThere` asks whether it runs now; `end` lets go. */
interface Holder {
  readonly begin: (holder: LiveLogin) => Promise<unknown>;
  readonly isThere: string;
  readonly end: (holder: LiveLogin) => Promise<unknown>;
}

export async function tryNoWait(target: LiveTarget, open: typeof openLogin): Promise<Observation['noWait']> {
  if (target.kind === 'simulator') return { backup: null, transaction: null, alter: null };
  const name = target.databases.busyIndirect;
  const filler = await open(target.address);
  try {
    await filler.rows(`USE ${quoteName(name)};`);
    await filler.rows(`
      IF OBJECT_ID(N'dbo.filled', N'U') IS NOT NULL DROP TABLE dbo.filled;
      SELECT TOP (${filledRows}) filler = CONVERT(char(7000), N'x') INTO dbo.filled
      FROM sys.all_columns AS a CROSS JOIN sys.all_columns AS b;`);
  } finally {
    filler.close();
  }
  return {
    backup: await tryAgainst(target, open, name, holdByBackup(name)),
    transaction: await tryAgainst(target, open, name, holdByTransaction(name)),
    alter: await tryAgainst(target, open, name, holdByAlter(name)),
  };
}

/** null where the other was not there before the ALTER and behind it: then nothing was seen. */
async function tryAgainst(target: LiveTarget, open: typeof openLogin, name: string, { begin, isThere, end }: Holder): Promise<Held> {
  const logins = [await open(target.address), await open(target.address)] as const;
  const [holder, other] = logins;
  const begun = begin(holder);
  try {
    for (let waitedMs = 0; (await other.number(isThere)) === 0; waitedMs += pollMs) {
      if (waitedMs >= startWithinMs) return null;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    const seconds = await other.number(`SELECT target_recovery_time_in_seconds FROM sys.databases WHERE name = ${quoteText(name)};`);
    const set = (to: number): string => `ALTER DATABASE ${quoteName(name)} SET TARGET_RECOVERY_TIME = ${to} SECONDS WITH NO_WAIT;`;
    const beganMs = performance.now();
    const { errors } = await other.attempt(set(seconds + 1));
    const elapsedMs = Math.round(performance.now() - beganMs);
    const wasThere = (await other.number(isThere)) > 0;
    await end(holder);
    await begun;
    await other.attempt(set(seconds));
    return wasThere ? { errors, elapsedMs } : null;
  } finally {
    await end(holder).catch(() => undefined);
    await begun.catch(() => undefined);
    for (const each of logins) each.close();
  }
}

/** One backup behind the other, each through one small buffer, until the time is over. */
function holdByBackup(name: string): Holder {
  const backup = `BACKUP DATABASE ${quoteName(name)} TO DISK = N'NUL' WITH COPY_ONLY, BUFFERCOUNT = 1, MAXTRANSFERSIZE = 65536;`;
  return {
    begin: (holder) =>
      holder.attempt(`
        DECLARE @until datetime2(3) = DATEADD(SECOND, ${holdSeconds}, SYSUTCDATETIME());
        WHILE SYSUTCDATETIME() < @until ${backup}`),
    isThere: `SELECT n = COUNT(*) FROM sys.dm_exec_requests WHERE command LIKE N'BACKUP%' AND database_id IN (DB_ID(${quoteText(name)}), DB_ID());`,
    end: () => Promise.resolve(),
  };
}

function holdByTransaction(name: string): Holder {
  return {
    begin: async (holder) => {
      await holder.rows(`USE ${quoteName(name)};`);
      await holder.rows(`BEGIN TRANSACTION; DELETE TOP (1) FROM dbo.filled;`);
    },
    isThere: `
      SELECT n = COUNT(*) FROM sys.dm_tran_database_transactions
      WHERE database_id = DB_ID(${quoteText(name)}) AND database_transaction_begin_time IS NOT NULL;`,
    end: (holder) => holder.rows('IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; USE master;'),
  };
}

/** An ALTER that grows the log by so much, which is written with zeros, that it is seen while it runs. */
function holdByAlter(name: string): Holder {
  const file = (options: string): string => `
    DECLARE @file sysname = (SELECT name FROM sys.master_files WHERE database_id = DB_ID(${quoteText(name)}) AND type = 1);
    DECLARE @text nvarchar(max) = N'ALTER DATABASE ' + QUOTENAME(${quoteText(name)}) + N' MODIFY FILE (NAME = ' + QUOTENAME(@file) + N', ${options});';
    EXECUTE sys.sp_executesql @text;`;
  return {
    begin: (holder) => holder.attempt(file('SIZE = 4096 MB')),
    isThere: "SELECT n = COUNT(*) FROM sys.dm_exec_requests WHERE command LIKE N'ALTER DATABASE%' AND session_id <> @@SPID;",
    end: () => Promise.resolve(),
  };
}
