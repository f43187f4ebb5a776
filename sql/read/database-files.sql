/*
Name:     database-files
Purpose:  How large the data and the log files of every database are. One row a database and kind of file.
Changes:  nothing
Needs:    VIEW ANY DEFINITION, ALTER ANY DATABASE or CREATE ANY DATABASE: without any of them there are no rows
Runs on:  SQL Server 2012 and later, Azure SQL Managed Instance
Read it:  file_type 0 is data, 1 is log. Sizes are those that the files were given; of tempdb those that it begins with.
*/
SELECT TOP (<rows, int, 70000>)
    database_id = CONVERT(varchar(11), m.database_id),
    file_type = CONVERT(varchar(3), m.type),
    files = CONVERT(varchar(11), COUNT(*)),
    size_mb = CONVERT(varchar(30), CONVERT(decimal(19, 3), SUM(CONVERT(bigint, m.size)) / 128.0))
FROM sys.master_files AS m
WHERE m.type IN (0, 1)
GROUP BY
    m.database_id,
    m.type
ORDER BY
    m.database_id,
    m.type;
