/** FOR XML PATH and the methods of xml values, by their pages in Microsoft's documentation and the idioms of published scripts. */
import assert from 'node:assert/strict';
import { itRefuses, itTells, useClient, type Refused, type Told } from './client';

const QUERIES: Told = {
  'gives a list in an order, by STUFF': [
    "SELECT STUFF((SELECT ',' + name FROM sys.databases WHERE database_id < 6 ORDER BY name DESC FOR XML PATH('')), 1, 1, '')",
    '[["tempdb,Sales,master"]]',
  ],
  'gives a list whose signs come back by TYPE and value()': [
    "SELECT (SELECT '<' + name + '&' + CHAR(13) FROM sys.databases WHERE database_id IN (1, 7) ORDER BY name FOR XML PATH(''), TYPE).value('.', 'nvarchar(max)')",
    '[["<a]b&\\r<master&\\r"]]',
  ],
  'gives signs as entities without TYPE': [
    `SELECT (SELECT '<a>&"' + CHAR(13) + CHAR(10) FOR XML PATH(''))`,
    '[["&lt;a&gt;&amp;\\"&#x0D;\\n"]]',
  ],
  'gives blanks alone as an entity': ["SELECT (SELECT ' ' FOR XML PATH(''))", '[["&#x20;"]]'],
  'gives a list of data() with blanks between': [
    "SELECT (SELECT name AS [data()] FROM sys.databases WHERE database_id < 6 ORDER BY 1 FOR XML PATH(''))",
    '[["master Sales tempdb"]]',
  ],
  'gives NULL for no rows': ["SELECT (SELECT name FROM sys.databases WHERE 1 = 0 FOR XML PATH(''))", '[[null]]'],
  'gives attributes, nested elements and a root': [
    "SELECT (SELECT name AS '@name', database_id AS 'ids/id', state AS 'ids/state', log_reuse_wait_desc AS reuse FROM sys.databases WHERE database_id IN (1, 6) ORDER BY 1 FOR XML PATH('db'), ROOT('dbs'))",
    '[["<dbs><db name=\\"master\\"><ids><id>1</id><state>0</state></ids><reuse>NOTHING</reuse></db><db name=\\"sales_archive\\"><ids><id>6</id><state>1</state></ids></db></dbs>"]]',
  ],
  'gives names that are none in XML': [
    "SELECT (SELECT 1 AS [a b], 2 AS [1c] FOR XML PATH(''))",
    '[["<a_x0020_b>1</a_x0020_b><_x0031_c>2</_x0031_c>"]]',
  ],
  'gives floats and binary': ["SELECT (SELECT 1.5e0 AS f, 0x0102 AS b FOR XML PATH(''))", '[["<f>1.500000000000000e+000</f><b>AQI=</b>"]]'],
  'gives each row of a correlated list its own order': [
    "SELECT d.name, STUFF((SELECT ', ' + f.name FROM sys.master_files AS f WHERE f.database_id = d.database_id ORDER BY f.file_id DESC FOR XML PATH(''), TYPE).value('(./text())[1]', 'nvarchar(max)'), 1, 2, '') FROM sys.databases AS d WHERE d.database_id IN (1, 2, 5) ORDER BY d.database_id",
    '[["master","mastlog, master"],["tempdb",null],["Sales","Sales_log, Sales"]]',
  ],
  'closes an element of no characters with a tag, and with TYPE as xml does': [
    "SELECT (SELECT '' AS b FOR XML PATH('r')), (SELECT '' AS b FOR XML PATH('r'), TYPE), (SELECT ' ' AS b FOR XML PATH(''), TYPE).value('.', 'varchar(5)')",
    '[["<r><b></b></r>","<r><b/></r>"," "]]',
  ],
  'reads event data as published queries do': [
    `SELECT x.event_xml.value('(event/@name)[1]', 'nvarchar(128)') AS name, x.event_xml.value('(event/@timestamp)[1]', 'datetime2(3)') AS at,
        x.event_xml.value('(event/data[@name="database_id"]/value)[1]', 'int') AS id, x.event_xml.value('(event/action[@name="session_id"]/value)[1]', 'int') AS spid
      FROM (SELECT CAST(event_data AS xml) AS event_xml FROM sys.fn_xe_file_target_read_file(N'x*.xel', NULL, NULL, NULL)) AS x ORDER BY at`,
    '[["checkpoint_begin","2016-07-09T03:30:14.023",5,60],["checkpoint_end","2016-07-09T03:30:14.025",5,null]]',
  ],
  'takes nodes apart, from variables too': [
    `DECLARE @x xml = N'<RingBufferTarget><event name="a"><data name="d"><value>1</value><text><![CDATA[x<y]]></text></data></event><event name="b"/><other/></RingBufferTarget>';
      SELECT n.e.value('(@name)[1]', 'varchar(10)'), n.e.value('(data[@name="d"]/value/text())[1]', 'int'), n.e.value('(./data/text)[1]', 'nvarchar(10)'), n.e.exist('data'), n.e.query('data/value')
      FROM @x.nodes('RingBufferTarget/event') AS n(e);
      SELECT COUNT(*) FROM (SELECT @x AS d) AS t CROSS APPLY t.d.nodes('//event[@name="b"]') AS q(n)`,
    '[["a",1,"x<y",true,"<value>1</value>"],["b",null,null,false,""]] | [[1]]',
  ],
};

const FAILURES: Refused = {
  "SELECT 1 AS '@a' FOR XML PATH('')": '6864 ',
  "SELECT 1 AS a, 2 AS '@b' FOR XML PATH": '6852 ',
  "DECLARE @x int; SELECT @x = 1 FOR XML PATH('')": '6819 ',
  "CAST('<a>' AS xml)": '9400 XML parsing: ',
  "CAST('<a/>' AS xml).value('a/b', 'int')": '2389 ',
  "CAST('<a/>' AS xml).value('(for $x in a return $x)[1]', 'int')": '50000 simulator: XQuery (for $x in a return $x)[1] is not modelled',
  "N'<a/>'.value('(a)[1]', 'int')": '258 Cannot call methods on nvarchar.',
};

describe('T-SQL and XML', () => {
  const client = useClient();

  itTells(client, QUERIES);
  itRefuses(client, FAILURES);

  it('sends a long text in pieces under the name that clients know, and no rows as none', async () => {
    const { sets } = await client.run("SELECT REPLICATE('x', 1000) AS x FROM sys.numbers WHERE n < 4 FOR XML PATH('r')");
    assert.equal(sets[0]?.columns[0]?.name, 'XML_F52E2B61-18A1-11d1-B105-00805F49916B');
    assert.equal(String(sets[0]?.rows[0]?.[0]).length, 2033);
    assert.equal(sets[0]?.rows.flat().join(''), `<r><x>${'x'.repeat(1000)}</x></r>`.repeat(3));
    assert.equal(await client.told("SELECT n FROM sys.numbers WHERE n > 99 FOR XML PATH('')"), '[]');
  });
});
