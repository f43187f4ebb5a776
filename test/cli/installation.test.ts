import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openInstallation } from '../../cli/src/servers/installation';

describe('What this installation remembers of the event sessions that it started', () => {
  let folder: string;
  let file: string;
  const open = () => openInstallation({ XDG_CONFIG_HOME: folder }, 'linux');
  const session = { mark: '1f'.repeat(16), startedLocalMs: 1_000 };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'config-'));
    file = join(folder, 'checkpoint-health/installation.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is in a file of the user alone, and the same the next time', async () => {
    await open().keepStarted(session);
    assert.deepEqual(open().findStarted(session.mark), session);
    assert.equal(open().findStarted('2e'.repeat(16)), null);
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('is in the folder of the system that it runs on', () => {
    openInstallation({ APPDATA: join(folder, 'roaming') }, 'win32');
    assert.ok(statSync(join(folder, 'roaming/checkpoint-health/installation.json')).isFile());
  });

  it('is nothing where an earlier version kept what a server counts: such a session is asked about', async () => {
    open();
    writeFileSync(file, '{"id":"0123abcd","started":{"SAME":{"SQL01":{"definitionId":65540,"startedLocalMs":1}}}}');
    await open().keepStarted(session);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { sessions: [session] });
  });

  it('that is damaged is said, and left as it is', () => {
    for (const text of ['', '{', '[]', '{"sessions":{}}', '{"sessions":[{"mark":"1","startedLocalMs":1}]}', 'null']) {
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
