import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openInstallation } from '../../cli/src/servers/installation';

describe('What this installation remembers of the event sessions that it started', () => {
  let folder: string;
  let file: string;
  const open = (address = 'SQL01') => openInstallation({ XDG_CONFIG_HOME: folder }, 'linux')(address);
  const session = { definitionId: 65_540, startedLocalMs: 1_000 };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'config-'));
    file = join(folder, 'checkpoint-health/installation.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is in a file of the user alone, and the same the next time', async () => {
    const { id } = open();
    assert.match(id, /^[0-9a-f]{8}$/);
    await open().keepStarted('PROD', session);
    assert.equal(open().id, id);
    assert.deepEqual(open().findStarted('PROD'), session);
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('is in the folder of the system that it runs on', () => {
    openInstallation({ APPDATA: join(folder, 'roaming') }, 'win32');
    assert.ok(statSync(join(folder, 'roaming/checkpoint-health/installation.json')).isFile());
  });

  it('tells two servers of one name apart by their addresses, and knows a server by another address', async () => {
    const other = { definitionId: 65_541, startedLocalMs: 2_000 };
    await open('SQL01').keepStarted('SAME', session);
    await open('SQL02').keepStarted('SAME', other);
    assert.deepEqual([open('SQL01').findStarted('SAME'), open('SQL02').findStarted('SAME')], [session, other]);
    await open('SQL01').keepStarted('ONE', session);
    assert.deepEqual(open('sql01.corp.example').findStarted('ONE'), session);
  });

  it('takes no name of a server for something else', async () => {
    for (const name of ['__proto__', 'constructor', 'a]b\'c"--', '']) {
      assert.equal(open().findStarted(name), null, name);
      await open(name).keepStarted(name, session);
      assert.deepEqual(open(name).findStarted(name), session, name);
    }
  });

  it('that is damaged is said, and left as it is', () => {
    for (const text of ['', '{', '[]', '{"id":"x","started":{}}', '{"id":"0123abcd","started":{"A":{"B":{"definitionId":"1"}}}}', 'null']) {
      open();
      writeFileSync(file, text);
      assert.throws(() => open(), /Which event sessions are ours cannot be kept: .*installation\.json is damaged\. Delete it/, text);
      assert.equal(readFileSync(file, 'utf8'), text);
      rmSync(file);
    }
  });

  it('that cannot be kept is said before anything is started', () => {
    writeFileSync(join(folder, 'checkpoint-health'), 'in the way');
    assert.throws(() => open(), /Which event sessions are ours cannot be kept/);
    rmSync(join(folder, 'checkpoint-health'));
    if (process.getuid?.() === 0) return;
    chmodSync(folder, 0o500);
    assert.throws(() => open(), /Which event sessions are ours cannot be kept/);
    chmodSync(folder, 0o700);
  });
});
