import assert from 'node:assert/strict';
import { HeldAnswer } from '../../held-answer';
import { connectRow, seededServer, startAzdata } from './host';
import { writeUri } from '../azdata-fake/connections';
import { readRecording, recordedId } from '../azdata-fake/azdata-fake';

const connected = { kind: 'connected', serverId: seededServer.id };
const disconnected = { kind: 'disconnected', serverId: seededServer.id };
const servers = { kind: 'servers' };
const NEW = { id: 'new', options: { server: 'new', user: 'sa', password: 'pw' } };

describe("What happens to Azure Data Studio's connections", () => {
  it('is told as it was recorded: the dashboard and its databases are connections of their own', () => {
    const { fake, host, changes } = startAzdata();
    host.onDidChange(() => undefined);
    for (const { uri } of readRecording<{ uri: string }[]>('connection-events'))
      for (const type of ['onConnect', 'onDisconnect'] as const)
        fake.connections.tell(type, uri, fake.find(recordedId));
    assert.deepEqual(
      changes.filter(({ kind }) => kind !== 'servers'),
      [connected, disconnected],
    );
  });

  it('is not taken for the server when a query editor, a dashboard or a backup ends', async () => {
    const { fake, changes } = startAzdata();
    const profile = fake.find(recordedId);
    await connectRow(fake);
    for (const uri of [
      'untitled:SQLQuery_1',
      'file:///c%3A/x.sql',
      writeUri(profile, 'dashboard'),
      `${writeUri(profile)}|backupId:1`,
    ]) {
      await fake.connections.connect(profile, uri);
      fake.connections.disconnect(uri);
    }
    assert.equal(changes.filter(({ kind }) => kind === 'disconnected').length, 0);
  });

  it('is not told of what we connect ourselves', async () => {
    const { changes, open } = startAzdata();
    await open();
    assert.deepEqual(changes, []);
  });

  it('is told once that is done where something else was connected meanwhile', async () => {
    const login = new HeldAnswer<string>();
    const { fake, changes, open } = startAzdata({ logIn: login.call });
    const opening = open();
    await new Promise((resolve) => setTimeout(resolve, 1));
    const profile = { ...fake.find(recordedId), ...NEW };
    fake.connections.tell('onConnect', 'connection:new', profile);
    assert.deepEqual(changes, []);
    login.give('master');
    await opening;
    assert.deepEqual(changes, [servers]);
  });

  it('is told of a connection that nobody knew, and of one that is saved, changed or deleted', async () => {
    const { fake, editor, changes } = startAzdata();
    const profile = { ...fake.find(recordedId), ...NEW };
    await fake.connections.connect(profile, 'connection:new');
    assert.deepEqual(changes.splice(0), [servers]);
    editor.changeSettings('datasource.connections');
    assert.deepEqual(changes.splice(0), [servers]);
    editor.changeSettings('editor.fontSize');
    assert.deepEqual(changes, []);
  });

  it('is told when the workspace is trusted, and when extensions come or go', () => {
    const { editor, changes } = startAzdata();
    editor.trust();
    editor.changeExtensions();
    assert.deepEqual(changes, [servers, servers]);
  });

  it('is nothing for other providers, a changed database, and events without a profile', () => {
    const { fake, changes } = startAzdata();
    const profile = fake.find(recordedId);
    fake.connections.tell('onConnect', 'connection:pg', { ...profile, providerName: 'PGSQL' });
    fake.connections.tell('onConnectionChanged', writeUri(profile), profile);
    fake.connections.tell('onDisconnect', writeUri(profile), undefined);
    assert.deepEqual(changes, []);
  });

  it('is told to all who listen, until they have enough', async () => {
    const { fake, host, changes } = startAzdata();
    let heard = 0;
    host.onDidChange(() => heard++).dispose();
    await connectRow(fake);
    host.dispose();
    await connectRow(fake);
    assert.deepEqual([heard, changes.length], [0, 2]);
  });
});
