--- alterdb-noname
ALTER DATABASE SET TARGET_RECOVERY_TIME = 60 SECONDS;
--- apply-noalias
SELECT d.name FROM sys.databases AS d OUTER APPLY (SELECT 1 AS x) WHERE d.state = 0;
--- backtick
SELECT `name` FROM sys.databases;
--- bool-expr
SELECT (state = 0) FROM sys.databases;
--- case-no-end
SELECT CASE WHEN state = 0 THEN 1 ELSE 0 AS x FROM sys.databases;
--- checkpoint-word
CHECKPOINT abc;
--- colon-cast
SELECT database_id::int FROM sys.databases;
--- cte-nosemi
SELECT 1 AS a
WITH c AS (SELECT 2 AS b) SELECT b FROM c;
--- declare-notype
DECLARE @x;
SELECT @x;
--- exec-nocomma
EXEC sp_configure 'recovery interval (min)' 0;
--- fetch-into
DECLARE c CURSOR FOR SELECT name FROM sys.databases;
OPEN c;
FETCH NEXT FROM c INTO;
CLOSE c;
--- ilike
SELECT name FROM sys.databases WHERE name ILIKE N'%a%';
--- join-noon
SELECT d.name FROM sys.databases d INNER JOIN sys.master_files f WHERE d.state = 0;
--- limit
SELECT name FROM sys.databases ORDER BY name LIMIT 10;
--- option-misspelt
SELECT name FROM sys.databases OPTION (RECOMPLE);
--- or-replace
CREATE OR REPLACE PROCEDURE dbo.p AS SELECT 1;
--- select-from-where
SELECT name FROM WHERE state = 0;
--- trailing-comma
SELECT name, FROM sys.databases;
--- trt-bad-unit
ALTER DATABASE [x] SET TARGET_RECOVERY_TIME = 60 SECS;
--- trt-misspelt
ALTER DATABASE [x] SET TARGET_RECOVERY_TIM = 60 SECONDS;
--- trt-negative
ALTER DATABASE [x] SET TARGET_RECOVERY_TIME = -1 SECONDS;
--- trt-no-unit
ALTER DATABASE [x] SET TARGET_RECOVERY_TIME = 60;
--- try-nocatch
BEGIN TRY
  SELECT 1;
END TRY
SELECT 2;
--- unbalanced-begin
IF 1 = 1
BEGIN
  SELECT 1;
--- unclosed-string
SELECT N'abc FROM sys.databases;
--- where-true
SELECT name FROM sys.databases WHERE TRUE;
--- xe-bad-option
CREATE EVENT SESSION [cw] ON SERVER ADD EVENT sqlserver.checkpoint_end WITH (TRACK_CASUALTY=ON);
--- xe-drop-noscope
DROP EVENT SESSION [cw];
--- xe-if-not-exists
CREATE EVENT SESSION IF NOT EXISTS [cw] ON SERVER ADD EVENT sqlserver.checkpoint_end;
--- xe-latency-nounit
CREATE EVENT SESSION [cw] ON SERVER ADD EVENT sqlserver.checkpoint_end WITH (MAX_DISPATCH_LATENCY=30);
--- xe-memory-nokb
CREATE EVENT SESSION [cw] ON SERVER ADD EVENT sqlserver.checkpoint_end WITH (MAX_MEMORY=4096);
--- xe-missing-paren
CREATE EVENT SESSION [cw] ON SERVER ADD EVENT sqlserver.checkpoint_end(ACTION(sqlserver.sql_text) ADD TARGET package0.ring_buffer;
--- xe-no-scope
CREATE EVENT SESSION [cw] ADD EVENT sqlserver.checkpoint_end ADD TARGET package0.ring_buffer;
--- xe-retention
CREATE EVENT SESSION [cw] ON SERVER ADD EVENT sqlserver.checkpoint_end WITH (EVENT_RETENTION_MODE=ALLOW_ALL_LOSS);
--- xe-state-noeq
ALTER EVENT SESSION [cw] ON SERVER STATE START;
--- xe-state-started
ALTER EVENT SESSION [cw] ON SERVER STATE = STARTED;
--- xe-target-noparen
CREATE EVENT SESSION [cw] ON SERVER ADD EVENT sqlserver.checkpoint_end ADD TARGET package0.event_file SET filename=N'x.xel';
--- xe-two-events-nocomma
CREATE EVENT SESSION [cw] ON SERVER ADD EVENT sqlserver.checkpoint_begin ADD EVENT sqlserver.checkpoint_end;
--- xe-where-action
CREATE EVENT SESSION [cw] ON SERVER ADD EVENT sqlserver.checkpoint_end(WHERE ([database_id] > (4)) ACTION(sqlserver.sql_text));
--- xe-where-operand
CREATE EVENT SESSION [cw] ON SERVER ADD EVENT sqlserver.checkpoint_end(WHERE ([database_id] > ));
