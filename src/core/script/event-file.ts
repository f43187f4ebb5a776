import { quoteStringInScript } from './quote';

/**
 * The query that turns an event file of the server into rows that can be saved; for people to run. Its path is that of
 * the machine on which it was opened.
 */
export function writeEventFileRead(path: string): string {
  return `/*
Only SQL Server reads an event file (.xel). Put it where the server can read it,
correct the path, and run this. Save the result with the names of its columns
as CSV, JSON or XML, and open that with Open Events File.
Changes:  nothing
Needs:    VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE
*/
SELECT object_name, event_data, file_name, file_offset
FROM sys.fn_xe_file_target_read_file(${quoteStringInScript(path)}, NULL, NULL, NULL)
WHERE object_name IN (N'checkpoint_begin', N'checkpoint_end');
`;
}
