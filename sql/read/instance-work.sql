/*
Name:     instance-work
Purpose:  What the whole instance has written, and what log writes have waited, since it started. One row of cumulative figures.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  a rate is the difference of two rows over the difference of their ticks_ms, which no change of the clock touches;
          where started_ticks_ms differs, the instance was restarted in between. NULL: this version does not have that counter.
          These counters exist for the instance alone, never for one database. database_pages is the size of the cache now.
          all_wait_ms, of every type, tells that the waits were cleared; it means nothing by itself. checkpoint_queue_wait_ms has the wait
          that is still going on too: the view of waits gets it only when it ends. flush_sleep_ms: checkpoints that held their writes back.
*/
SELECT TOP (1)
    server_name = CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')),
    now_utc = CONVERT(varchar(30), SYSUTCDATETIME(), 126),
    ticks_ms = CONVERT(varchar(20), i.ms_ticks),
    started_ticks_ms = CONVERT(varchar(20), i.sqlserver_start_time_ms_ticks),
    checkpoint_pages = CONVERT(varchar(20), NULLIF(b.checkpoint_pages, -1)),
    background_writer_pages = CONVERT(varchar(20), NULLIF(b.background_writer_pages, -1)),
    lazy_writes = CONVERT(varchar(20), NULLIF(b.lazy_writes, -1)),
    page_writes = CONVERT(varchar(20), NULLIF(b.page_writes, -1)),
    database_pages = CONVERT(varchar(20), NULLIF(b.database_pages, -1)),
    writelog_waits = CONVERT(varchar(20), NULLIF(w.writelog_waits, -1)),
    writelog_wait_ms = CONVERT(varchar(20), NULLIF(w.writelog_wait_ms, -1)),
    checkpoint_queue_waits = CONVERT(varchar(20), NULLIF(w.checkpoint_queue_waits, -1)),
    checkpoint_queue_wait_ms = CONVERT(varchar(20), NULLIF(w.checkpoint_queue_wait_ms, -1) + q.waiting_ms),
    flush_sleep_ms = CONVERT(varchar(20), NULLIF(w.flush_sleep_ms, -1)),
    page_read_waits = CONVERT(varchar(20), w.page_read_waits),
    page_read_wait_ms = CONVERT(varchar(20), w.page_read_wait_ms),
    all_wait_ms = CONVERT(varchar(20), w.all_wait_ms)
FROM sys.dm_os_sys_info AS i
CROSS JOIN
(
    SELECT
        checkpoint_pages = MAX(CASE WHEN c.counter_name = N'Checkpoint pages/sec' AND c.cntr_type = 272696576 THEN c.cntr_value ELSE -1 END),
        background_writer_pages = MAX(CASE WHEN c.counter_name = N'Background writer pages/sec' AND c.cntr_type = 272696576 THEN c.cntr_value ELSE -1 END),
        lazy_writes = MAX(CASE WHEN c.counter_name = N'Lazy writes/sec' AND c.cntr_type = 272696576 THEN c.cntr_value ELSE -1 END),
        page_writes = MAX(CASE WHEN c.counter_name = N'Page writes/sec' AND c.cntr_type = 272696576 THEN c.cntr_value ELSE -1 END),
        database_pages = MAX(CASE WHEN c.counter_name = N'Database pages' AND c.cntr_type = 65792 THEN c.cntr_value ELSE -1 END)
    FROM sys.dm_os_performance_counters AS c
    WHERE RTRIM(c.object_name) LIKE N'%:Buffer Manager'
) AS b
CROSS JOIN
(
    SELECT
        writelog_waits = MAX(CASE WHEN s.wait_type = N'WRITELOG' THEN s.waiting_tasks_count ELSE -1 END),
        writelog_wait_ms = MAX(CASE WHEN s.wait_type = N'WRITELOG' THEN s.wait_time_ms ELSE -1 END),
        checkpoint_queue_waits = MAX(CASE WHEN s.wait_type = N'CHECKPOINT_QUEUE' THEN s.waiting_tasks_count ELSE -1 END),
        checkpoint_queue_wait_ms = MAX(CASE WHEN s.wait_type = N'CHECKPOINT_QUEUE' THEN s.wait_time_ms ELSE -1 END),
        flush_sleep_ms = MAX(CASE WHEN s.wait_type = N'SLEEP_BPOOL_FLUSH' THEN s.wait_time_ms ELSE -1 END),
        page_read_waits = SUM(CASE WHEN s.wait_type LIKE N'PAGEIOLATCH[_]%' THEN s.waiting_tasks_count ELSE 0 END),
        page_read_wait_ms = SUM(CASE WHEN s.wait_type LIKE N'PAGEIOLATCH[_]%' THEN s.wait_time_ms ELSE 0 END),
        all_wait_ms = SUM(s.wait_time_ms)
    FROM sys.dm_os_wait_stats AS s
) AS w
CROSS JOIN
(
    SELECT waiting_ms = ISNULL(SUM(t.wait_duration_ms), 0)
    FROM sys.dm_os_waiting_tasks AS t
    WHERE t.wait_type = N'CHECKPOINT_QUEUE'
) AS q;
