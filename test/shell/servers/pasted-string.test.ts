import assert from 'node:assert/strict';
import { back } from '../../../src/shell/servers/server-questions';
import { askServer } from '../../../src/shell/servers/server-form';
import { add, ask, edit, FakeInput, keepIt, leave, onlyTcp, saved } from './form-bench';

describe('a connection string that is pasted as the first answer', () => {
  const whole =
    'Server=tcp:db.example.com,1433;Initial Catalog=Sales;User ID=ann;Password="a;b";Encrypt=True;TrustServerCertificate=False;';

  it('leaves nothing to ask but the name, and whether to keep its password', async () => {
    const input = new FakeInput([whole, keepIt, 'keep']);
    assert.deepEqual(await ask(input), {
      server: 'tcp:db.example.com,1433',
      authentication: 'sql',
      user: 'ann',
      password: 'a;b',
      asksPassword: false,
      database: 'Sales',
      encrypt: 'mandatory',
      trustServerCertificate: false,
      name: 'db.example.com',
    });
    assert.deepEqual([input.asked, input.steps, input.told], [['Server', 'Keep', 'Name'], ['1/9', '2/3', '3/3'], []]);
  });

  it('leaves to ask what it does not say', async () => {
    const input = new FakeInput(['Data Source=sql01;UID=ann;App=x', 'p4ss', 'keep', 'keep', 'Trust the server certificate', 'Test']);
    const answers = await ask(input);
    assert.deepEqual(input.asked, ['Server', 'Password', 'Keep', 'Encryption', 'The', 'Name']);
    assert.deepEqual([answers?.user, answers?.password, answers?.trustServerCertificate], ['ann', 'p4ss', true]);
    assert.deepEqual(input.told, ['Not used from the connection string: App.']);
  });

  it('lets everything be asked once the user goes back, without the string and its password', async () => {
    const input = new FakeInput([whole, 'keep', back, back, 'Strict', 'Name']);
    const answers = await ask(input);
    assert.deepEqual(input.asked, ['Server', 'Keep', 'Name', 'The', 'Encryption', 'Name']);
    assert.deepEqual([answers?.encrypt, answers?.password], ['strict', 'a;b']);
    const again = new FakeInput([whole, 'keep', ...Array.from({ length: 8 }, () => back), leave]);
    await ask(again);
    assert.deepEqual([again.asked.at(-1), again.values.at(-1)], ['Server', 'tcp:db.example.com,1433']);
  });

  it('that is damaged is told in one sentence, and stays in the box', async () => {
    const input = new FakeInput(['Server=sql01;Password="secret', 'Password=secret', 'Server=np:x;Password=secret', leave]);
    assert.equal(await askServer(input, add, onlyTcp), undefined);
    assert.deepEqual(input.complaints, [
      'This connection string cannot be read: the quotes around the value of part 2 do not match.',
      'This connection string names no server.',
      'Only TCP.',
    ]);
  });

  it('changes a server that is edited and keeps its name; its password only where address and login are the same', async () => {
    const same = new FakeInput(['Server=tcp:SQL01,1500;User ID=sa;Encrypt=Strict', '', 'keep', 'keep']);
    const answers = await ask(same, edit());
    assert.deepEqual([answers?.name, answers?.password, answers?.encrypt], ['Prod', undefined, 'strict']);
    const other = new FakeInput(['Server=sql02;User ID=sa;Encrypt=Strict', '', 'n3w', 'keep', 'keep']);
    assert.equal((await ask(other, edit()))?.password, 'n3w');
    assert.deepEqual(other.complaints, ['Type the password of the login.']);
  });

  it('is always encrypted: less is read as mandatory, which is told', async () => {
    const input = new FakeInput(['Server=sql01;User ID=sa;Password=x;Encrypt=False;TrustServerCertificate=True', 'keep', 'keep']);
    assert.equal((await ask(input))?.encrypt, 'mandatory');
    assert.deepEqual(input.told, ['Checkpoint Health always encrypts: Encrypt=False is read as mandatory encryption.']);
    assert.deepEqual(input.asked, ['Server', 'Keep', 'Name']);
  });

  it('with a name that is no login of its kind asks for both the login and its password', async () => {
    const input = new FakeInput([
      'Server=sql01;Integrated Security=SSPI;User ID=sa;Password=x;Encrypt=Strict',
      'C\\ann',
      'p4ss',
      'keep',
      'keep',
    ]);
    const answers = await ask(input);
    assert.deepEqual(input.asked, ['Server', 'Windows', 'Password', 'Keep', 'Name']);
    assert.deepEqual([answers?.user, answers?.password], ['C\\ann', 'p4ss']);
  });

  it('names the host in the certificate, which another address typed later does not keep', async () => {
    const pasted = 'Server=sql01;User ID=sa;Password=x;Encrypt=Strict;HostNameInCertificate=sql.contoso.com';
    assert.equal((await ask(new FakeInput([pasted, 'keep', 'keep'])))?.hostNameInCertificate, 'sql.contoso.com');
    const kept = { ...saved, hostNameInCertificate: 'sql.contoso.com' };
    const change = (address: string): FakeInput => new FakeInput([address, 'keep', 'keep', 'p4ss', 'keep', 'keep', 'keep', 'keep', 'keep']);
    assert.equal((await ask(change('sql02'), edit(kept)))?.hostNameInCertificate, undefined);
    assert.equal((await ask(change('keep'), edit(kept)))?.hostNameInCertificate, 'sql.contoso.com');
  });
});
