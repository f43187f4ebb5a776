import assert from 'node:assert/strict';
import type { ReviewText } from '../../../src/core/script/text';
import { loadShell, tabs, vscode } from '../fake-vscode';

class TabInputText {
  constructor(readonly uri: string) {}
}
const documents: { readonly uri: string; readonly getText: () => string }[] = [];
Object.assign(vscode, { TabInputText });
Object.assign(vscode.window, { showTextDocument: async () => undefined });
Object.assign(vscode.workspace, {
  textDocuments: documents,
  openTextDocument: async ({ content }: { readonly content: string }) => {
    const document = { uri: `untitled:${documents.length}`, getText: () => content };
    tabs.push({ input: new TabInputText(document.uri) });
    documents.push(document);
    return document;
  },
});
const { ScriptTabs } =
  loadShell<typeof import('../../../src/shell/review/script-tabs')>('review/script-tabs');

it('A script is shown again in its tab, and in another one once its server has another address', async () => {
  let address = 'sql01';
  const scripts = new ScriptTabs(
    () => undefined,
    (id) => `${id} ${address}`,
  );
  const open = (id: string): Promise<void> => scripts.open('/* SWITCH */' as ReviewText, 'Switch', id);
  await open('one');
  await open('one');
  assert.equal(documents.length, 1);
  await open('two');
  address = 'sql99';
  await open('one');
  await open('one');
  assert.equal(documents.length, 3);
  tabs.length = 0;
});
