/** Scripts in the manner of those that DBAs publish, in our own words: maintenance loops, guarded changes, readers of the error log. */
import assert from 'node:assert/strict';
import { connectModelled, type Answer, type Client, type ModelledConnection } from './client';

const texts = (answer: Answer): readonly string[] => answer.messages.map((each) => each.message);

describe('Scripts as DBAs publish them', () => {
  let modelled: ModelledConnection;
  let dba: Client;
  beforeEach(async () => {
    modelled = await connectModelled({ seed: 7, databases: 24 });
    dba = modelled.as('dba');
  });
  afterEach(() => modelled.close());

  it('works through selected databases, one command each, and goes on after an error', async () => {
    const answer = await dba.run(`SET NOCOUNT ON; SET ARITHABORT ON; SET NUMERIC_ROUNDABORT OFF;
      DECLARE @Version numeric(18, 10) = CAST(LEFT(CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(max)), CHARINDEX('.', CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(max))) - 1)
        + '.' + REPLACE(RIGHT(CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(max)), LEN(CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(max))) - CHARINDEX('.', CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(max)))), '.', '') AS numeric(18, 10));
      DECLARE @StartMessage nvarchar(max) = N'Server: ' + CAST(SERVERPROPERTY('ServerName') AS nvarchar(max)) + CHAR(13) + CHAR(10) + N'Version ok: ' + CASE WHEN @Version >= 15 THEN N'yes' ELSE N'no' END;
      RAISERROR ('%s', 10, 1, @StartMessage) WITH NOWAIT;
      DECLARE @tmpDatabases TABLE (ID int IDENTITY, DatabaseName nvarchar(max), Completed bit, PRIMARY KEY (Completed, ID));
      DECLARE @Errors TABLE (ID int IDENTITY PRIMARY KEY, [Message] nvarchar(max) NOT NULL, Severity int NOT NULL);
      INSERT INTO @tmpDatabases (DatabaseName, Completed)
        SELECT [name], 0 FROM sys.databases WHERE database_id > 4 AND source_database_id IS NULL ORDER BY [name] ASC;
      INSERT INTO @tmpDatabases (DatabaseName, Completed) VALUES (N'long gone', 0);
      DECLARE @CurrentID int, @CurrentDatabase nvarchar(max), @CurrentCommand nvarchar(max), @Done int = 0, @Failed int = 0, @ReturnCode int = 0, @Error int;
      WHILE (1 = 1)
      BEGIN
        SELECT TOP 1 @CurrentID = ID, @CurrentDatabase = DatabaseName FROM @tmpDatabases WHERE Completed = 0 ORDER BY ID ASC;
        IF @@ROWCOUNT = 0 BREAK;
        SET @CurrentCommand = N'ALTER DATABASE ' + QUOTENAME(@CurrentDatabase) + N' SET TARGET_RECOVERY_TIME = 60 SECONDS';
        BEGIN TRY
          EXECUTE sp_executesql @stmt = @CurrentCommand;
          SET @Done += 1;
        END TRY
        BEGIN CATCH
          SET @Error = ERROR_NUMBER();
          SET @Failed += 1;
          INSERT INTO @Errors ([Message], Severity) SELECT 'Msg ' + CAST(ERROR_NUMBER() AS nvarchar) + ', ' + ISNULL(ERROR_MESSAGE(), ''), ERROR_SEVERITY();
        END CATCH;
        UPDATE @tmpDatabases SET Completed = 1 WHERE Completed = 0 AND ID = @CurrentID;
        SELECT @CurrentID = NULL, @CurrentDatabase = NULL, @CurrentCommand = NULL;
      END;
      IF EXISTS (SELECT * FROM @Errors) SELECT @ReturnCode = COUNT(DISTINCT [Message]) FROM @Errors;
      SELECT Done = @Done, Failed = @Failed, Kinds = @ReturnCode, Total = (SELECT COUNT(*) FROM @tmpDatabases WHERE Completed = 1), LastError = @Error;
      SELECT On60 = COUNT(*) FROM sys.databases WHERE database_id > 4 AND target_recovery_time_in_seconds = 60`);
    assert.deepEqual(answer.errors, []);
    assert.match(texts(answer)[0] ?? '', /^Server: .*\r\nVersion ok: yes$/);
    const [done, failed, kinds, total, last] = answer.sets[0]?.rows[0] as readonly number[];
    assert.ok(Number(done) > 10 && Number(failed) >= 1);
    assert.deepEqual([Number(done) + Number(failed), kinds, last], [total, 1, 5069]);
    assert.ok(Number(answer.sets[1]?.rows[0]?.[0]) >= Number(done));
  });

  it('sets the target of all databases by a cursor, with a dry run first', async () => {
    const script = (debug: number): string => `DECLARE @Debug bit = ${debug};
      DECLARE @Name sysname, @Sql nvarchar(4000), @Count int;
      DECLARE db_cursor CURSOR LOCAL FAST_FORWARD READ_ONLY FOR
        SELECT d.name FROM sys.databases AS d
        WHERE d.target_recovery_time_in_seconds <> 60 AND d.state = 0 AND d.is_read_only = 0 AND d.database_id > 4 AND d.user_access = 0
        ORDER BY d.name;
      OPEN db_cursor;
      FETCH NEXT FROM db_cursor INTO @Name;
      WHILE @@FETCH_STATUS = 0
      BEGIN
        SELECT @Sql = N'ALTER DATABASE ' + QUOTENAME(@Name) + N' SET TARGET_RECOVERY_TIME = 60 SECONDS;';
        IF @Debug = 1 PRINT @Sql; ELSE EXEC (@Sql);
        FETCH NEXT FROM db_cursor INTO @Name;
      END
      CLOSE db_cursor; DEALLOCATE db_cursor;
      SELECT @Count = COUNT(*) FROM sys.databases WHERE target_recovery_time_in_seconds <> 60 AND state = 0 AND is_read_only = 0 AND database_id > 4;
      IF @Count > 0 PRINT CONCAT(@Count, ' left.'); ELSE PRINT 'All done.'`;
    const dry = await dba.run(script(1));
    const planned = texts(dry).filter((each) => each.startsWith('ALTER DATABASE ['));
    assert.ok(planned.length > 5);
    assert.equal(texts(dry).at(-1), `${planned.length} left.`);
    const real = await dba.run(script(0));
    assert.deepEqual([real.errors, texts(real).at(-1)], [[], 'All done.']);
    assert.equal(await dba.told(script(0)), 'All done.');
  });
});
