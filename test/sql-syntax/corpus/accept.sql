--- 2022
SELECT GREATEST(1,2) AS g, value FROM GENERATE_SERIES(1,5);
SELECT name, ROW_NUMBER() OVER w AS rn FROM sys.databases WHERE name IS DISTINCT FROM N'x' WINDOW w AS (ORDER BY name);
--- ag
SELECT d.name, CASE WHEN (ag.role=N'PRIMARY' AND ag.ag_status=N'READ_WRITE') OR ag.role IS NULL THEN 1 ELSE 0 END AS can_alter
FROM sys.databases AS d
OUTER APPLY (SELECT role = s.role_desc, ag_status = DATABASEPROPERTYEX(c.database_name, N'Updateability')
  FROM sys.dm_hadr_availability_replica_states AS s
  INNER JOIN sys.availability_databases_cluster AS c ON s.group_id = c.group_id AND d.name = c.database_name
  WHERE s.is_local = 1) AS ag
WHERE d.target_recovery_time_in_seconds <> 60 AND d.[state]=0;
--- batches
USE [master];
GO
DECLARE @i int = 1;
SELECT @i;
GO
DECLARE @i int = 2;
SELECT @i;
GO
--- checkpoint
CHECKPOINT;
--- checkpoint10
CHECKPOINT 10;
--- create-or-alter
CREATE OR ALTER PROCEDURE dbo.p @x int = 1 AS
BEGIN
  SET NOCOUNT ON;
  SELECT @x AS x;
END
--- cursor
SET NOCOUNT ON;
DECLARE @name sysname, @sql nvarchar(max), @n int = 0;
DECLARE c CURSOR LOCAL FAST_FORWARD FOR
  SELECT name FROM sys.databases WHERE database_id > 4 AND state = 0;
OPEN c;
FETCH NEXT FROM c INTO @name;
WHILE @@FETCH_STATUS = 0
BEGIN
  SET @sql = N'ALTER DATABASE ' + QUOTENAME(@name) + N' SET TARGET_RECOVERY_TIME = 60 SECONDS;';
  BEGIN TRY
    EXEC sys.sp_executesql @sql;
    SET @n += 1;
  END TRY
  BEGIN CATCH
    PRINT CONCAT(N'-- failed: ', @name, N' ', ERROR_MESSAGE());
  END CATCH;
  FETCH NEXT FROM c INTO @name;
END;
CLOSE c;
DEALLOCATE c;
RAISERROR(N'%d databases', 0, 1, @n) WITH NOWAIT;
--- dbcc
DBCC TRACEON(3504, 3605, -1) WITH NO_INFOMSGS;
DBCC TRACESTATUS(-1);
DBCC TRACEOFF(3504, -1);
--- dynamic-script
DECLARE @sql nvarchar(max) = N'';
SELECT @sql += N'ALTER DATABASE ' + QUOTENAME(d.name) + N' SET TARGET_RECOVERY_TIME = ' + CONVERT(nvarchar(10), 60) + N' SECONDS;' + NCHAR(13) + NCHAR(10)
FROM sys.databases AS d WHERE d.database_id > 4;
PRINT @sql;
--- executesql
EXEC sys.sp_executesql N'SELECT * FROM sys.databases WHERE database_id = @id', N'@id int', @id = 5;
--- forxml-json
SELECT name AS [@name], (SELECT f.name FROM sys.master_files f WHERE f.database_id=d.database_id FOR XML PATH('file'), TYPE) FROM sys.databases d FOR XML PATH('db'), ROOT('dbs');
SELECT name FROM sys.databases FOR JSON PATH;
--- funcs
SELECT IIF(d.state=0,N'on',N'off') AS s, TRY_CONVERT(int,d.name) AS t, CAST(d.name AS nvarchar(20)) AS c, COALESCE(d.name,N'') AS z, STRING_AGG(CAST(f.name AS nvarchar(max)),N',') WITHIN GROUP (ORDER BY f.name) AS files FROM sys.databases d JOIN sys.master_files f ON f.database_id=d.database_id GROUP BY d.state,d.name;
--- hints
SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED;
SET LOCK_TIMEOUT 5000;
SELECT r.session_id, t.text FROM sys.dm_exec_requests AS r WITH (NOLOCK) CROSS APPLY sys.dm_exec_sql_text(r.sql_handle) AS t WHERE r.command = N'CHECKPOINT' OPTION (RECOMPILE, MAXDOP 1);
--- if-exists
IF EXISTS (SELECT 1 FROM sys.server_event_sessions WHERE name = N'checkpoint_watch')
  DROP EVENT SESSION [checkpoint_watch] ON SERVER;
IF NOT EXISTS (SELECT 1 FROM sys.dm_xe_sessions WHERE name = N'checkpoint_watch')
BEGIN TRY
  ALTER EVENT SESSION [checkpoint_watch] ON SERVER STATE = START;
END TRY
BEGIN CATCH
  IF ERROR_NUMBER() <> 25705 THROW;
