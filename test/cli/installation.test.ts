import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openOwnInstallation } from '../../cli/src/servers/installation';
import { makeFolder } from '../temporary-folder';

describe('What this installation remembers of the event sessions that it started', () => {
  let folder: string;
  let file: string;
  const open = () => openOwnInstallation({ XDG_CONFIG_HOME: folder }, 'linux');
  const session = { mark: '1f'.repeat(16), startedLocalMs: 1_000 };

  beforeEach(() => {
    folder = makeFolder();
    file = join(folder, 'checkpoint-health/installation.json');
  });

  it('is in a file of the user alone, and the same the next time', async () => {
    await open().keepStarted(session);
    assert.deepEqual(open().findStarted(session.mark), session);
    assert.equal(open().findStarted('2e'.repeat(16)), null);
    const own = join(folder, 'checkpoint-health/sessions', `${session.mark}.json`);
    if (process.platform !== 'win32') assert.equal(statSync(own).mode & 0o777, 0o600);
    await open().keepStarted({ ...session, startedLocalMs: 2_000 });
    assert.equal(open().findStarted(session.mark)?.startedLocalMs, 2_000);
  });

  it('has every session of programs that start some at the same moment', async () => {
    const program = join(__dirname, '../../cli/src/servers/installation.ts');
    const text = `const { openOwnInstallation } = require(${JSON.stringify(program)});
      const installation = openOwnInstallation({ XDG_CONFIG_HOME: process.argv[1] }, 'linux');
      for (let at = 0; at < 40; at++) void installation.keepStarted({ mark: (process.argv[2] + at.toString(16)).padStart(32, '0'), startedLocalMs: at });`;
    const programs = ['a', 'b', 'c'].map((name) =>
      promisify(execFile)(process.execPath, ['--require', 'tsx/cjs', '-e', text, folder, name]),
    );
    await Promise.all(programs);
    const marks = ['a', 'b', 'c'].flatMap((name) =>
      Array.from({ length: 40 }, (_, at) => (name + at.toString(16)).padStart(32, '0')),
    );
    assert.deepEqual(
      marks.filter((mark) => open().findStarted(mark) === null),
      [],
    );
  });

  it('is what an earlier version kept in one file, too', () => {
    open();
    writeFileSync(file, JSON.stringify({ sessions: [session] }));
    assert.deepEqual(open().findStarted(session.mark), session);
  });

  it('names no file by a mark that is none', () => {
    const installation = open();
    writeFileSync(join(folder, 'other.json'), JSON.stringify(session));
    assert.equal(installation.findStarted('../../other'), null);
  });

  it('is in the folder of the system that it runs on', () => {
    openOwnInstallation({ APPDATA: join(folder, 'roaming') }, 'win32');
    assert.ok(statSync(join(folder, 'roaming/checkpoint-health/sessions')).isDirectory());
  });

  it('is nothing where an earlier version kept what a server counts: such a session is asked about', async () => {
    open();
    writeFileSync(
      file,
      '{"id":"0123abcd","started":{"SAME":{"SQL01":{"definitionId":65540,"startedLocalMs":1}}}}',
    );
    assert.equal(open().findStarted(session.mark), null);
    await open().keepStarted(session);
    assert.deepEqual(open().findStarted(session.mark), session);
  });

  it('that a later version wrote is said, and left as it is', () => {
    const installation = open();
    const own = join(folder, 'checkpoint-health/sessions', `${session.mark}.json`);
    writeFileSync(own, '{"version":2,"marks":[]}');
    assert.throws(
      () => installation.findStarted(session.mark),
      /1f\.json is left as it is: it has version 2, and only versions up to 1 can be/,
    );
    writeFileSync(file, '{"version":2}');
    assert.throws(
      () => open(),
      /Cannot save which event sessions are ours: .*installation\.json is left as it is: it has version 2/,
    );
  });

  it('that is damaged is said, and left as it is', () => {
    for (const text of [
      '',
      '{',
      '[]',
      '{"sessions":{}}',
      '{"sessions":[{"mark":"1","startedLocalMs":1}]}',
      'null',
    ]) {
      open();
      writeFileSync(file, text);
      assert.throws(
        () => open(),
        /Cannot save which event sessions are ours: .*installation\.json is damaged\. Delete it/,
        text,
      );
      assert.equal(readFileSync(file, 'utf8'), text);
      rmSync(file);
    }
  });

  it('that cannot be kept is said before anything is started', () => {
    writeFileSync(join(folder, 'checkpoint-health'), 'in the way');
    assert.throws(() => open(), /Cannot save which event sessions are ours/);
    rmSync(join(folder, 'checkpoint-health'));
    if (process.getuid?.() === 0) return;
    chmodSync(folder, 0o500);
    assert.throws(() => open(), /Cannot save which event sessions are ours/);
    chmodSync(folder, 0o700);
  });
});
