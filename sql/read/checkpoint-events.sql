/*
Name:     checkpoint-events
Purpose:  The next page of events from a session's files, in file order, starting behind a cursor.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
Runs on:  SQL Server 2012 and later with an event_file target
Read it:  initial_file and initial_offset are NULL for the beginning, else a pair that this function returned: everything up to and including that
          buffer is skipped. Many events share one offset, so a full page ends inside a buffer: drop its last offset and ask again from the one before.
          The extension adds a condition on the server's name, so that another server behind the same address gives no rows.
          file_name is NULL for events of initial_file itself, whose name would come with each of them.
          An event of ours has some hundred characters; a longer one is cut here, because a client may cut it without a word.
*/
SELECT TOP (<rows, int, 1000>)
    event_name = x.object_name,
    event_data = LEFT(x.event_data, 32000),
    file_name = NULLIF(x.file_name, <initial_file, nvarchar(260), NULL>),
    file_offset = CONVERT(varchar(20), x.file_offset)<more_columns, clause, >
FROM sys.fn_xe_file_target_read_file
(
    N'<path, nvarchar(260), CheckpointHealth_0_*.xel>',
    NULL,
    <initial_file, nvarchar(260), NULL>,
    <initial_offset, bigint, NULL>
) AS x<where, clause, >;
