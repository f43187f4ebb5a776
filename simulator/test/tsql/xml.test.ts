/**
 * FOR XML PATH and the methods of xml values, by their pages in Microsoft's documentation and the idioms of published
 * scripts.
 */
import { itRefuses, itTells, useClient, type Refused, type Told } from './client';

const QUERIES: Told = {
  'gives a list in an order': [
    "SELECT (SELECT ',' + name FROM sys.databases WHERE database_id < 6 ORDER BY name DESC FOR XML PATH(''))",
    '[[",tempdb,Sales,master"]]',
  ],
  'gives signs as entities without TYPE': [
    `SELECT (SELECT '<a>&"' + NCHAR(13) + NCHAR(10) FOR XML PATH(''))`,
    '[["&lt;a&gt;&amp;\\"&#x0D;\\n"]]',
  ],
  'gives NULL for no rows': [
    "SELECT (SELECT name + '' FROM sys.databases WHERE 1 = 0 FOR XML PATH(''))",
    '[[null]]',
  ],
  'reads event data as published queries do': [
    `SELECT x.event_xml.value('(event/@name)[1]', 'nvarchar(128)') AS name, x.event_xml.value('(event/@timestamp)[1]', 'datetime2(3)') AS at,
        x.event_xml.value('(event/data[@name="database_id"]/value)[1]', 'int') AS id, x.event_xml.value('(event/action[@name="session_id"]/value)[1]', 'int') AS spid
      FROM (SELECT CAST(event_data AS xml) AS event_xml FROM sys.fn_xe_file_target_read_file(N'x*.xel', NULL, NULL, NULL)) AS x ORDER BY at`,
    '[["checkpoint_begin","2016-07-09T03:30:14.023",5,60],["checkpoint_end","2016-07-09T03:30:14.025",5,null]]',
  ],
  'takes nodes apart, from variables too': [
    `DECLARE @x xml = N'<RingBufferTarget><event name="a"><data name="d"><value>1</value><text><![CDATA[x<y]]></text></data></event><event name="b"/><other/></RingBufferTarget>';
      SELECT n.e.value('(@name)[1]', 'varchar(10)'), n.e.value('(data[@name="d"]/value/text())[1]', 'int'), n.e.value('(./data/text)[1]', 'nvarchar(10)'), n.e.exist('data')
      FROM @x.nodes('RingBufferTarget/event') AS n(e);
      SELECT COUNT(*) FROM (SELECT @x AS d) AS t CROSS APPLY t.d.nodes('//event[@name="b"]') AS q(n)`,
    '[["a",1,"x<y",true],["b",null,null,false]] | [[1]]',
  ],
};

const FAILURES: Refused = {
  "SELECT '' + name FROM sys.databases FOR XML PATH('')": '50000 simulator: FOR XML outside a subquery',
  "SELECT (SELECT name FROM sys.databases FOR XML PATH(''))":
    "50000 simulator: FOR XML PATH('') of other than one column without a name",
  "SELECT (SELECT 1 FOR XML PATH(''), TYPE)": '50000 simulator: FOR XML ... TYPE',
  "SELECT (SELECT 1 FOR XML PATH('a'))": '50000 simulator: FOR XML PATH with an element',
  "DECLARE @x int; SELECT @x = 1 FOR XML PATH('')": '6819 ',
  "CAST('<a>' AS xml)": '9400 XML parsing: ',
  "CAST('<a/>' AS xml).value('(for $x in a return $x)[1]', 'int')":
    '50000 simulator: XQuery (for $x in a return $x)[1] is not modelled',
};

describe('T-SQL and XML', () => {
  const client = useClient();

  itTells(client, QUERIES);
  itRefuses(client, FAILURES);
});
