/** SET TARGET_RECOVERY_TIME WITH NO_WAIT where somebody else holds the database: whether it fails, with what, and after how long. */
import { type Answer, type LiveLogin, type openLogin, quoteName, quoteText } from './login';
import type { LiveTarget } from './target';

/** Longer than the ALTER may take, with room for a slow server. */
const HOLD_MS = 30_000;
const START_WITHIN_MS = 15_000;
const POLL_MS = 200;
/** Enough pages of 8 KB that a backup through one small buffer is seen while it runs. */
const FILLED_ROWS = 40_000;

/** What became of the ALTER; null where nothing was seen, because the other was not there before it and behind it. */
type Held = (Pick<Answer, 'errors'> & { readonly elapsedMs: number }) | null;

/** What keeps the database busy: begins it on a login of its own; `isThere` asks whether it runs now; `end` lets go. */
interface Holder {
  readonly begin: (holder: LiveLogin) => Promise<unknown>;
  readonly isThere: string;
  readonly end: (holder: LiveLogin) => Promise<unknown>;
}

/** Against a backup, and an open transaction. */
export async function tryNoWait(target: LiveTarget, open: typeof openLogin): Promise<readonly [Held, Held]> {
  if (target.kind === 'simulator') return [null, null];
  const name = target.databases.busyIndirect;
  const filler = await open(target.address);
  await filler.rows(`USE ${quoteName(name)};`);
  await filler.rows(`
    IF OBJECT_ID(N'dbo.filled', N'U') IS NOT NULL DROP TABLE dbo.filled;
    SELECT TOP (${FILLED_ROWS}) filler = CONVERT(char(7000), N'x') INTO dbo.filled
    FROM sys.all_columns AS a CROSS JOIN sys.all_columns AS b;`);
  filler.close();
  const tryOn = (holder: Holder): Promise<Held> => tryAgainst(target, open, name, holder);
  return [await tryOn(holdByBackup(name)), await tryOn(holdByTransaction(name))];
}

async function tryAgainst(target: LiveTarget, open: typeof openLogin, name: string, { begin, isThere, end }: Holder): Promise<Held> {
  const [holder, other] = [await open(target.address), await open(target.address)];
  const begun = begin(holder).catch(() => undefined);
  // What waits all the same is let through, and has been seen to wait.
  const letGo = setTimeout(() => void end(holder), HOLD_MS);
  try {
    for (let waitedMs = 0; (await other.number(isThere)) === 0; waitedMs += POLL_MS) {
      if (waitedMs >= START_WITHIN_MS) return null;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
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
    return wasThere || elapsedMs > HOLD_MS / 2 ? { errors, elapsedMs } : null;
  } finally {
    clearTimeout(letGo);
    await end(holder);
    await begun;
    holder.close();
    other.close();
  }
}

/** One backup behind the other, each through one small buffer, until the time is over. */
function holdByBackup(name: string): Holder {
  const backup = `BACKUP DATABASE ${quoteName(name)} TO DISK = N'NUL' WITH COPY_ONLY, BUFFERCOUNT = 1, MAXTRANSFERSIZE = 65536;`;
  return {
    begin: (holder) =>
      holder.attempt(`
        DECLARE @until datetime2(3) = DATEADD(SECOND, ${HOLD_MS / 1_000}, SYSUTCDATETIME());
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
    end: (holder) => holder.attempt('IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; USE master;'),
  };
}
