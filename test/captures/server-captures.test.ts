import assert from 'node:assert/strict';
import { CaptureFolder } from '../../src/captures/capture-folder';
import {
  MOST_CAPTURES_KEPT,
  openServerCaptures,
  type ServerCaptures,
} from '../../src/captures/server-captures';
import { createCapture } from '../../src/core/capture/capture';
import { keepRecord, type KeptRecord, type KeptSection } from '../../src/core/capture/capture-record';
import type { Steps } from '../../src/core/steps';
import type { DatabaseChange } from '../../src/core/task/change-moment';
import {
  decodeChanges,
  encodeChanges,
  joinChanges,
  writeNoted,
} from '../../src/monitor/evidence/kept-changes';
import { diskOf, openMemoryFolder } from './kept-captures';
import { changeOf } from '../core/task/changed';
import { everySecond } from '../core/capture/record-of';

function openOn() {
  const { files, folder } = openMemoryFolder();
  const said: string[] = [];
  return {
    files,
    folder,
    captures: openServerCaptures(folder, 'PROD', (problem) => said.push(problem)),
    said,
  };
}

function recordOf(id: string, endUtcMs: number, serverName: string | null = 'PROD-SQL07'): KeptRecord {
  const capture = createCapture({ id });
  capture.observe(0, endUtcMs);
  return { ...keepRecord(capture, { serverName, following: null, sections: [] }), state: null };
}

