import assert from 'node:assert/strict';
import type { ReviewText } from '../../../src/core/script/text';
import { connectRow, seeded, seededServer, startAzdata, type AzdataTest } from './host';
import { recordedId } from '../azdata-fake/azdata-fake';

const script = 'ALTER DATABASE [x] SET TARGET_RECOVERY_TIME = 60 SECONDS;' as ReviewText;

async function show({ host }: AzdataTest, place?: 'beside', id = seededServer.id): Promise<void> {
  await host.editor.open(script, 'Switch', id, place);
}

describe('A script in Azure Data Studio', () => {
  it("is open in a query editor that is connected by the user's own connection, and is not run", async () => {
    const test = startAzdata();
    await connectRow(test.fake);
    await show(test);
    const [opened] = test.fake.editors.opened;
    assert.deepEqual([opened?.content, test.fake.editors.connectedTo(opened!.uri)], [script, 'seedhost']);
    assert.deepEqual([test.fake.queries.asked, test.fake.connected, test.editor.warnings], [[], [], []]);
    assert.equal('runQuery' in test.fake.azdata.queryeditor, false, 'there is nothing that could run it');
  });

  it('is connected where the server was not: it is connected first, because the host ignores an id that is not in use', async () => {
    const test = startAzdata();
    await test.fake.azdata.queryeditor.connect('untitled:SQLQuery_0', recordedId);
    assert.equal(test.fake.editors.connectedTo('untitled:SQLQuery_0'), null);
    await show(test);
    assert.equal(test.fake.editors.connectedTo('untitled:SQLQuery_1'), 'seedhost');
    assert.deepEqual(test.editor.warnings, []);
  });

  it('stays in front, or is moved beside what is in front, which stays the active one', async () => {
    const test = startAzdata();
    await show(test);
    assert.deepEqual(test.editor.commands, []);
    await show(test, 'beside');
    assert.deepEqual(test.editor.commands, [
      'workbench.action.moveEditorToRightGroup',
      'workbench.action.focusLeftGroup',
    ]);
  });

  describe('that cannot be connected is open all the same, and one sentence says so', () => {
    const assertWarned = async (test: AzdataTest, sentence: RegExp, id?: string): Promise<void> => {
      await show(test, undefined, id);
      assert.equal(test.fake.editors.opened.length, 1);
      assert.equal(test.editor.warnings.length, 1);
      assert.match(test.editor.warnings[0] ?? '', sentence);
      assert.match(test.editor.warnings[0] ?? '', /Connect its editor before you run it\.$/);
    };

    it('where the login fails', async () => {
      const test = startAzdata({ passwords: { [recordedId]: '' } });
      await assertWarned(test, /^The script is open, but it is not connected to seeded \(/);
    });

    it('where the editor never gets connected', async () => {
      const test = startAzdata({}, { scriptPatienceMs: 10 });
      test.fake.editors.isStuck = true;
      await assertWarned(test, /did not answer within 0\.01 s/);
    });

    it('where the login never ends', async () => {
      await assertWarned(
        startAzdata({ logIn: () => new Promise(() => undefined) }, { scriptPatienceMs: 10 }),
        /did not answer/,
      );
    });

    it('where the host says nothing and yet has not connected it', async () => {
      const test = startAzdata();
      test.fake.azdata.queryeditor.connect = async () => undefined;
      await assertWarned(test, /Azure Data Studio does not say why/);
    });

    it('where the host has connected it to another server', async () => {
      const test = startAzdata({ saved: [seeded, { ...seeded, id: 'other', server: 'elsewhere' }] });
      await connectRow(test.fake, 'other').catch(() => undefined);
      test.fake.azdata.queryeditor.connect = async (uri) => {
        const profile = {
          ...test.fake.find(recordedId),
          options: { ...test.fake.find(recordedId).options, server: 'elsewhere' },
        };
        await test.fake.connections.connect(profile, uri);
      };
      await assertWarned(test, /it is connected to elsewhere/);
    });

    it('where its server is listed no more', async () => {
      await assertWarned(
        startAzdata(),
        /not connected to its server \(its server is no longer listed\)/,
        'azdata:gone',
      );
    });
  });
});
