import assert from 'node:assert/strict';
import { CertificateChanged } from '../../../src/hosts/host';
import { SavedServers } from '../../../src/shell/servers/saved-servers';
import { TrustedCertificates } from '../../../src/shell/servers/trusted-certificates';
import { FakeSecrets, FakeState, savedServer } from '../fake-editor';

describe('the certificates of servers that are trusted', () => {
  const connection = {} as never;
  let certificates: TrustedCertificates;
  let answer: () => Promise<unknown>;
  let open: () => Promise<unknown>;

  beforeEach(async () => {
    const saved = new SavedServers(new FakeState(), new FakeSecrets());
    await saved.save({ ...savedServer, trustServerCertificate: true });
    certificates = new TrustedCertificates(saved);
    await certificates.keep('server-1', 'AB:CD');
    open = certificates.watch({ id: 'server-1', open: () => answer() } as never).open as typeof open;
  });

  const show = async (is: string): Promise<void> => {
    answer = () => Promise.reject(new CertificateChanged('It is another one.', 'AB:CD', is));
    await assert.rejects(open(), { message: 'It is another one.' });
  };

  it('are remembered, and what is shown in their place later', async () => {
    assert.equal(certificates.find('server-1'), 'AB:CD');
    await show('EF:01');
    await show('23:45');
    assert.deepEqual(certificates.findChange('server-1'), { was: 'AB:CD', is: '23:45' });
  });

  it('are no others where the server could be connected to again, or another one is remembered by now', async () => {
    await show('EF:01');
    answer = () => Promise.resolve(connection);
    assert.equal(await open(), connection);
    assert.equal(certificates.findChange('server-1'), null);
    await show('EF:01');
    await certificates.keep('server-1', 'EF:01');
    assert.equal(certificates.findChange('server-1'), null);
  });

  it('are never none: a server that shows no certificate has nothing to be trusted by', async () => {
    await show('');
    assert.equal(certificates.findChange('server-1'), null);
  });

  it('have nothing to do with other failures', async () => {
    answer = () => Promise.reject(new Error('It is down.'));
    await assert.rejects(open(), /down/);
    assert.equal(certificates.findChange('server-1'), null);
  });
});
