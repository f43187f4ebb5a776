import assert from 'node:assert/strict';
import type { Pane } from '../../../src/shell/tree/pane';
import { happened, loadWithVsCode } from '../fake-vscode';

/* eslint-disable-next-line @typescript-eslint/no-require-imports -- `vscode` exists only while this is loaded */
const { Pane: Made } = loadWithVsCode(() => require('../../../src/shell/tree/pane') as { Pane: typeof Pane });

describe('the pane', () => {
  it('is in one place at a time, and leaves no word of it behind when extensions are restarted', async () => {
    happened.length = 0;
    const pane = new Made({} as never, 'mssql');
    pane.moveTo('own');
    await pane.focus();
    pane.dispose();
    assert.deepEqual(happened, [
      'checkpointHealth.servers.mssql made',
      ['setContext', 'checkpointHealth.host', 'mssql'],
      'checkpointHealth.servers made',
      ['setContext', 'checkpointHealth.host', 'own'],
      ['checkpointHealth.servers.focus'],
      'checkpointHealth.servers.mssql disposed',
      'checkpointHealth.servers disposed',
      ['setContext', 'checkpointHealth.host', undefined],
    ]);
  });
});
