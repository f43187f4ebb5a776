import assert from 'node:assert/strict';
import type { TdsServer, TlsMode } from '../../../simulator/tds/server';
import { startTdsServer } from '../../../simulator/tds/server';
import type { ScriptedHost } from './scripted-host';
import { createScriptedHost } from './scripted-host';
import { connect, disconnect, run } from './tedious-client';

describe('logging in', () => {
  let host: ScriptedHost;
  let server: TdsServer;

  const start = async (tls: TlsMode): Promise<void> => {
    host = createScriptedHost(function* () {
      yield { kind: 'columns', columns: [{ name: 'answer', type: { name: 'int' }, nullable: false }] };
      yield { kind: 'rows', rows: [[42]] };
      yield { kind: 'done', rowCount: 1 };
    });
    server = await startTdsServer({ host, tls });
  };

  afterEach(() => server.close());

  const ask = async (options: object): Promise<unknown> => {
    const connection = await connect(server.port, { options });
    const { sets } = await run(connection, 'SELECT answer = 42');
    await disconnect(connection);
    return sets;
  };

  it('works without TLS', async () => {
    await start('off');
    assert.deepEqual(await ask({}), [[[42]]]);
    assert.equal(host.logins[0]?.encrypted, false);
  });

  it('works over TLS', async () => {
    await start('required');
    assert.deepEqual(await ask({ encrypt: true }), [[[42]]]);
    assert.equal(host.logins[0]?.encrypted, true);
  });
});