describe('The captures of one server', () => {
  it('are those of the server that answers now, where a connection was made to lead to another one', async () => {
    const { captures } = openOn();
    await captures.keep(recordOf('ours', 100));
    await captures.keep(recordOf('unsaid', 50, null));
    await captures.keep(recordOf('another', 300, 'TEST-SQL01'));
    const found = async (serverName: string | null): Promise<string | undefined> =>
      (await captures.recover(serverName))?.id;
    assert.deepEqual(
      [await found('PROD-SQL07'), await found(null), await found('NEW')],
      ['ours', 'another', 'unsaid'],
    );
  });

  it('are recovered newest first by what they observed, whatever they are called', async () => {
    const { captures } = openOn();
    await captures.keep(recordOf('a', 300));
    await captures.keep(recordOf('b', 100));
    assert.equal((await captures.recover('PROD-SQL07'))?.id, 'a');
  });

  it('are in the order in which they were, though the clock of the server or of this computer was ahead in between', async () => {
    const hour = 3_600_000;
    const now = Date.now();
    for (const [what, endMs, keptMs] of [
      ['the server', now + 8_760 * hour, now - 3 * hour],
      ['this computer', now - 3 * hour, now + 8_760 * hour],
      ['both', now + 8_760 * hour, now + 8_760 * hour],
    ] as const) {
      const { files, captures, said } = openOn();
      for (const [id, end, kept] of [
        ['before', now - 5 * hour, now - 5 * hour],
        ['ahead', endMs, keptMs],
        ['later', now - hour, now - hour],
      ] as const) {
        await captures.keep(recordOf(id, end));
        files.put(`captures/${id}.checkpoints`, files.get(`captures/${id}.checkpoints`), kept);
      }
      assert.equal((await captures.findNewest())?.id, 'later', what);
      assert.equal((await captures.recover(null))?.id, 'later', what);
      const sentence = 'The kept capture ahead is from the future, so it counts as the oldest.';
      assert.deepEqual([...new Set(said)], what === 'both' ? [sentence] : [], what);
    }
  });

  it('are told by the first lines of the newest, which the disk alone answers', async () => {
    const { captures } = openOn();
    assert.equal(await captures.findNewest(), null);
    await captures.keep(recordOf('old', 100));
    await captures.keep(recordOf('new', 300));
    const found = await captures.findNewest();
    assert.deepEqual(
      [found?.id, found?.observation?.endUtcMs, found?.rowsRead, found?.utcOffsetMinutes],
      ['new', 300, 0, null],
    );
  });

  it('are bounded in number: the oldest go', async () => {
    const { files, captures } = openOn();
    for (let n = 1; n <= MOST_CAPTURES_KEPT + 3; n++) await captures.keep(recordOf(`c${n}`, n));
    const isKept = (id: string): boolean => files.names.includes(`captures/${id}.checkpoints`);
    assert.deepEqual([files.names.length, isKept('c3'), isKept('c4')], [MOST_CAPTURES_KEPT, false, true]);
  });

  it('are none on a new machine, and files that are no captures are told of', async () => {
    const { files, captures, said } = openOn();
    assert.equal(await captures.recover('PROD-SQL07'), null);
    files.put('captures/x.txt', Uint8Array.of(1));
    assert.equal(await captures.recover('PROD-SQL07'), null);
    assert.deepEqual(said, ['x.txt was skipped: it is not a capture of Checkpoint Health.']);
  });

  it('that are damaged are told of and set aside, and the newest that can be read is recovered', async () => {
    const { files, captures, said } = openOn();
    await captures.keep(recordOf('a', 100));
    await captures.keep(recordOf('b', 200));
    const bytes = files.get('captures/b.checkpoints');
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
    assert.equal((await captures.recover('PROD-SQL07'))?.id, 'a');
    const place = 'It is not tried again; its file is captures/b.checkpoints.set-aside.';
    assert.deepEqual(said, [
      `The kept capture b cannot be continued: its checksum does not match its content. ${place}`,
    ]);
    assert.equal(files.get('captures/b.checkpoints.set-aside'), bytes);
    assert.equal((await captures.recover('PROD-SQL07'))?.id, 'a');
    assert.equal(said.length, 1, 'told once');
  });

  it('that the disk does not give are left where they are, and tried again', async () => {
    const { files, captures, said } = openOn();
    await captures.keep(recordOf('a', 100));
    files.failing = { operation: 'readFile', code: 'EIO' };
    assert.equal(await captures.recover('PROD-SQL07'), null);
    assert.deepEqual(said, ['a.checkpoints was skipped: it cannot be read (EIO).']);
    files.failing = null;
    assert.equal((await captures.recover('PROD-SQL07'))?.id, 'a');
  });

  it('that were set aside are bounded in number too, and one that cannot be moved stays', async () => {
    const { files, captures } = openOn();
    for (let n = 10; n < 10 + MOST_CAPTURES_KEPT + 2; n++) {
      await captures.keep(recordOf(`c${n}`, n));
      assert.match(
        await captures.setAside(`c${n}`, 'it is wrong'),
        /^The kept capture c\d+ cannot be continued: it is wrong\. .* \S+\.set-aside\.$/,
      );
    }
    const names = files.names.filter((name) => name.endsWith('.set-aside')).sort();
    assert.deepEqual([names.length, names[0]], [MOST_CAPTURES_KEPT, 'captures/c12.checkpoints.set-aside']);
    await captures.keep(recordOf('stuck', 100));
    files.failing = { operation: 'rename', code: 'EACCES' };
    assert.match(
      await captures.setAside('stuck', 'it is wrong'),
      /its file is captures\/stuck\.checkpoints\.$/,
    );
    files.failing = null;
    assert.equal((await captures.recover(null))?.id, 'stuck');
  });

  it('are listed by their first lines: of twenty long ones only the newest is read', async () => {
    const { files, captures } = openOn();
    const columns = everySecond(20_000);
    const databases = [{ databaseId: 5, createdLocal: null, name: 'x' }];
    for (let n = 1; n <= MOST_CAPTURES_KEPT; n++)
      await captures.keep({ ...recordOf(`c${n}`, n), columns, databases });
    files.bytesRead.clear();
    assert.equal((await captures.recover('PROD-SQL07'))?.id, 'c20');
    const read = (id: string): number => files.bytesRead.get(`captures/${id}.checkpoints`) ?? 0;
    assert.ok(read('c1') > 0 && read('c1') <= 65_536, `${read('c1')} bytes`);
    assert.ok(read('c20') > columns.rows * 14);
  });
});

