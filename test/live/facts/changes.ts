import { readErrorLog } from '../../../src/core/errorlog/error-log';
import type { Observation } from '../observation';
import { contradicted, judgeBy, notObservable, type Fact } from './judgement';

const changeAtOnce: Fact = {
  id: 'change-at-once',
  statement: 'SET TARGET_RECOVERY_TIME takes effect at once, without a restart.',
  source: 'SQL Server 2 [D]',
  judge: ({ change }) => judgeBy(change.readBack === change.seconds, `Set to ${change.seconds}, sys.databases said ${change.readBack}.`),
};

const changeLogged: Fact = {
  id: 'change-logged',
  statement: 'The error log records the change by message 5084, in lower case, in seconds.',
  source: 'SQL Server 2 [R]',
  judge({ change: { databaseName, seconds, log } }) {
    const rows = log.map((text) => ({ logDateLocal: '2026-01-01T00:00:00.00', processInfo: 'spid51', text }));
    const changes = readErrorLog(rows).changes.filter(
      (each) => each.databaseName === databaseName && each.option === 'target_recovery_time',
    );
    const saw =
      changes.length > 0
        ? `It says ${changes.map(({ value }) => value).join(', ')}.`
        : `Nothing of it in ${log.length} rows: ${log.join(' | ')}`;
    return judgeBy(
      changes.some(({ value }) => value === String(seconds)),
      saw,
    );
  },
};

const readOnlyRefused: Fact = {
  id: 'read-only-refused',
  statement: 'The target of a read-only database cannot be changed: an error followed by 5069.',
  source: 'SQL Server 2 [D/M]; which error is not published',
  judge({ readOnly }) {
    if (readOnly === null) return notObservable('no database is read-only');
    const numbers = readOnly.errors.map(({ number }) => number);
    if (numbers.length === 0) return contradicted('It was allowed.');
    return judgeBy(numbers.includes(5069), `It was refused with ${numbers.join(', ')}.`);
  },
};

const readableFlushCache: Fact = {
  id: 'readable-flush-cache',
  statement: 'Under trace flag 3504 a checkpoint writes a FlushCache message in a known shape, in English, consistent in itself.',
  source: 'SQL Server 5 [R], [I]',
  judge({ tracedLog, tracedDatabaseId }) {
    if (tracedLog.length === 0) return notObservable('the error log gained no row');
    const rows = tracedLog.map(({ logDate, processInfo, text }) => ({ logDateLocal: logDate, processInfo, text }));
    const { groups, dirtyPageFlushes } = readErrorLog(rows);
    const whole = groups.filter(({ databaseId, state }) => databaseId === tracedDatabaseId && state !== 'mixture');
    const found = whole.length + dirtyPageFlushes.length;
    return judgeBy(found > 0, `${found} messages were understood of: ${tracedLog.map(({ text }) => text).join(' | ')}`);
  },
};

const oneRowEach: Fact = {
  id: 'one-row-each',
  statement: 'Our questions about databases and their roles give one row for each database, also where it is in two groups.',
  source: 'SQL Server 2 [?]',
  judge({ roleRows, databaseRows }) {
    const again = (ids: readonly number[]): number => ids.length - new Set(ids).size;
    const saw = `${databaseRows.length} databases, ${roleRows.length} of them in groups; ${again(databaseRows)} and ${again(roleRows)} rows too many.`;
    return judgeBy(databaseRows.length > 0 && again(databaseRows) === 0 && again(roleRows) === 0, saw);
  },
};

/** With NO_WAIT either outcome is one that the product counts on; that it waits is not. */
const longestMs = 5_000;

function neverWaits(id: string, who: string, of: keyof Observation['noWait']): Fact {
  return {
    id,
    statement: `SET TARGET_RECOVERY_TIME WITH NO_WAIT succeeds or fails within ${longestMs / 1_000} s while ${who}.`,
    source: 'SQL Server 2 [?]',
    judge({ noWait }) {
      const tried = noWait[of];
      if (tried === null) return notObservable('it was not seen to run before the ALTER and behind it');
      const { errors, elapsedMs } = tried;
      const outcome =
        errors.length === 0 ? 'It succeeded' : `It failed with ${errors.map(({ number, message }) => `${number} ${message}`).join(' | ')}`;
      return judgeBy(elapsedMs <= longestMs, `${outcome} after ${elapsedMs} ms.`);
    },
  };
}

export const changeFacts: readonly Fact[] = [
  changeAtOnce,
  changeLogged,
  readOnlyRefused,
  neverWaits('no-wait-backup', 'a backup of the database runs', 'backup'),
  neverWaits('no-wait-transaction', 'a transaction is open in the database', 'transaction'),
  neverWaits('no-wait-alter', 'another ALTER of the database runs', 'alter'),
  readableFlushCache,
  oneRowEach,
];
