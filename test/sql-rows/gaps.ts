/**
 * What the translators cannot say in DuckDB, each with what stands in for it here. A test asks the translators for `sample` as it is: once one gives `means`,
 * the gap is closed and its entry has to go. So nothing is left out in silence.
 */
interface Gap {
  readonly name: string;
  /** T-SQL, and what stands in for it. */
  readonly replace: readonly (readonly [found: RegExp, by: string])[];
  /** A SELECT of one value. */
  readonly sample: string;
  /** What SQL Server answers to it over the standalone server. */
  readonly means: string;
}

export type Translator = 'polyglot' | 'sqlglot';

export const GAPS: readonly Gap[] = [
  {
    name: 'CONVERT with style 126: one reads a text where a text is to be written, the other writes six digits of a second and takes no text',
    replace: [[/CONVERT\(varchar\(30\), ((?:[^()]|\((?:[^()]|\([^()]*\))*\))*), 126\)/g, 'STYLE_126($1)']],
    sample: "SELECT TOP (1) x = CONVERT(varchar(30), d.create_date, 126) FROM sys.databases AS d WHERE d.name = N'Sales'",
    means: '2019-03-01T10:00:00.123',
  },
  {
    name: 'CONVERT of a literal of style 126 to datetime: a timestamp where times are text here',
    replace: [[/CONVERT\(datetime, (N'[^']*'), 126\)/g, '$1']],
    sample: "SELECT TOP (1) x = CONVERT(varchar(30), CONVERT(datetime, N'2019-03-01T10:00:00.123', 126), 126)",
    means: '2019-03-01T10:00:00.123',
  },
  {
    name: 'DATEPART (TZOFFSET) of SYSDATETIMEOFFSET: the minutes beyond the hour, of a function that DuckDB does not have',
    replace: [[/DATEPART\(TZOFFSET, SYSDATETIMEOFFSET\(\)\)/g, 'MODELLED_OFFSET_MINUTES()']],
    sample: 'SELECT TOP (1) x = CONVERT(varchar(11), DATEPART(TZOFFSET, SYSDATETIMEOFFSET()))',
    means: '60',
  },
  {
    name: 'SUSER_SNAME is no name that DuckDB knows, or the name of its own user',
    replace: [[/SUSER_SNAME\(\)/g, 'MODELLED_LOGIN()']],
    sample: 'SELECT TOP (1) x = SUSER_SNAME()',
    means: 'dba',
  },
  {
    name: '@@SERVERNAME is no name that DuckDB reads',
    replace: [[/@@SERVERNAME/g, 'MODELLED_SERVER_NAME()']],
    sample: 'SELECT TOP (1) x = @@SERVERNAME',
    means: 'STANDALONE',
  },
  {
    name: 'sets of letters in LIKE are taken for letters',
    replace: [
      [/LIKE N?'\[DIL\]'/g, "IN (N'D', N'I', N'L')"],
      [/LIKE N'PAGEIOLATCH\[_\]%'/g, "LIKE N'PAGEIOLATCH!_%' ESCAPE N'!'"],
    ],
    sample: "SELECT TOP (1) x = CASE WHEN N'D' LIKE N'[DIL]' THEN 'yes' ELSE 'no' END",
    means: 'yes',
  },
  {
    name: 'CROSS APPLY of a function becomes a join without a condition, which DuckDB refuses',
    replace: [
      [/CROSS APPLY (sys\.\w+)\((\w+)\.database_id\) AS (\w+)/g, 'INNER JOIN $1 AS $3 ON $3.database_id = $2.database_id'],
      [
        /CROSS APPLY (sys\.\w+)\((\w+)\.database_id, \w+\.file_id\) AS (\w+)/g,
        'INNER JOIN $1 AS $3 ON $3.database_id = $2.database_id AND $3.file_id = $2.file_id',
      ],
    ],
    sample:
      "SELECT TOP (1) x = CONVERT(varchar(11), l.total_vlf_count) FROM sys.databases AS d CROSS APPLY sys.dm_db_log_stats(d.database_id) AS l WHERE d.name = N'Sales'",
    means: '134',
  },
  {
    name: 'a variable that holds the answer of a query: two statements, of which the other has no value in DuckDB',
    replace: [
      [/DECLARE @(\w+) nvarchar\(max\) =\s*(\([\s\S]*?\n\));/g, 'WITH $1 AS (SELECT held = $2)'],
      [/@ring/g, '(SELECT r.held FROM ring AS r)'],
    ],
    sample:
      "DECLARE @ring nvarchar(max) =\n(\n    SELECT d.name FROM sys.databases AS d WHERE d.name = N'Sales'\n);\nSELECT TOP (1) x = @ring",
    means: 'Sales',
  },
  {
    name: "FOR XML PATH(''), by which releases before 2017 put texts together, is no clause of DuckDB",
    replace: [
      [
        /SELECT N',' \+ (\w+\.\w+)((?:(?!SELECT)[\s\S])*?)\s+ORDER BY (\w+\.\w+)\s+FOR XML PATH\(''\)/g,
        "SELECT STRING_AGG(CONCAT(N',', $1), N'') WITHIN GROUP (ORDER BY $3)$2",
      ],
    ],
    sample: "SELECT TOP (1) x = (SELECT N',' + d.name FROM sys.databases AS d WHERE d.name = N'Sales' ORDER BY d.name FOR XML PATH(''))",
    means: ',Sales',
  },
];

/** The text with what stands in for every construct that a translator cannot do. */
export function bridgeGaps(sql: string): string {
  return GAPS.flatMap(({ replace }) => replace).reduce((text, [found, by]) => text.replace(found, by), sql);
}