END CATCH;
--- iostats
SELECT TOP (10) DB_NAME(vfs.database_id) AS db, mf.physical_name, vfs.num_of_writes, vfs.io_stall_write_ms / NULLIF(vfs.num_of_writes, 0) AS avg_ms
FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS vfs
JOIN sys.master_files AS mf ON mf.database_id = vfs.database_id AND mf.file_id = vfs.file_id
ORDER BY vfs.io_stall_write_ms DESC;
--- lag-cte
WITH ev AS (
  SELECT e.database_id, e.event_name, e.ts,
         LAG(e.event_name) OVER (PARTITION BY e.database_id ORDER BY e.ts, e.seq) AS prev_name,
         LAG(e.ts) OVER (PARTITION BY e.database_id ORDER BY e.ts, e.seq) AS prev_ts
  FROM #events AS e)
SELECT ev.database_id, begin_ts = ev.prev_ts, end_ts = ev.ts, duration_ms = DATEDIFF(MILLISECOND, ev.prev_ts, ev.ts)
FROM ev
WHERE ev.event_name = N'checkpoint_end' AND ev.prev_name = N'checkpoint_begin'
ORDER BY ev.ts OFFSET 0 ROWS FETCH NEXT 100 ROWS ONLY;
--- merge
MERGE #t AS t USING #s AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET t.v = s.v WHEN NOT MATCHED BY TARGET THEN INSERT (id, v) VALUES (s.id, s.v) OUTPUT $action, inserted.id;
--- serverprops
SELECT SERVERPROPERTY(N'ProductVersion') AS v, SERVERPROPERTY('EngineEdition') AS e, @@SERVERNAME AS n, HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW SERVER STATE') AS p, SYSUTCDATETIME() AS u;
--- sp-configure
EXEC sys.sp_configure N'show advanced options', 1;
RECONFIGURE;
EXEC sp_configure 'recovery interval (min)', 0;
RECONFIGURE WITH OVERRIDE;
--- trt-nowait
ALTER DATABASE CURRENT SET TARGET_RECOVERY_TIME = 1 MINUTES WITH NO_WAIT;
--- trt-seconds
ALTER DATABASE [My]]Db] SET TARGET_RECOVERY_TIME = 60 SECONDS;
--- values-xml
DECLARE @x xml = N'<r/>';
SELECT v.a, v.b FROM (VALUES (1, N'x'), (2, N'y')) AS v(a, b);
SET @x.modify('insert <a/> into (/r)[1]');
SELECT @x.exist('/r/a');
--- waitfor
DECLARE @i int = 0;
WHILE @i < 3
BEGIN
  WAITFOR DELAY '00:00:01';
  SET @i += 1;
  IF @i = 2 BREAK;
END;
--- xe-alter-add
ALTER EVENT SESSION [cw] ON SERVER DROP EVENT sqlserver.checkpoint_begin;
ALTER EVENT SESSION [cw] ON SERVER ADD EVENT sqlserver.checkpoint_begin(ACTION(sqlserver.sql_text));
ALTER EVENT SESSION [cw] ON SERVER DROP TARGET package0.ring_buffer;
ALTER EVENT SESSION [cw] ON SERVER WITH (STARTUP_STATE=ON);
--- xe-alter-start
ALTER EVENT SESSION [checkpoint_watch] ON SERVER STATE = START;
--- xe-alter-stop
ALTER EVENT SESSION [checkpoint_watch] ON SERVER STATE = STOP;
--- xe-create-full
CREATE EVENT SESSION [checkpoint_watch] ON SERVER
ADD EVENT sqlserver.checkpoint_begin(
    ACTION(sqlserver.database_id, sqlserver.session_id)
    WHERE ([sqlserver].[database_id] > (4) AND [package0].[greater_than_uint64]([database_id],(4)))),
ADD EVENT sqlserver.checkpoint_end(
    SET collect_database_name=(1)
    ACTION(package0.event_sequence)
    WHERE ([sqlserver].[like_i_sql_unicode_string]([sqlserver].[database_name], N'%prod%')))
ADD TARGET package0.event_file(SET filename=N'checkpoint_watch.xel', max_file_size=(50), max_rollover_files=(4)),
ADD TARGET package0.ring_buffer(SET max_memory=(4096))
WITH (MAX_MEMORY=4096 KB, EVENT_RETENTION_MODE=ALLOW_SINGLE_EVENT_LOSS, MAX_DISPATCH_LATENCY=30 SECONDS, MAX_EVENT_SIZE=0 KB, MEMORY_PARTITION_MODE=NONE, TRACK_CAUSALITY=ON, STARTUP_STATE=OFF);
--- xe-drop
DROP EVENT SESSION [checkpoint_watch] ON SERVER;
--- xe-infinite
CREATE EVENT SESSION [cw] ON SERVER ADD EVENT sqlserver.checkpoint_end WITH (MAX_DISPATCH_LATENCY=INFINITE, EVENT_RETENTION_MODE=NO_EVENT_LOSS, MEMORY_PARTITION_MODE=PER_CPU);
--- xe-on-database
CREATE EVENT SESSION [cw] ON DATABASE ADD EVENT sqlserver.checkpoint_end ADD TARGET package0.ring_buffer;
--- xe-read
SELECT n.value('(@name)[1]','nvarchar(128)') AS event_name,
       n.value('(@timestamp)[1]','datetime2(7)') AS ts,
       n.value('(data[@name="database_id"]/value)[1]','int') AS database_id,
       f.file_name, f.file_offset
FROM (SELECT CAST(event_data AS xml) AS x, file_name, file_offset
      FROM sys.fn_xe_file_target_read_file(N'checkpoint_watch*.xel', NULL, NULL, NULL)) AS f
CROSS APPLY f.x.nodes('/event') AS q(n)
WHERE n.value('(@name)[1]','nvarchar(128)') IN (N'checkpoint_begin', N'checkpoint_end');
--- xp-readerrorlog
CREATE TABLE #log (LogDate datetime, ProcessInfo nvarchar(50), [Text] nvarchar(max));
INSERT INTO #log (LogDate, ProcessInfo, [Text])
EXEC master.sys.xp_readerrorlog 0, 1, N'FlushCache', NULL, NULL, NULL, N'desc';
SELECT LogDate, [Text] FROM #log;
