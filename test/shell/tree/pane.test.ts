import assert from 'node:assert/strict';
import type * as PaneModule from '../../../src/shell/tree/pane';
import { happened, host, loadShell, views } from '../fake-vscode';
import { partsOf } from '../sample';

const { Pane, revealSteadily } = loadShell<typeof PaneModule>('tree/pane');

describe('the pane', () => {
  it('is in one place at a time, and leaves no word of it behind when extensions are restarted', async () => {
    happened.length = 0;
    const pane = new Pane({} as never, 'mssql');
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

describe('the badge of the pane', () => {
  const badge = { value: 2, tooltip: '2 servers are tracked.' };
  beforeEach(() => (views.length = 0));
  afterEach(() => (host.hasBadges = true));

  it('is on the view that is shown, moves with the pane, and goes where nothing is tracked', () => {
    const pane = new Pane({} as never, 'own');
    pane.showBadge(badge);
    assert.deepEqual(partsOf(views, 'id', 'badge'), [['checkpointHealth.servers', badge]]);
    pane.moveTo('mssql');
    assert.deepEqual(partsOf(views, 'id', 'badge'), [
      ['checkpointHealth.servers', undefined],
      ['checkpointHealth.servers.mssql', badge],
    ]);
    pane.showBadge(undefined);
    assert.deepEqual(views[1]?.badge, undefined);
  });

  it('is missed by nobody where the host has none', () => {
    host.hasBadges = false;
    const pane = new Pane({} as never, 'azdata');
    pane.showBadge(badge);
    pane.moveTo('own');
    const badges = views.map((view) => 'badge' in view);
    assert.deepEqual(badges, [false, false]);
  });
});

describe('showing a row of the pane', () => {
  const pauses: number[] = [];
  const pause = async (durationMs: number): Promise<void> => void pauses.push(durationMs);
  beforeEach(() => (pauses.length = 0));

  for (const [what, worksAt, failure, paused] of [
    ['waits for nothing where the row can be shown at once', 1, undefined, 0],
    ['tries again when the tree was drawn again meanwhile', 3, undefined, 2],
    ['gives up in the end and hands back why', 9, 'Error: attempt 4', 3],
  ] as const)
    it(what, async () => {
      let attempts = 0;
      const reveal = async (): Promise<void> => {
        if (++attempts < worksAt) throw new Error(`attempt ${attempts}`);
      };
      const left = await revealSteadily(reveal, pause);
      assert.deepEqual([left === null ? undefined : String(left.failure), pauses.length], [failure, paused]);
    });
});
