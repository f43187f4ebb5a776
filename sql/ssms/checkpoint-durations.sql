/*
Name:     checkpoint-durations
Purpose:  Pairs the begin and end events that an event session recorded, and shows what checkpoints took, database by database: the analysis of Checkpoint Health in T-SQL alone.
Changes:  temporary tables of its own connection, and nothing else
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance (there with ring_session)
Read it:  three result sets: the databases, the longest total first; the events that were not paired, by reason; how every row is accounted for: unaccounted is 0.
          Fill in path for event files, or ring_session for a session that records in memory; without it our own session is taken from there where it does.
          Reading is not free: some thousand events a second; no more than rows are read. Where nothing could be read, trouble in the last result set says why.
          Begin and end pair within a database, with causality also within a task, in the order of the task's own numbers, else of time. A begin without its end, an end without
          its begin and overlaps that cannot be told apart are counted and never guessed: no end is measured against a row that is not its begin.
          pNN is the nearest rank, a duration that occurred. per_hour rests on the time between the first event and the last, whatever was not recorded in between.
          A database is named as its id is named now.
*/
SET NOCOUNT ON;
SET ROWCOUNT 0;
DECLARE @path nvarchar(260) = N'<path, nvarchar(260), CheckpointHealth*.xel>';
DECLARE @ring_session sysname = N'<ring_session, sysname, >';
DECLARE @ring xml;
DECLARE @ring_text nvarchar(max);
DECLARE @trouble nvarchar(2048);
/* So long may a begin wait for its end while other events of its database come and go. */
DECLARE @patience_ms bigint = 3600000;

IF OBJECT_ID(N'tempdb..#raw') IS NOT NULL DROP TABLE #raw;
IF OBJECT_ID(N'tempdb..#event') IS NOT NULL DROP TABLE #event;
IF OBJECT_ID(N'tempdb..#levelled') IS NOT NULL DROP TABLE #levelled;
IF OBJECT_ID(N'tempdb..#answered') IS NOT NULL DROP TABLE #answered;
IF OBJECT_ID(N'tempdb..#left') IS NOT NULL DROP TABLE #left;
IF OBJECT_ID(N'tempdb..#run') IS NOT NULL DROP TABLE #run;
IF OBJECT_ID(N'tempdb..#checkpoint') IS NOT NULL DROP TABLE #checkpoint;

CREATE TABLE #raw
(
    raw_id bigint IDENTITY(1, 1) PRIMARY KEY,
    event_name nvarchar(60) NULL,
    buffer nvarchar(300) NULL,
    event_text nvarchar(max) NULL,
    event_xml xml NULL
);
CREATE TABLE #event
(
    event_id bigint PRIMARY KEY,
    is_end int NULL,
    database_id bigint NULL,
    at_ms bigint NULL,
    task varchar(60) NULL,
    number_in_task bigint NULL,
    buffer nvarchar(300) NULL,
    outcome varchar(40) NULL
);
CREATE TABLE #levelled
(
    event_id bigint PRIMARY KEY,
    task varchar(60) NOT NULL,
    database_id bigint NOT NULL,
    ordinal bigint NOT NULL,
    is_end int NOT NULL,
    at_ms bigint NOT NULL,
    depth bigint NOT NULL,
    hill bigint NOT NULL
);
CREATE TABLE #answered
(
    begin_id bigint PRIMARY KEY,
    end_id bigint NULL,
    is_given_up int NOT NULL
);
CREATE TABLE #left
(
    event_id bigint PRIMARY KEY,
    task varchar(60) NOT NULL,
    database_id bigint NOT NULL,
    is_end int NOT NULL,
    at_ms bigint NOT NULL,
    run_number bigint NOT NULL
);
CREATE TABLE #run
(
    task varchar(60) NOT NULL,
    database_id bigint NOT NULL,
    run_number bigint NOT NULL,
    begin_ms bigint NULL,
    end_ms bigint NULL,
    verdict varchar(40) NOT NULL
);
CREATE TABLE #checkpoint
(
    database_id bigint NOT NULL,
    begin_ms bigint NOT NULL,
    duration_ms bigint NOT NULL
);

