/** The adapter over the fake of Azure Data Studio, with one saved connection of a SQL login. */
import type { ReadText } from '../../../src/core/script/text';
import { createAzdataHost } from '../../../src/hosts/azdata/host';
import type { AzdataWorld } from '../../../src/hosts/azdata/world';
import type { HostChange, HostServer } from '../../../src/hosts/host';
import {
  AzdataFake,
  type AzdataFakeOptions,
  createEditorFake,
  recordedId,
  recordedPassword,
} from '../azdata-fake/azdata-fake';
import { writeUri } from '../azdata-fake/connections';
import { freely } from '../opening';

export const seeded = { id: recordedId, name: 'seeded', server: 'seedhost', user: 'sa' };
export const seededServer: HostServer = {
  id: `azdata:${recordedId}`,
  name: 'seeded',
  server: 'seedhost',
  user: 'sa',
};

export type AzdataTest = ReturnType<typeof startAzdata>;

export function startAzdata(options: AzdataFakeOptions = {}, world: Partial<AzdataWorld> = {}) {
  const fake = new AzdataFake({ saved: [seeded], passwords: { [recordedId]: recordedPassword }, ...options });
  const editor = createEditorFake(fake);
  const host = createAzdataHost({
    azdata: fake.azdata,
    vscode: editor.vscode,
    canReach: () => Promise.resolve(null),
    ...world,
  });
  const changes: HostChange[] = [];
  host.onDidChange((change) => changes.push(change));
  return { fake, editor, host, changes, open: (server = seededServer) => host.access(server).open(freely()) };
}

/** The user connects the row of a server in Object Explorer. */
export async function connectRow({ connections, find }: AzdataFake, id = recordedId): Promise<string> {
  const profile = find(id);
  const uri = writeUri(profile);
  await connections.connect(profile, uri);
  return uri;
}

export function read(text: string): ReadText {
  return text as ReadText;
}
