import assert from 'node:assert/strict';
import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPastedLog } from '../../../src/shell/error-logs/error-log-document';
import { KeptErrorLogs, createKeptFiles } from '../../../src/shell/error-logs/kept-error-logs';

const log = readPastedLog('ERRORLOG', '2026-03-02 08:00:00.00 spid7s  Starting up database.');
const [one, two, three] = ['log-0000000000000001', 'log-0000000000000002', 'log-0000000000000003'] as const;
const dayMs = 24 * 3_600_000;
const nowUtcMs = Date.now();

describe('Kept pages of error logs on disk', () => {
  let home: string;
  let folder: string;
  beforeEach(async () => {
    home = await files.mkdtemp(join(tmpdir(), 'kept-'));
    folder = join(home, 'error-logs');
  });
  afterEach(() => files.rm(home, { recursive: true }));

  /** As another window sees the same place. */
  const open = (): KeptErrorLogs => new KeptErrorLogs(createKeptFiles(folder, files));
  const modeOf = async (path: string): Promise<string> => ((await files.stat(path)).mode & 0o777).toString(8);
  const age = (id: string, days: number): Promise<void> => {
    const at = new Date(nowUtcMs - days * dayMs);
    return files.utimes(join(folder, `${id}.json`), at, at);
  };

  it("are the user's own, also where an earlier version left them open to others", async () => {
    await files.mkdir(folder, { mode: 0o755 });
    await files.writeFile(join(folder, `${one}.json`), '{}', { mode: 0o644 });
    await open().keep(one, log);
    assert.deepEqual([await modeOf(folder), await modeOf(join(folder, `${one}.json`))], ['700', '600']);
    assert.deepEqual(await open().find(one), log);
  });

  it('go when no window has used them for a month, and with them nothing that is not ours', async () => {
    const before = open();
    for (const id of [one, two, three]) await before.keep(id, log);
    await files.writeFile(join(folder, 'notes.json'), 'x');
    for (const id of [one, two, 'notes']) await age(id, 31);
    await age(three, 29);
    assert.notEqual(await open().find(two), null);
    await open().sweepUnused(nowUtcMs);
    assert.deepEqual((await files.readdir(folder)).sort(), [`${two}.json`, `${three}.json`, 'notes.json']);
  });

  it('are none where there is no folder yet, which is no failure', async () => {
    assert.deepEqual(await createKeptFiles(folder, files).list(), []);
    await assert.rejects(createKeptFiles(`${home}\0`, files).list());
    await open().sweepUnused(nowUtcMs);
    await open().sweep();
    assert.deepEqual([await open().find(one), await files.readdir(home)], [null, []]);
  });
});
