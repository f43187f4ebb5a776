/*
Name:     message-templates
Purpose:  The sentences in which this server logs slow I/O, scans of the buffer pool, recoveries, failed checkpoints and changed options, in every language that it has.
Changes:  nothing
Needs:    CONNECT
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  language_id 1033 is English. Translated sentences number their values after the English one: %1!, %2!.
*/
SELECT TOP (500)
    message_id = CONVERT(varchar(11), m.message_id),
    language_id = CONVERT(varchar(11), m.language_id),
    message_text = m.text
FROM sys.messages AS m
WHERE m.message_id IN (833, 898, 3421, 3454, 3619, 5084, 5901, 9002)
ORDER BY m.message_id, m.language_id;
