/*
Name:     startup-options
Purpose:  The arguments that the service was started with, one a row: -k caps what checkpoints write, -T sets a trace flag.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER SECURITY STATE
Runs on:  SQL Server 2012 and later on Windows
Read it:  an instance on Windows has at least the three arguments that name its files; no row at all means that they are not shown here.
          What was typed at a command line in place of the service is not among them.
*/
SELECT TOP (<rows, int, 1000>)
    argument = CONVERT(nvarchar(400), r.value_data)
FROM sys.dm_server_registry AS r
WHERE r.value_name LIKE N'SQLArg%'
ORDER BY r.value_name;
