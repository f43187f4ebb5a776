import assert from 'node:assert/strict';
import { connect, type Client } from './client';

describe('T-SQL xml methods', () => {
  let client: Client;
  before(async () => (client = await connect()));
  after(() => client.close());

  it('reads event data as published queries do', async () => {
    const rows =
      await client.rows(`SELECT x.event_xml.value('(event/@name)[1]', 'nvarchar(128)') AS name, x.event_xml.value('(event/@timestamp)[1]', 'datetime2(3)') AS at,
        x.event_xml.value('(event/data[@name="database_id"]/value)[1]', 'int') AS id, x.event_xml.value('(event/action[@name="session_id"]/value)[1]', 'int') AS spid
      FROM (SELECT CAST(event_data AS xml) AS event_xml FROM sys.fn_xe_file_target_read_file(N'x*.xel', NULL, NULL, NULL)) AS x ORDER BY at`);
    assert.deepEqual(rows, [
      ['checkpoint_begin', '2016-07-09T03:30:14.023', 5, 60],
      ['checkpoint_end', '2016-07-09T03:30:14.025', 5, null],
    ]);
  });

  it('takes nodes apart, from variables too', async () => {
    const answer =
      await client.run(`DECLARE @x xml = N'<RingBufferTarget><event name="a"><data name="d"><value>1</value><text><![CDATA[x<y]]></text></data></event><event name="b"/><other/></RingBufferTarget>';
      SELECT n.e.value('(@name)[1]', 'varchar(10)'), n.e.value('(data[@name="d"]/value/text())[1]', 'int'), n.e.value('(./data/text)[1]', 'nvarchar(10)'), n.e.exist('data'), n.e.query('data/value')
      FROM @x.nodes('RingBufferTarget/event') AS n(e);
      SELECT COUNT(*) FROM (SELECT @x AS d) AS t CROSS APPLY t.d.nodes('//event[@name="b"]') AS q(n)`);
    assert.deepEqual(answer.errors, []);
    assert.deepEqual(
      answer.sets.map((each) => each.rows),
      [
        [
          ['a', 1, 'x<y', true, '<value>1</value>'],
          ['b', null, null, false, ''],
        ],
        [[1]],
      ],
    );
  });

  it('refuses what is no XML, no single value, or no path that it knows', async () => {
    assert.match(await client.error("SELECT CAST('<a>' AS xml)"), /^9400 XML parsing: /);
    assert.equal(await client.value("TRY_CAST('<a' AS xml)"), null);
    assert.match(await client.error("SELECT CAST('<a/>' AS xml).value('a/b', 'int')"), /^2389 /);
    assert.equal(
      await client.error("SELECT CAST('<a/>' AS xml).value('(for $x in a return $x)[1]', 'int')"),
      '50000 simulator: XQuery (for $x in a return $x)[1] is not modelled',
    );
    assert.equal(await client.error("SELECT N'<a/>'.value('(a)[1]', 'int')"), '258 Cannot call methods on nvarchar.');
  });
});
