import assert from 'node:assert/strict';
import { tellCautions } from '../../../src/shell/hosts/connection-hosts';
import { OpenServers } from '../../../src/shell/servers/open-servers';
import { SavedServers } from '../../../src/shell/servers/saved-servers';
import { ServerList } from '../../../src/shell/servers/server-list';
import { FakeMonitor, FakeSecrets, FakeState } from '../fake-editor';
import { FakeHost, hostServer } from '../fake-host';
import { facts, snapshot, systemDatabases } from '../sample';

describe("what using another product's connections does besides", () => {
  let state: FakeState;
  let told: string[];
  let monitor: FakeMonitor;

  async function open(host: FakeHost): Promise<void> {
    const list = new ServerList(new SavedServers(new FakeState(), new FakeSecrets()), new FakeState());
    list.takeIn({ servers: [hostServer], untrusted: 0 });
    monitor = new FakeMonitor(hostServer.id, snapshot(facts(systemDatabases), { id: hostServer.id, connection: 'not connected' }));
    const servers = new OpenServers(list, { createMonitor: async () => monitor });
    tellCautions({
      servers,
      state,
      conversation: { offer: (sentence, button) => void told.push(sentence, button) },
      findHost: () => host,
      openSetting: async () => undefined,
    });
    await servers.monitor(hostServer.id);
  }

  function become(connection: 'failed' | 'connected'): void {
    monitor.snapshot = { ...monitor.snapshot, connection };
    monitor.change('facts');
  }

  beforeEach(() => {
    [state, told] = [new FakeState(), []];
  });

  it('is told with the first server that was connected, and never again', async () => {
    const host = new FakeHost();
    host.caution = { sentence: 'It connects your files.', setting: 'its.setting' };
    await open(host);
    become('failed');
    assert.deepEqual(told, []);
    become('connected');
    become('connected');
    await open(host);
    become('connected');
    assert.deepEqual(told, ['It connects your files.', 'Open Setting']);
  });

  it('is nothing where there is nothing', async () => {
    await open(new FakeHost());
    become('connected');
    assert.deepEqual([told, state.values.size], [[], 0]);
  });
});