/* 1. The rows. */
BEGIN TRY
    IF @ring_session = N''
        SELECT @ring_session = s.name
        FROM sys.dm_xe_sessions AS s
        INNER JOIN sys.dm_xe_session_targets AS t
            ON t.event_session_address = s.address
        WHERE s.name = N'<session_name, sysname, CheckpointHealth>'
        AND   t.target_name = N'ring_buffer';

    IF @ring_session = N''
        INSERT INTO #raw (event_name, buffer, event_text)
        SELECT TOP (<rows, int, 1000000>)
            x.object_name,
            x.file_name + N' ' + CONVERT(nvarchar(20), x.file_offset),
            x.event_data
        FROM sys.fn_xe_file_target_read_file(@path, NULL, NULL, NULL) AS x;
    ELSE
    BEGIN
        SELECT @ring_text = t.target_data
        FROM sys.dm_xe_sessions AS s
        INNER JOIN sys.dm_xe_session_targets AS t
            ON t.event_session_address = s.address
        WHERE s.name = @ring_session
        AND   t.target_name = N'ring_buffer';
        BEGIN TRY
            SET @ring = CONVERT(xml, @ring_text);
        END TRY
        BEGIN CATCH
            SET @ring = NULL;
        END CATCH;
        IF @ring IS NULL
            SET @trouble = N'There is no ring buffer of the session ' + @ring_session + N' here, or its text was cut so that it is no XML any more.';
        IF @ring.exist('/RingBufferTarget[@truncated="1"]') = 1
            SET @trouble = N'The text of the ring buffer was cut: events are missing.';
        INSERT INTO #raw (event_name, buffer, event_xml)
        SELECT
            n.e.value('(@name)[1]', 'nvarchar(60)'),
            N'ring',
            n.e.query('.')
        FROM @ring.nodes('/RingBufferTarget/event') AS n (e);
    END;
    IF (SELECT COUNT_BIG(*) FROM #raw) = <rows, int, 1000000>
        SET @trouble = N'There are more events than were read: these are the first ones.';
END TRY
BEGIN CATCH
    SET @trouble = N'Nothing was read: ' + CONVERT(nvarchar(11), ERROR_NUMBER()) + N' ' + ERROR_MESSAGE();
END CATCH;
IF @trouble IS NOT NULL
    RAISERROR(N'%s', 0, 1, @trouble) WITH NOWAIT;

/*
Each text becomes XML once, many in one statement. One that is none fails its statement, so that fewer are tried until it is found: it stays NULL and counts as malformed.
The functions that would do so row by row are there from compatibility level 110 only, and the current database may be an older one.
*/
DECLARE @next_id bigint = 1;
DECLARE @last_id bigint = (SELECT MAX(r.raw_id) FROM #raw AS r WHERE r.event_text IS NOT NULL);
DECLARE @at_once bigint = @last_id;
WHILE @next_id <= @last_id
BEGIN
    BEGIN TRY
        UPDATE r
        SET r.event_xml = CONVERT(xml, r.event_text)
        FROM #raw AS r
        WHERE r.raw_id >= @next_id
        AND   r.raw_id < @next_id + @at_once
        AND   r.event_text IS NOT NULL;
        SET @next_id = @next_id + @at_once;
        SET @at_once = 2 * @at_once;
    END TRY
    BEGIN CATCH
        IF @at_once = 1 SET @next_id = @next_id + 1;
        ELSE SET @at_once = @at_once / 2;
    END CATCH;
END;

/* 2. The events of checkpoints. Where the session tracks causality, attach_activity_id is GUID-N: the task, and the event's number in it. */
INSERT INTO #event (event_id, is_end, database_id, at_ms, task, number_in_task, buffer)
SELECT
    d.raw_id,
    CASE d.event_name WHEN N'checkpoint_begin' THEN 0 WHEN N'checkpoint_end' THEN 1 ELSE NULL END,
    d.database_id,
    CONVERT(bigint, DATEDIFF(DAY, CONVERT(datetime2(3), '19700101', 112), d.at_utc)) * 86400000
        + DATEDIFF(MILLISECOND, CONVERT(datetime2(3), CONVERT(date, d.at_utc)), d.at_utc),
    d.task,
    CASE WHEN d.number_text <> '' AND LEN(d.number_text) <= 18 AND d.number_text NOT LIKE '%[^0-9]%' THEN CONVERT(bigint, d.number_text) ELSE NULL END,
    d.buffer
FROM
(
    SELECT
        t.raw_id,
        t.event_name,
        t.buffer,
        database_id = CASE
            WHEN t.database_text <> '' AND LEN(t.database_text) <= 18 AND t.database_text NOT LIKE '%[^0-9]%' THEN CONVERT(bigint, t.database_text)
            ELSE NULL
        END,
        at_utc = CASE
            WHEN t.at_text LIKE '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]%'
            AND  ISDATE(LEFT(t.at_text, 19)) = 1
            AND  (LEN(t.at_text) = 19 OR (LEN(t.at_text) BETWEEN 21 AND 27 AND t.at_text LIKE '____-__-__T__:__:__.%' AND SUBSTRING(t.at_text, 21, 20) NOT LIKE '%[^0-9]%'))
                THEN CONVERT(datetime2(3), t.at_text, 126)
            ELSE NULL
        END,
        task = CASE WHEN t.activity = '-' THEN NULL ELSE LEFT(t.activity, LEN(t.activity) - CHARINDEX('-', REVERSE(t.activity))) END,
        number_text = CASE
            WHEN CHARINDEX('-', REVERSE(t.activity)) > 1 THEN RIGHT(t.activity, CHARINDEX('-', REVERSE(t.activity)) - 1)
            ELSE ''
        END
    FROM
    (
        SELECT
            r.raw_id,
            r.event_name,
            r.buffer,
            database_text = r.event_xml.value('(/event/data[@name="database_id"]/value/text())[1]', 'varchar(20)'),
            at_text = REPLACE(r.event_xml.value('(/event/@timestamp)[1]', 'varchar(40)'), 'Z', ''),
            activity = ISNULL(r.event_xml.value('(/event/action[@name="attach_activity_id"]/value/text())[1]', 'varchar(60)'), '-')
        FROM #raw AS r
    ) AS t
) AS d;

UPDATE e
SET e.outcome = CASE WHEN e.is_end IS NULL THEN 'other' WHEN e.database_id IS NULL OR e.at_ms IS NULL OR (e.task IS NOT NULL AND e.number_in_task IS NULL) THEN 'malformed' ELSE NULL END
FROM #event AS e;

/* One event read twice: the same number of the same task; without causality the same millisecond in the same buffer. */
UPDATE e
SET e.outcome = 'duplicate'
FROM #event AS e
INNER JOIN
(
    SELECT
        c.event_id,
        copy_number = ROW_NUMBER() OVER
        (
            PARTITION BY c.database_id, c.is_end, c.at_ms, c.task, c.number_in_task, CASE WHEN c.task IS NULL THEN c.buffer ELSE N'' END
            ORDER BY c.event_id
        )
    FROM #event AS c
    WHERE c.outcome IS NULL
) AS d
    ON d.event_id = e.event_id
WHERE d.copy_number > 1;

/*
3. Pairing, in one pass whatever was lost. The level counts the begins that are open, and never falls below 0: an end at 0 has lost its begin. A run goes from 0 back to 0:
       level  1 0            b e : one checkpoint
              1 2 1 0        b b e e : nothing tells which end is whose, so nothing is paired
   A run that does not come back, or takes too long to, or, within one task, in which a begin follows an end, has lost the end of its first begin. That one is given up, and
   the rest is judged again without it, and so on. What comes of that can be told at once: depth is the level on a begin and before an end, and at each depth a begin is
   answered by the next end. A begin without an answer is given up; one with others between it and its answer is, where the two are too far apart or a begin follows an end
   between them; and whatever lies around one that is given up so is given up as well. hill counts the begins that follow an end.
*/
INSERT INTO #levelled (event_id, task, database_id, ordinal, is_end, at_ms, depth, hill)
SELECT
    p.event_id, p.task, p.database_id, p.ordinal, p.is_end, p.at_ms,
    CASE WHEN p.is_end = 0 THEN p.level_after ELSE p.level_before END,
    SUM(CASE WHEN p.is_end = 0 AND p.follows_end = 1 THEN 1 ELSE 0 END)
        OVER (PARTITION BY p.task, p.database_id ORDER BY p.ordinal ROWS UNBOUNDED PRECEDING)
FROM
(
    SELECT
        l.event_id, l.task, l.database_id, l.ordinal, l.is_end, l.at_ms, l.level_after,
        level_before = LAG(l.level_after, 1, 0) OVER (PARTITION BY l.task, l.database_id ORDER BY l.ordinal),
        follows_end = LAG(l.is_end, 1, 0) OVER (PARTITION BY l.task, l.database_id ORDER BY l.ordinal)
    FROM
    (
        SELECT
            b.event_id, b.task, b.database_id, b.ordinal, b.is_end, b.at_ms,
            level_after = b.balance - CASE WHEN b.lowest < 0 THEN b.lowest ELSE 0 END
        FROM
        (
            SELECT
                s.event_id, s.task, s.database_id, s.ordinal, s.is_end, s.at_ms, s.balance,
                lowest = MIN(s.balance) OVER (PARTITION BY s.task, s.database_id ORDER BY s.ordinal ROWS UNBOUNDED PRECEDING)
            FROM
            (
                SELECT
                    u.event_id, u.task, u.database_id, u.ordinal, u.is_end, u.at_ms,
                    balance = SUM(CASE WHEN u.is_end = 1 THEN -1 ELSE 1 END)
                        OVER (PARTITION BY u.task, u.database_id ORDER BY u.ordinal ROWS UNBOUNDED PRECEDING)
                FROM
                (
                    SELECT
                        e.event_id,
                        task = ISNULL(e.task, ''),
                        e.database_id,
                        ordinal = ROW_NUMBER() OVER
                        (
                            PARTITION BY ISNULL(e.task, ''), e.database_id
                            ORDER BY CASE WHEN e.task IS NULL THEN 0 ELSE e.number_in_task END, e.at_ms, e.is_end, e.event_id
                        ),
                        e.is_end,
                        e.at_ms
                    FROM #event AS e
                    WHERE e.outcome IS NULL
                ) AS u
            ) AS s
        ) AS b
    ) AS l
) AS p;

/* farthest_ms is the latest time between a begin and its answer, also where the clock was moved in between. */
INSERT INTO #answered (begin_id, end_id, is_given_up)
SELECT
    a.event_id,
    a.end_id,
    CASE
        WHEN a.end_id IS NULL THEN 1
        WHEN a.end_ordinal - a.ordinal = 1 THEN 0
        WHEN a.farthest_ms - a.at_ms > @patience_ms OR a.end_farthest_ms - a.at_ms > @patience_ms THEN 1
        WHEN a.task <> '' AND a.end_hill > a.hill THEN 1
        ELSE 0
    END
FROM
(
    SELECT
        f.event_id, f.task, f.ordinal, f.is_end, f.at_ms, f.hill, f.farthest_ms,
        end_id = LEAD(f.event_id) OVER (PARTITION BY f.task, f.database_id, f.depth ORDER BY f.ordinal),
        end_ordinal = LEAD(f.ordinal) OVER (PARTITION BY f.task, f.database_id, f.depth ORDER BY f.ordinal),
        end_hill = LEAD(f.hill) OVER (PARTITION BY f.task, f.database_id, f.depth ORDER BY f.ordinal),
        end_farthest_ms = LEAD(f.farthest_ms) OVER (PARTITION BY f.task, f.database_id, f.depth ORDER BY f.ordinal)
    FROM
    (
        SELECT
            l.event_id, l.task, l.database_id, l.ordinal, l.is_end, l.at_ms, l.depth, l.hill,
            farthest_ms = MAX(l.at_ms) OVER
            (
                PARTITION BY l.task, l.database_id, l.hill, l.is_end
                ORDER BY CASE WHEN l.is_end = 1 THEN l.ordinal ELSE -l.ordinal END ROWS UNBOUNDED PRECEDING
            )
        FROM #levelled AS l
        WHERE l.depth > 0
    ) AS f
) AS a
WHERE a.is_end = 0;

UPDATE e
SET e.outcome = 'end without begin'
FROM #event AS e
INNER JOIN #levelled AS l
    ON l.event_id = e.event_id
WHERE l.depth = 0;

UPDATE e
SET e.outcome = 'begin without end'
FROM #event AS e
INNER JOIN #answered AS a
    ON a.begin_id = e.event_id
WHERE a.is_given_up = 1;

UPDATE e
SET e.outcome = 'end without begin'
FROM #event AS e
INNER JOIN #answered AS a
    ON a.end_id = e.event_id
WHERE a.is_given_up = 1;

/* Every run of what is left comes back to 0. */
INSERT INTO #left (event_id, task, database_id, is_end, at_ms, run_number)
SELECT
    s.event_id, s.task, s.database_id, s.is_end, s.at_ms,
    SUM(CASE WHEN s.is_end = 0 AND s.balance = 1 THEN 1 ELSE 0 END)
        OVER (PARTITION BY s.task, s.database_id ORDER BY s.ordinal ROWS UNBOUNDED PRECEDING)
FROM
(
    SELECT
        l.event_id, l.task, l.database_id, l.ordinal, l.is_end, l.at_ms,
        balance = SUM(CASE WHEN l.is_end = 1 THEN -1 ELSE 1 END)
            OVER (PARTITION BY l.task, l.database_id ORDER BY l.ordinal ROWS UNBOUNDED PRECEDING)
    FROM #levelled AS l
    INNER JOIN #event AS e
        ON e.event_id = l.event_id
    WHERE e.outcome IS NULL
) AS s;

INSERT INTO #run (task, database_id, run_number, begin_ms, end_ms, verdict)
SELECT
    g.task, g.database_id, g.run_number, g.begin_ms, g.end_ms,
    CASE
        WHEN g.events > 2 AND g.task <> '' THEN 'overlap'
        WHEN g.events > 2 THEN 'overlap without activity id'
        WHEN g.end_ms < g.begin_ms THEN 'clock moved back'
        WHEN g.end_ms - g.begin_ms > 4294967295 THEN 'too long'
        ELSE 'checkpoint'
    END
FROM
(
    SELECT
        l.task, l.database_id, l.run_number,
        events = COUNT_BIG(*),
        begin_ms = MAX(CASE WHEN l.is_end = 0 THEN l.at_ms ELSE NULL END),
        end_ms = MAX(CASE WHEN l.is_end = 1 THEN l.at_ms ELSE NULL END)
    FROM #left AS l
    GROUP BY l.task, l.database_id, l.run_number
) AS g;

INSERT INTO #checkpoint (database_id, begin_ms, duration_ms)
SELECT r.database_id, r.begin_ms, r.end_ms - r.begin_ms
FROM #run AS r
WHERE r.verdict = 'checkpoint';

UPDATE e
SET e.outcome = r.verdict
FROM #event AS e
INNER JOIN #left AS l
    ON l.event_id = e.event_id
INNER JOIN #run AS r
    ON  r.task = l.task
    AND r.database_id = l.database_id
    AND r.run_number = l.run_number;

/* 4. What checkpoints took. */
DECLARE @hours float =
(
    SELECT (MAX(e.at_ms) - MIN(e.at_ms)) / 3600000e0
    FROM #event AS e
    WHERE e.is_end IS NOT NULL
    AND   e.outcome <> 'malformed'
);
SELECT
    database_id = k.database_id,
    database_name = DB_NAME(CONVERT(int, k.database_id)),
    checkpoints = k.checkpoints,
    per_hour = CASE WHEN @hours > 0 THEN CONVERT(decimal(18, 2), k.checkpoints / @hours) ELSE NULL END,
    average_ms = CONVERT(decimal(18, 3), k.total_ms * 1e0 / k.checkpoints),
    p50_ms = k.p50_ms,
    p95_ms = k.p95_ms,
    p99_ms = k.p99_ms,
    maximum_ms = k.maximum_ms,
    total_seconds = CONVERT(decimal(18, 3), k.total_ms / 1e3)
FROM
(
    SELECT
        n.database_id,
        checkpoints = COUNT_BIG(*),
        total_ms = SUM(n.duration_ms),
        maximum_ms = MAX(n.duration_ms),
        p50_ms = MAX(CASE WHEN n.rank_in_database = (n.of_database * 50 + 99) / 100 THEN n.duration_ms ELSE NULL END),
        p95_ms = MAX(CASE WHEN n.rank_in_database = (n.of_database * 95 + 99) / 100 THEN n.duration_ms ELSE NULL END),
        p99_ms = MAX(CASE WHEN n.rank_in_database = (n.of_database * 99 + 99) / 100 THEN n.duration_ms ELSE NULL END)
    FROM
    (
        SELECT
            c.database_id,
            c.duration_ms,
            rank_in_database = ROW_NUMBER() OVER (PARTITION BY c.database_id ORDER BY c.duration_ms),
            of_database = COUNT_BIG(*) OVER (PARTITION BY c.database_id)
        FROM #checkpoint AS c
    ) AS n
    GROUP BY n.database_id
) AS k
ORDER BY
    k.total_ms DESC,
    k.maximum_ms DESC,
    k.database_id;

/* 5. What was not paired. */
SELECT
    reason = e.outcome,
    begins = SUM(CASE WHEN e.is_end = 0 THEN 1 ELSE 0 END),
    ends = SUM(CASE WHEN e.is_end = 1 THEN 1 ELSE 0 END),
    databases = COUNT(DISTINCT e.database_id)
FROM #event AS e
WHERE e.outcome NOT IN ('checkpoint', 'duplicate', 'malformed', 'other')
GROUP BY e.outcome
ORDER BY e.outcome;

/* 6. Every row, once: rows_read = 2 x checkpoints + unpaired + duplicates + malformed + other. */
SELECT
    rows_read = l.rows_read,
    checkpoints = l.checkpoints,
    unpaired = l.rows_read - l.paired - l.duplicates - l.malformed - l.other,
    duplicates = l.duplicates,
    malformed = l.malformed,
    other = l.other,
    unaccounted = l.paired - 2 * l.checkpoints,
    hours = CONVERT(decimal(18, 3), @hours),
    trouble = @trouble
FROM
(
    SELECT
        rows_read = COUNT_BIG(*),
        checkpoints = (SELECT COUNT_BIG(*) FROM #checkpoint),
        paired = ISNULL(SUM(CASE WHEN e.outcome = 'checkpoint' THEN 1 ELSE 0 END), 0),
        duplicates = ISNULL(SUM(CASE WHEN e.outcome = 'duplicate' THEN 1 ELSE 0 END), 0),
        malformed = ISNULL(SUM(CASE WHEN e.outcome = 'malformed' THEN 1 ELSE 0 END), 0),
        other = ISNULL(SUM(CASE WHEN e.outcome = 'other' THEN 1 ELSE 0 END), 0)
    FROM #event AS e
) AS l;

DROP TABLE #raw;
DROP TABLE #event;
DROP TABLE #levelled;
DROP TABLE #answered;
DROP TABLE #left;
DROP TABLE #run;
DROP TABLE #checkpoint;
