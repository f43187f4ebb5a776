import assert from 'node:assert/strict';
import { ConnectionError } from '../../../src/hosts/host';
import { createAllowance, type IdRange, readInPages } from '../../../src/monitor/queries/paged-read';

const ids = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 5);
const idsOf = ({ first_database_id, last_database_id }: IdRange, all: readonly number[]): readonly number[] =>
  all.filter((id) => id >= Number(first_database_id) && id <= Number(last_database_id));
const failed = (
  reason: 'queryFailed' | 'permissionDenied' | 'timedOut' | 'disconnected',
  number = 0,
): ConnectionError => new ConnectionError(reason, `It ${reason}.`, number);

/** Reads pages of this many databases; `fails` gives the error of a database that fails its page. */
async function read(count: number, fails: (id: number) => ConnectionError | null, mostMs = Infinity) {
  let now = 0;
  const pages: number[] = [];
  const unread: string[] = [];
  const all = ids(count);
  const paged = { allowance: createAllowance(() => now, mostMs), unread };
  const answer = await readInPages(paged, all, 'logs', (range) => {
    now += 1_000;
    const page = idsOf(range, all);
    pages.push(page.length);
    const error = page.map(fails).find((each) => each !== null);
    return error === undefined || error === null ? Promise.resolve(page) : Promise.reject(error);
  });
  return { answer, pages, unread };
}

describe('A read in pages of databases', () => {
  it('asks for all of them once, some hundreds at a time', async () => {
    const { answer, pages, unread } = await read(1_200, () => null);
    assert.deepEqual(
      [answer.kind === 'observed' && answer.value, pages, unread],
      [ids(1_200), [500, 500, 200], []],
    );
  });

  it('loses one database to an error, and no other, and says which', async () => {
    const { answer, pages, unread } = await read(1_000, (id) =>
      id === 333 ? failed('queryFailed', 9001) : null,
    );
    assert.equal(answer.kind === 'observed' && answer.value.length, 999);
    assert.deepEqual(unread, ['The transaction log of database_id 333 could not be read: It queryFailed.']);
    assert.ok(pages.length <= 22, `${pages.length} questions`);
  });

  it('gives up if the cause does not lie in single databases', async () => {
    const { answer, pages } = await read(1_000, () => failed('queryFailed', 9001));
    assert.deepEqual(answer, { kind: 'not observable', reason: 'It queryFailed.' });
    assert.ok(pages.length < 60, `${pages.length} questions`);
  });

  it('asks once if it is refused or the function is not there', async () => {
    for (const error of [failed('permissionDenied', 300), failed('queryFailed', 208)]) {
      const { answer, pages } = await read(1_000, () => error);
      assert.deepEqual([answer.kind, pages], ['not observable', [500]]);
    }
  });

  it('keeps what came in time, and says how many did not', async () => {
    const { answer, unread } = await read(2_000, () => null, 2_000);
    assert.equal(answer.kind === 'observed' && answer.value.length, 1_000);
    assert.match(
      unread.join(),
      /The transaction logs of 1,000 databases were not read\. It was not read within the limit of 2 s/,
    );
    const late = await read(1_000, (id) => (id > 600 ? failed('timedOut') : null));
    assert.equal(late.answer.kind === 'observed' && late.answer.value.length, 500);
    assert.deepEqual(late.unread, ['The transaction logs of 500 databases were not read. It timedOut.']);
  });

  it('is not observable, with the reason, if the time was over before', async () => {
    const { answer, pages } = await read(10, () => null, 0);
    assert.deepEqual([answer.kind, pages], ['not observable', []]);
  });

  it('fails if the connection is lost', async () => {
    await assert.rejects(
      read(10, () => failed('disconnected')),
      { reason: 'disconnected' },
    );
  });

  it('asks nothing if there are no databases', async () => {
    const { answer, pages } = await read(0, () => null);
    assert.deepEqual([answer, pages], [{ kind: 'observed', value: [] }, []]);
  });
});
