/*
Name:     ring-buffer
Purpose:  What an event session holds in its ring buffer, as one XML text in pieces.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  join text_piece in the order of piece. The server makes this text each time it is asked, so it is asked once, into a variable.
          A ring is gone when its session stops, and its text is cut at about 4 MB: then truncated is 1 in its first element.
          A client may cut a long cell without a word, so no piece is longer than 30,000 characters.
*/
DECLARE @ring nvarchar(max) =
(
    SELECT TOP (1) t.target_data
    FROM sys.dm_xe_sessions AS s
    INNER JOIN sys.dm_xe_session_targets AS t
        ON  t.event_session_address = s.address
        AND t.target_name = N'ring_buffer'
    WHERE s.name = N'<session_name, sysname, CheckpointHealth>'
);
SELECT TOP (<rows, int, 100>)
    piece = CONVERT(varchar(11), n.number),
    text_length = CONVERT(varchar(20), DATALENGTH(@ring) / 2),
    text_piece = SUBSTRING(@ring, n.number * 30000 + 1, 30000)
FROM
(
    SELECT number = a.digit * 10 + b.digit
    FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS a (digit)
    CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS b (digit)
) AS n
WHERE n.number * 30000 < DATALENGTH(@ring) / 2
ORDER BY n.number;
