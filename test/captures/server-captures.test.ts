import assert from 'node:assert/strict';
import type { CaptureFolder } from '../../src/captures/capture-folder';
import type { KeptCapture } from '../../src/captures/kept-capture';
import { mostCapturesKept, openServerCaptures } from '../../src/captures/server-captures';
import type { KeptRecord } from '../../src/core/capture/capture-record';

function folderOf(kept: Map<string, KeptCapture>, problems: { file: string; message: string }[] = []): CaptureFolder {
  return {
    keep: (capture) => Promise.resolve(void kept.set(capture.id, capture)),
    list: () => {
      const captures = [...kept.values()].map(({ id, serverLabel, serverName, observation, columns }) => ({
        id,
        serverLabel,
        serverName,
        observation,
        rows: columns.rows,
      }));
      return Promise.resolve({ captures, problems });
    },
    recover: (id) => {
      const capture = kept.get(id);
      return Promise.resolve(capture === undefined ? { capture: null, problem: 'it is gone' } : { capture, problem: null });
    },
    remove: (id) => Promise.resolve(void kept.delete(id)),
  };
}

function recordOf(id: string, endUtcMs: number, serverName: string | null = 'PROD-SQL07'): KeptRecord {
  const columns = { rows: 0, beginUtcMs: new Float64Array(0), durationMs: new Uint32Array(0), database: new Uint16Array(0) };
  const ledger = {
    rowsRead: 0,
    checkpoints: 0,
    unpaired: 0,
    duplicates: 0,
    malformed: 0,
    other: 0,
    otherByName: new Map(),
    open: 0,
    held: 0,
  };
  return {
    id,
    databases: [],
    observation: { beginUtcMs: 0, endUtcMs, gaps: [] },
    ledger,
    columns,
    serverName,
    state: null,
    following: null,
    sections: [],
  };
}

describe('The captures of one server', () => {
  it('are those of the server that answers now, where a connection was made to lead to another one', async () => {
    const captures = openServerCaptures(folderOf(new Map()), 'PROD', assert.fail);
    await captures.keep(recordOf('ours', 100));
    await captures.keep(recordOf('unsaid', 50, null));
    await captures.keep(recordOf('another', 300, 'TEST-SQL01'));
    const found = async (serverName: string | null): Promise<string | undefined> => (await captures.recover(serverName))?.id;
    assert.deepEqual([await found('PROD-SQL07'), await found(null), await found('NEW')], ['ours', 'another', 'unsaid']);
  });

  it('are recovered newest first by what they observed, whatever they are called', async () => {
    const captures = openServerCaptures(folderOf(new Map()), 'PROD', assert.fail);
    await captures.keep(recordOf('a', 300));
    await captures.keep(recordOf('b', 100));
    assert.equal((await captures.recover('PROD-SQL07'))?.id, 'a');
  });

  it('are none on a new machine', async () => {
    assert.equal(await openServerCaptures(folderOf(new Map()), 'PROD', assert.fail).recover('PROD-SQL07'), null);
  });

  it('are bounded in number: the oldest go', async () => {
    const kept = new Map<string, KeptCapture>();
    const captures = openServerCaptures(folderOf(kept), 'PROD', assert.fail);
    for (let n = 1; n <= mostCapturesKept + 3; n++) await captures.keep(recordOf(`c${n}`, n));
    assert.equal(kept.size, mostCapturesKept);
    assert.ok(!kept.has('c3') && kept.has('c4'));
  });

  it('say which files are no captures', async () => {
    const said: string[] = [];
    await openServerCaptures(folderOf(new Map(), [{ file: 'x', message: 'x was skipped.' }]), 'PROD', (problem) =>
      said.push(problem),
    ).recover('PROD-SQL07');
    assert.deepEqual(said, ['x was skipped.']);
  });
});
