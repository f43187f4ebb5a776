import assert from 'node:assert/strict';
import type { ReviewText } from '../../../src/core/script/text';
import type { ConnectionHost } from '../../../src/hosts/host';
import { createMssqlHost } from '../../../src/hosts/mssql/host';
import { createFakeMssql, type FakeMssql } from './fake';
import { databaseNode, profile, serverNode } from './nodes';

const SCRIPT = '/* SWITCH */' as ReviewText;
const TWIN = '/* ROLLBACK */' as ReviewText;
const turns = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a script for a server of mssql', () => {
  let fake: FakeMssql;
  let host: ConnectionHost;
  let given: unknown[];
  const open = (text = SCRIPT, place?: 'in front' | 'beside'): Promise<string | null> =>
    host.editor.open(text, 'Switch', 'mssql:one', place);
  const newQuery = (action: (node: unknown) => unknown): void => {
    fake.does['objectExplorerNewQuery'] = (node) => {
      given.push(node);
      return action(node);
    };
  };
  const shown = (): readonly (readonly [string, string | null])[] =>
    [...fake.editors.documents.values()].map(({ text, connectedTo }) => [text, connectedTo]);

  beforeEach(() => {
    fake = createFakeMssql();
    host = createMssqlHost(fake.world);
    given = [];
    newQuery(() =>
      fake.editors.show(`untitled:Untitled-${fake.editors.documents.size + 1}`, { connectedTo: 'sql07' }),
    );
  });

  it("is written into mssql's own connected query, by the server's node and not the database's", async () => {
    host.readTarget(databaseNode);
    await open();
    assert.deepEqual(shown(), [[SCRIPT, 'sql07']]);
    assert.deepEqual(given, [serverNode]);
  });

  it('is left to a document that is connected to nothing where no node was pointed at', async () => {
    assert.deepEqual([await open(), shown()], [null, []]);
    assert.deepEqual(fake.calls, []);
  });

  it('is not written into a query of the old address after its connection was edited', async () => {
    host.readTarget(serverNode);
    fake.user = [{ ...profile, server: 'sql99' }];
    assert.deepEqual([await open(), given], [null, []]);
  });

  it('has its rollback beside it, connected too, and keeps the front', async () => {
    host.readTarget(serverNode);
    await open();
    await open(TWIN, 'beside');
    assert.deepEqual(shown(), [[SCRIPT, 'sql07'], [TWIN, 'sql07']]); // oxfmt-ignore
    assert.deepEqual(fake.editors.groups, [['untitled:Untitled-1'], ['untitled:Untitled-2']]);
    assert.equal(fake.editors.front, 'untitled:Untitled-1');
  });

  it('waits for the editor, which may come before the command is done or after it', async () => {
    host.readTarget(serverNode);
    newQuery(() => new Promise(() => fake.editors.show('untitled:early', { connectedTo: 'sql07' })));
    await open();
    newQuery(() => setImmediate(() => fake.editors.show('untitled:late', { connectedTo: 'sql07' })));
    await open();
    assert.deepEqual(shown(), [[SCRIPT, 'sql07'], [SCRIPT, 'sql07']]); // oxfmt-ignore
  });

  const refusals: readonly (readonly [string, (fake: FakeMssql) => unknown])[] = [
    ['fails', () => Promise.reject(new Error('no such node'))],
    ['opens nothing', () => undefined],
    ['never ends', () => new Promise(() => undefined)],
    ['shows a document that was open before', ({ editors }) => void (editors.front = 'untitled:users')],
    [
      'shows a document with something in it',
      ({ editors }) => editors.show('untitled:template', { text: 'SELECT 1;' }),
    ],
    ['shows a file', ({ editors }) => editors.show('file:///a.sql', { isUntitled: false })],
    ['shows another language', ({ editors }) => editors.show('untitled:x', { languageId: 'plaintext' })],
    [
      'shows a document that the user makes an empty SQL document',
      ({ editors }) => {
        editors.show('untitled:x', { languageId: 'plaintext' });
        editors.show('untitled:x');
      },
    ],
  ];
  for (const [name, action] of refusals)
    it(`is left to a document of its own where mssql's command ${name}`, async () => {
      host.readTarget(serverNode);
      fake.editors.show('untitled:users', { text: 'DELETE' });
      fake.editors.show('untitled:empty');
      fake.editors.show('untitled:front', { text: '' });
      newQuery(() => action(fake));
      const before = shown();
      const opening = open();
      await turns();
      fake.pass(10_000);
      assert.equal(await opening, null);
      assert.deepEqual(shown().slice(0, before.length), before);
      assert.ok(shown().every(([text]) => text !== SCRIPT));
    });

  it('never overwrites what was typed while it waited', async () => {
    host.readTarget(serverNode);
    const { editors } = fake.world;
    const typing = {
      ...editors,
      fill: async () => (fake.editors.show('untitled:typed', { text: 'mine' }), false),
    };
    host = createMssqlHost({ ...fake.world, editors: typing });
    host.readTarget(serverNode);
    assert.equal(await open(), null);
    assert.equal(fake.editors.documents.get('untitled:typed')?.text, 'mine');
  });

  it('is never run', async () => {
    host.readTarget(serverNode);
    await open();
    await open(TWIN, 'beside');
    assert.deepEqual(new Set(fake.calls), new Set(['commands.objectExplorerNewQuery(node)']));
  });
});
