/** Single statements whose outcome is the observation. Each undoes what it did. */
import type { LiveLogin, openLogin } from './login';
import type { Observation } from './observation';
import type { LiveTarget } from './target';
import { quoteName, quoteText } from './quoting';

const session = 'CheckpointHealthLiveTry';
const changedSeconds = 60;

const create = (options: string): string => `
CREATE EVENT SESSION [${session}] ON SERVER
ADD EVENT sqlserver.checkpoint_begin
ADD TARGET package0.ring_buffer
WITH (${options});`;

const drop = `DROP EVENT SESSION [${session}] ON SERVER;`;

export async function tryMaxDuration(login: LiveLogin): Promise<Observation['maxDuration']> {
  const { errors } = await login.attempt(create('STARTUP_STATE = OFF, MAX_DURATION = 1 HOURS'));
  if (errors.length === 0) await login.rows(drop);
  return { errors };
}

export async function tryCreatorOnly(target: LiveTarget, open: typeof openLogin): Promise<Observation['creatorOnly']> {
  const address = await target.creator();
  if (address === undefined) return null;
  const creator = await open(address);
  const owner = await open(target.address);
  try {
    const created = await creator.attempt(create('STARTUP_STATE = OFF'));
    const started = await creator.attempt(`ALTER EVENT SESSION [${session}] ON SERVER STATE = START;`);
    if (created.errors.length === 0) await owner.rows(drop);
    return { create: { errors: created.errors }, start: { errors: started.errors } };
  } finally {
    creator.close();
    owner.close();
  }
}

/** Changes the target of a database from 0 and takes it back. */
export async function tryChange(login: LiveLogin, databaseName: string): Promise<Observation['change']> {
  const set = (seconds: number): Promise<unknown> =>
    login.rows(`ALTER DATABASE ${quoteName(databaseName)} SET TARGET_RECOVERY_TIME = ${seconds} SECONDS;`);
  const before = (await readLog(login)).length;
  await set(changedSeconds);
  try {
    const readBack = await login.number(
      `SELECT target_recovery_time_in_seconds FROM sys.databases WHERE name = ${quoteText(databaseName)};`,
    );
    const log = (await readLog(login)).slice(before).map(({ text }) => text);
    return { databaseName, seconds: changedSeconds, readBack, log };
  } finally {
    await set(0);
  }
}

export async function tryReadOnly(login: LiveLogin, databaseName: string | null): Promise<Observation['readOnly']> {
  if (databaseName === null) return null;
  const { errors } = await login.attempt(`ALTER DATABASE ${quoteName(databaseName)} SET TARGET_RECOVERY_TIME = 60 SECONDS;`);
  return { errors };
}

/** Trace flag 3504 tells of every checkpoint; 3605 sends it to the error log. Nothing where the flags may not be set. */
export async function tryTracedCheckpoint(login: LiveLogin, databaseName: string): Promise<Observation['tracedLog']> {
  const { errors } = await login.attempt('DBCC TRACEON (3504, 3605, -1) WITH NO_INFOMSGS;');
  if (errors.length > 0) return [];
  try {
    const before = (await readLog(login)).length;
    await login.rows(`EXEC ${quoteName(databaseName)}.sys.sp_executesql N'CHECKPOINT;';`);
    return (await readLog(login)).slice(before);
  } finally {
    await login.rows('DBCC TRACEOFF (3504, 3605, -1) WITH NO_INFOMSGS;');
  }
}

/** The current error log, oldest row first. */
async function readLog(login: LiveLogin): Promise<Observation['tracedLog']> {
  const rows = await login.rows('EXEC sys.sp_readerrorlog 0, 1;');
  return rows.map((row) => {
    const { LogDate: date } = row;
    return {
      logDate: date instanceof Date ? date.toISOString().slice(0, -1) : String(date),
      processInfo: String(row['ProcessInfo']),
      text: String(row['Text']),
    };
  });
}
