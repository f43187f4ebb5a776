import assert from 'node:assert/strict';
import { type Simulator, startSimulator } from '../../simulator/index';
import { runAsAdministrator } from './product/watched-server';

describe('The ledger of commands', () => {
  let simulator: Simulator;
  const run = (script: string): Promise<readonly string[]> => runAsAdministrator(simulator, script);

  before(async () => {
    simulator = await startSimulator({ rate: 1000 });
  });

  after(() => simulator.close());

  it('holds what changes a database, a setting or an event session, also inside of a text that is executed, and what is refused', async () => {
    await run(
      "ALTER DATABASE [master] SET TARGET_RECOVERY_TIME = 60 SECONDS;\nEXECUTE sys.sp_executesql N'CHECKPOINT;';",
    );
    await run("EXECUTE sys.sp_configure N'recovery interval (min)', 5;\nRECONFIGURE;");
    await run('ALTER DATABASE [not there] SET TARGET_RECOVERY_TIME = 60 SECONDS;');
    await run(
      'CREATE EVENT SESSION [x] ON SERVER ADD EVENT sqlserver.checkpoint_end ADD TARGET package0.ring_buffer;',
    );
    assert.deepEqual(
      simulator.server.ledger.commands.map(({ command }) => command),
      [
        'ALTER DATABASE master SET TARGET_RECOVERY_TIME',
        'CHECKPOINT',
        'EXECUTE sys.sp_configure',
        'RECONFIGURE',
        'ALTER DATABASE not there SET TARGET_RECOVERY_TIME',
        'CREATE EVENT SESSION x',
      ],
    );
  });

  it('holds nothing of what only reads, or changes no more than its own session', async () => {
    const before = simulator.server.ledger.commands.length;
    await run(
      'DECLARE @t table (a int); INSERT @t (a) VALUES (1); CREATE TABLE #t (a int); INSERT #t (a) VALUES (1); DROP TABLE #t;',
    );
    await run(
      "EXECUTE sys.sp_configure; SELECT name FROM sys.databases; EXECUTE sys.sp_executesql N'SELECT 1;'; DBCC TRACESTATUS (-1);",
    );
    assert.equal(simulator.server.ledger.commands.length, before);
  });
});
