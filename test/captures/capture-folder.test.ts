import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { CaptureFolder } from '../../src/captures/capture-folder';
import { diskOf, encodeCapture, makeKeptCapture, openMemoryFolder, trimCapture } from './kept-captures';
import { makeFolder } from '../temporary-folder';

describe('a folder of captures', () => {
  it('gives back what it keeps on a real disk, and forgets what is removed', async () => {
    const parent = makeFolder();
    const place = path.join(parent, 'new', 'folder');
    const folder = new CaptureFolder(place, diskOf(fs));
    assert.deepEqual(await folder.list(), { captures: [], problems: [] });
    await folder.keep(makeKeptCapture({ serverLabel: 'old' }));
    await folder.keep(makeKeptCapture());
    await folder.keep(makeKeptCapture({ id: 'capture-2', serverLabel: 'Test' }));
    const { captures, problems } = await folder.list();
    const listed = captures.map(({ id, serverLabel, rows }) => `${id} ${serverLabel} ${rows}`);
    assert.deepEqual(
      [listed, problems],
      [[`capture-1 ${makeKeptCapture().serverLabel} 3`, 'capture-2 Test 3'], []],
    );
    assert.deepEqual(await folder.recover('capture-1'), {
      capture: trimCapture(makeKeptCapture()),
      problem: null,
    });
    await folder.remove('capture-1');
    await folder.remove('capture-1');
    const left = (await folder.list()).captures;
    assert.deepEqual([left.length, left[0]?.id], [1, 'capture-2']);
    assert.deepEqual(await folder.recover('capture-1'), {
      capture: null,
      problem: 'it cannot be read (ENOENT)',
      isUnread: true,
    });
    assert.deepEqual(await fs.readdir(place), ['capture-2.checkpoints']);
  });

  it('reports half-written and foreign files beside the good ones, and deletes none of them', async () => {
    const { files, folder } = openMemoryFolder();
    await folder.keep(makeKeptCapture());
    const whole = encodeCapture(makeKeptCapture());
    files.put('captures/a.checkpoints', whole.subarray(0, whole.length - 1));
    files.put('captures/b.checkpoints', whole);
    files.put('captures/c.checkpoints.unfinished', whole);
    files.put('captures/notes.txt', Buffer.from('hello'));
    files.put('captures/zero.checkpoints', new Uint8Array(0));
    const before = [...files.names].sort();
    const { captures, problems } = await folder.list();
    const told = problems.map(({ message }) => message);
    assert.deepEqual([captures.length, captures[0]?.id], [1, 'capture-1']);
    assert.deepEqual(told, [
      'a.checkpoints was skipped: it ends too early.',
      'b.checkpoints was skipped: it holds the capture capture-1, so its name is wrong.',
      'notes.txt was skipped: it is not a capture of Checkpoint Health.',
      'zero.checkpoints was skipped: it is not a capture of Checkpoint Health.',
    ]);
    assert.deepEqual([...files.names].sort(), before);
  });

  for (const operation of ['mkdir', 'writeFile', 'sync', 'rename']) {
    it(`keeps the earlier capture whole when ${operation} fails, and says so`, async () => {
      const { files, folder } = openMemoryFolder();
      await folder.keep(makeKeptCapture({ serverLabel: 'Prod' }));
      files.failing = { operation, code: 'ENOSPC' };
      await assert.rejects(folder.keep(makeKeptCapture({ serverLabel: 'Later' })), {
        message:
          'The capture of Later could not be kept in captures/capture-1.checkpoints (ENOSPC). Use Save Capture As… to keep it elsewhere.',
      });
      files.failing = null;
      assert.equal((await folder.recover('capture-1')).capture?.serverLabel, 'Prod');
      assert.deepEqual(files.names, ['captures/capture-1.checkpoints']);
    });
  }

  it('removes what a crash left unfinished, but nothing that another window may be writing', async () => {
    const { files, folder } = openMemoryFolder();
    await folder.keep(makeKeptCapture());
    const finished = files.names;
    const left = ['captures/capture-1.checkpoints.unfinished', 'captures/of-0-x.section.0badcafe.unfinished'];
    const list = async (ageMs: number): Promise<readonly string[]> => {
      for (const path of left) files.put(path, Uint8Array.of(1), Date.now() - ageMs);
      assert.deepEqual((await folder.list()).problems, []);
      return files.names;
    };
    assert.deepEqual(await list(59 * 60_000), [...finished, ...left]);
    assert.deepEqual(await list(61 * 60_000), finished);
    assert.deepEqual(await list(-8_760 * 3_600_000), finished, 'the clock of this computer was a year ahead');
    files.failing = { operation: 'unlink', code: 'EBUSY' };
    assert.deepEqual(await list(61 * 60_000), [...finished, ...left]);
  });

  for (const [where, operation] of Object.entries({
    'a folder cannot be synced': 'sync of the folder',
    'the file system has no modes': 'chmod',
  }))
    it(`keeps a capture also where ${where}`, async () => {
      const { files, folder } = openMemoryFolder();
      files.failing = { operation, code: 'EPERM' };
      await folder.keep(makeKeptCapture());
      assert.deepEqual(files.names, ['captures/capture-1.checkpoints']);
    });

  it("is the user's own with all that is in it, also where an earlier version left it open to others", async function () {
    // On Windows the folder of the user's profile does that, and files have no such modes.
    if (process.platform === 'win32') return this.skip();
    const home = makeFolder();
    const place = path.join(home, 'captures');
    const left = path.join(place, 'capture-1.checkpoints');
    await fs.mkdir(place, { mode: 0o755 });
    await fs.writeFile(left, 'x', { mode: 0o644 });
    const folder = new CaptureFolder(place, diskOf(fs));
    await folder.keep(makeKeptCapture());
    await folder.keepSections('PROD', [{ name: 'write-work', bytes: Uint8Array.of(1) }]);
    const modes = await Promise.all(
      (await fs.readdir(place)).map(async (name) => (await fs.stat(path.join(place, name))).mode & 0o777),
    );
    assert.deepEqual([(await fs.stat(place)).mode & 0o777, modes], [0o700, [0o600, 0o600]]);
  });

  it('writes one capture after the other', async () => {
    const { files, folder } = openMemoryFolder();
    await Promise.all(['a', 'b', 'c'].map((serverLabel) => folder.keep(makeKeptCapture({ serverLabel }))));
    assert.equal(files.mostWrites, 1);
    assert.equal((await folder.recover('capture-1')).capture?.serverLabel, 'c');
  });

  it('that cannot be read is a problem and not an end', async () => {
    const { files, folder } = openMemoryFolder();
    files.failing = { operation: 'readdir', code: 'EACCES' };
    assert.deepEqual(await folder.list(), {
      captures: [],
      problems: [{ file: 'captures', message: 'The capture folder captures cannot be read (EACCES).' }],
    });
  });

  it('says when a capture cannot be removed', async () => {
    const { files, folder } = openMemoryFolder();
    await folder.keep(makeKeptCapture());
    files.failing = { operation: 'unlink', code: 'EBUSY' };
    await assert.rejects(folder.remove('capture-1'), {
      message: 'The capture captures/capture-1.checkpoints could not be removed (EBUSY).',
    });
  });

  for (const id of ['', '../x', 'a/b', 'a\\b', 'a.b', 'é', 'x'.repeat(101)]) {
    it(`takes no id that is not a plain name: ${JSON.stringify(id.slice(0, 10))}`, async () => {
      const { folder } = openMemoryFolder();
      await assert.rejects(folder.keep(makeKeptCapture({ id })), RangeError);
      await assert.rejects(folder.recover(id), RangeError);
      await assert.rejects(folder.remove(id), RangeError);
    });
  }
});
