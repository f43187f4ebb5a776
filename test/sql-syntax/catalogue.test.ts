import assert from 'node:assert/strict';
import { type NamedText, listNames } from '../../tools/tsql-check/check';
import { installTsqlCheck } from '../../tools/tsql-check/install';
import { prepareOrSkip } from '../pending';
import { findUnknownName, readOldestRelease } from './catalogue';
import { listGeneratedTexts } from './generated-texts';
import { listSqlFiles } from './template-defaults';

/** What a script asks for within TRY, in a text of its own, and does without where the server is older than it. */
const doneWithout: Readonly<Record<string, string>> = {
  'change/checkpoint-before-failover.sql': 'sys.dm_db_log_stats',
  'ssms/sp_CheckpointHealth.sql': 'sys.dm_db_log_stats',
};

describe('What our T-SQL names', () => {
  before(function () {
    return prepareOrSkip(this, installTsqlCheck);
  });

  it('is in the catalogue, file by file of sql/, and as old as the header claims', async () => {
    assert.deepEqual(await listUnknown(listSqlFiles()), []);
  });

  it('is in the catalogue in every text that the product composes', async () => {
    assert.deepEqual(await listUnknown(listGeneratedTexts(), 9999), []);
  });

  it('would not be, if a column, an event or a function were misspelled or too new', async () => {
    const wrong = [
      { name: 'a', sql: 'SELECT d.recovery_time FROM sys.databases AS d;' },
      { name: 'b', sql: 'SELECT nam FROM sys.databases;' },
      {
        name: 'c',
        sql: 'CREATE EVENT SESSION x ON SERVER ADD EVENT sqlserver.checkpoint_start ADD TARGET package0.ring_buffer;',
      },
      { name: 'd', sql: "SELECT STRING_AGG(d.name, N',') FROM sys.databases AS d;" },
      { name: 'e', sql: 'SELECT d.is_accelerated_database_recovery_on FROM sys.databases AS d;' },
      { name: 'f', sql: 'SELECT x.a FROM sys.dm_os_checkpoints AS x;' },
      { name: 'g', sql: 'SELECT (SELECT i.name FROM (SELECT n = 1) AS d) FROM sys.databases AS i;' },
      { name: 'h', sql: "EXECUTE sys.sp_executesql N'SELECT d.recovery_time FROM sys.databases AS d;';" },
    ];
    const found = (await listUnknown(wrong, 2012)).map((sentence) => sentence[0]);
    assert.deepEqual([...new Set(found)], ['a', 'b', 'c', 'd', 'e', 'f', 'h']);
  });
});

/** @param oldest the release that all of them claim; by default that of each one's header */
async function listUnknown(texts: readonly NamedText[], oldest?: number): Promise<string[]> {
  const releases = new Map(
    texts.map(({ name, sql }) => [name, oldest === undefined ? readOldestRelease(sql) : oldest]),
  );
  return (await listNames(texts)).flatMap((found) => {
    if (found.name.split('/')[0] === doneWithout[found.script]) return [];
    const sentence = findUnknownName(found, releases.get(found.script) ?? null);
    return sentence === null ? [] : [`${found.script}, ${sentence}`];
  });
}