describe('What is kept of a server beside its captures', () => {
  const section = (name: string, ...bytes: number[]): KeptSection => ({
    name,
    bytes: Uint8Array.of(...bytes),
  });

  it('is on the disk once, however many captures there are, and comes back with the newest', async () => {
    const { files, captures } = openOn();
    for (let n = 1; n <= 3; n++)
      await captures.keep({
        ...recordOf(`c${n}`, n),
        sections: [section('write-work', n, 10, 255), section('changes', n)],
      });
    const names = files.names;
    assert.equal(names.filter((name) => name.endsWith('write-work.section')).length, 1);
    assert.deepEqual((await captures.recover('PROD-SQL07'))?.sections, [
      section('changes', 3),
      section('write-work', 3, 10, 255),
    ]);
  });

  it('stays as it was where a capture is kept without it', async () => {
    const { captures } = openOn();
    await captures.keep({ ...recordOf('a', 1), sections: [section('write-work', 1), section('changes', 1)] });
    await captures.keep({ ...recordOf('a', 2), sections: [section('changes', 2)] });
    assert.deepEqual((await captures.recover(null))?.sections, [
      section('changes', 2),
      section('write-work', 1),
    ]);
  });

  it('is of that server only, and goes with its last capture', async () => {
    const { files, captures } = openOn();
    await captures.keep({ ...recordOf('old', 1, 'OTHER\\A'), sections: [section('write-work', 7)] });
    await captures.keep({ ...recordOf('unsaid', 2, null), sections: [section('write-work', 8)] });
    for (let n = 3; n <= MOST_CAPTURES_KEPT; n++)
      await captures.keep({ ...recordOf(`c${n}`, n), sections: [section('changes', n)] });
    const sections = (): number => files.names.filter((name) => name.endsWith('.section')).length;
    assert.deepEqual(
      (await captures.recover('OTHER\\A'))?.sections,
      [section('write-work', 8)],
      'of the newest that may be of it',
    );
    assert.equal(sections(), 3);
    await captures.keep(recordOf('last', 100));
    assert.equal(sections(), 2, 'the one of the server whose only capture was removed is gone');
    for (const n of [101, 102]) await captures.keep(recordOf(`c${n}`, n));
    assert.equal(sections(), 1, 'that of a server that has other captures stays');
  });

  it('is told of and left out where it is damaged or of another server, and the capture is recovered all the same', async () => {
    const { files, captures, said } = openOn();
    await captures.keep({ ...recordOf('a', 1), sections: [section('write-work', 1, 2, 3)] });
    const [path = ''] = files.names.filter((name) => name.endsWith('.section'));
    const whole = files.get(path);
    for (let at = 0; at < whole.length; at++) {
      files.put(
        path,
        whole.map((byte, place) => (place === at ? byte ^ 0x20 : byte)),
      );
      assert.deepEqual((await captures.recover('PROD-SQL07'))?.sections, [], `byte ${at}`);
    }
    for (let length = 0; length < whole.length; length++) {
      files.put(path, whole.subarray(0, length));
      assert.deepEqual((await captures.recover('PROD-SQL07'))?.sections, [], `length ${length}`);
    }
    assert.equal(said.length, 2 * whole.length);
    assert.match(
      said[0] ?? '',
      /^of-[0-9a-f]{8}-write-work\.section was skipped: it is not a file of Checkpoint Health\.$/,
    );
  });

  it('holds what two windows noted at the same time, each entry once, in files that do not pile up', async () => {
    const { files } = openMemoryFolder();
    const openWindow = (): ServerCaptures =>
      openServerCaptures(new CaptureFolder('captures', diskOf(files)), 'PROD', assert.fail);
    const noteAll = async (window: ServerCaptures, source: 'user' | 'observed'): Promise<void> => {
      const own: DatabaseChange[] = [];
      for (let databaseId = 1; databaseId <= 60; databaseId++) {
        own.push(changeOf(databaseId, 7, { source, fromSeconds: null }));
        await window.keep({
          ...recordOf('a', databaseId),
          sections: writeNoted([...own], { plans: [], looks: [] }, own),
        });
      }
    };
    await Promise.all([noteAll(openWindow(), 'user'), noteAll(openWindow(), 'observed')]);
    const sections = (await openWindow().recover('PROD-SQL07'))?.sections ?? [];
    const noted = sections
      .filter(({ name }) => name === 'changes')
      .flatMap(({ bytes }) => decodeChanges(bytes).changes);
    assert.equal(
      noted.reduce((all, change) => joinChanges(all, [change]), [] as readonly DatabaseChange[]).length,
      120,
    );
    assert.ok(files.names.filter((name) => name.endsWith('.section')).length <= 4, files.names.join());
  });

  it('loses and doubles nothing where windows of an earlier and of a later version keep theirs in turns', async () => {
    const { files, folder, captures, said } = openOn();
    const noted = (databaseId: number): DatabaseChange => changeOf(databaseId, 7, { source: 'user' });
    const keepOwn = (...ids: number[]): Promise<void> =>
      captures.keep({
        ...recordOf('a', 1),
        sections: writeNoted(ids.map(noted), { plans: [], looks: [] }, []),
      });
    // The one before writes its list as a whole, in a file of one name; the one to come, an entry of another kind and a
    // file of another format.
    await folder.keepSections('PROD-SQL07', [section('changes', ...encodeChanges([noted(1)]))]);
    await keepOwn(2);
    const [file = ''] = files.names.filter((name) => name.includes('-changes'));
    const later = new Uint8Array(
      Buffer.from(
        Buffer.from(files.get(file)).toString('latin1').replace('"version":1', '"version":2'),
        'latin1',
      ),
    );
    const laterFile = file.replace(/changes.*section/, 'changes-later.section');
    files.put(laterFile, later);
    await folder.keepSections('PROD-SQL07', [
      section('changes', ...encodeChanges([noted(1), noted(3)], [{ source: 'agent' }])),
    ]);
    await keepOwn(2, 4);
    const { sections = [] } = (await captures.recover('PROD-SQL07')) ?? {};
    const [{ changes, others } = assert.fail()] = sections
      .filter(({ name }) => name === 'changes')
      .map(({ bytes }) => decodeChanges(bytes));
    assert.deepEqual(
      [changes.map(({ databaseId }) => databaseId).sort(), others],
      [[1, 2, 3, 4], [{ source: 'agent' }]],
    );
    assert.equal(files.get(laterFile), later);
    assert.match(
      said.join(),
      /changes-later\.section was skipped: it has version 2, and only versions up to 1 can be read\. Use the version/,
    );
  });

  it('is read whole while another window joins one file to another', async () => {
    const { files, folder } = openMemoryFolder();
    const join = function* (earlier: Uint8Array): Steps<Uint8Array> {
      yield;
      return Uint8Array.of(...earlier, 2);
    };
    const joining = { ...section('changes', 1), join };
    await folder.keepSections('PROD-SQL07', [joining]);
    let isJoined = false;
    const readFile = async (path: string): Promise<Uint8Array> => {
      if (!isJoined) await folder.keepSections('PROD-SQL07', [joining]).finally(() => (isJoined = true));
      return files.readFile(path);
    };
    const reading = new CaptureFolder(
      'captures',
      diskOf(Object.assign(Object.create(files) as typeof files, { readFile })),
    );
    const { sections, problems } = await reading.recoverSections('PROD-SQL07');
    assert.deepEqual(problems, []);
    assert.deepEqual(sections, [section('changes', 1, 2)]);
  });

  it('is taken from within the capture where an earlier version kept it there', async () => {
    const { folder, captures } = openOn();
    await folder.keep({
      ...recordOf('a', 1),
      sections: [section('write-work', 1), section('changes', 1)],
      serverLabel: 'PROD',
    });
    await folder.keepSections('PROD-SQL07', [section('changes', 2)]);
    assert.deepEqual((await captures.recover('PROD-SQL07'))?.sections, [
      section('write-work', 1),
      section('changes', 2),
    ]);
  });
});
