import assert from 'node:assert/strict';
import type { InstanceVerdict } from '../../src/core/advice/instance';
import type { ServerSnapshot } from '../../src/monitor/server-monitor';
import type * as statusBars from '../../src/shell/status-bar';
import { agree, type Desk, openDesk, savedServer } from './fake-editor';
import { loadShell, statusItems } from './fake-vscode';
import { facts, instanceWith, notTracking, nowUtcMs, snapshot, tracking, upgradedServer } from './sample';

const { describeBadge, describeStatus, StatusBar } = loadShell<typeof statusBars>('status-bar');

function tracked(
  label: string,
  share: number,
  more: Partial<ServerSnapshot> = {},
  verdict: Partial<InstanceVerdict> = {},
): ServerSnapshot {
  const instance = instanceWith({ 5: share / 2, 6: share / 2 }, verdict);
  return snapshot(upgradedServer(), { id: label, label, tracking, instance, ...more });
}

function watchedFor(minutes: number): ServerSnapshot {
  const observation = { beginUtcMs: nowUtcMs, endUtcMs: nowUtcMs + minutes * 60_000 + 12_000, gaps: [] };
  const early = { state: 'cannot tell yet', neededMs: (10 - minutes) * 60_000 } as const;
  return tracked('LEGACY-SQL07', 0.93, { tracking: { ...tracking, observation } }, early);
}

const textOf = (...servers: readonly ServerSnapshot[]): string | undefined => describeStatus(servers)?.text;

describe('the status bar', () => {
  it('says nothing where nothing is tracked', () => {
    const stopped = tracked('A', 0.97, { tracking: { ...tracking, state: 'stopped' } });
    assert.equal(describeStatus([]), null);
    assert.equal(describeStatus([snapshot(facts([])), stopped]), null);
    assert.equal(
      describeStatus([snapshot(facts([]), { tracking: { ...notTracking, isLastSeen: true } })]),
      null,
    );
  });

  it('says for how long a server was watched before its first verdict', () => {
    const texts = [0, 1, 4].map((minutes) => textOf(watchedFor(minutes)));
    assert.deepEqual(texts, ['LEGACY-SQL07 < 1 min', 'LEGACY-SQL07 1 min', 'LEGACY-SQL07 4 min']);
    assert.equal(describeStatus([watchedFor(4)])?.icon, 'record');
  });

  it('says of several servers how busy the busiest is, and opens that one', () => {
    const servers = [tracked('A', 0.2), tracked('B', 0.97), tracked('C', 0.4)];
    const status = describeStatus(servers);
    assert.deepEqual([status?.text, status?.serverId], ['3 servers, up to 97 % busy', 'B']);
    assert.equal(status?.tooltip, 'A: 20 % busy\nB: 97 % busy\nC: 40 % busy');
    assert.equal(textOf(watchedFor(4), watchedFor(3)), '2 servers tracked');
    assert.equal(
      textOf(watchedFor(4), tracked('B', 0.2)),
      '2 servers, up to 20 % busy',
      'a first figure is no verdict',
    );
  });

  const standing = {
    kind: 'unreachable',
    sentence: 'It is gone.',
    sinceMs: nowUtcMs,
    retryInMs: 5000,
  } as const;
  const away: Partial<ServerSnapshot> = {
    connection: 'failed',
    standing,
    tracking: { ...tracking, isLastSeen: true },
  };
  for (const [what, more, said] of [
    [
      'events that were lost',
      { tracking: { ...tracking, lostEvents: 214 } },
      /^LEGACY-SQL07 lost 214 events$/,
    ],
    ['buffers that were lost', { tracking: { ...tracking, lostBuffers: 1 } }, /^LEGACY-SQL07 lost 1 buffer$/],
    [
      'a session that is gone',
      { tracking: { ...tracking, state: 'stopped', trouble: 'session gone' } as const },
      /^LEGACY-SQL07 session gone$/,
    ],
    [
      'a session that cannot be read',
      { tracking: { ...tracking, trouble: 'not read' } as const },
      /^LEGACY-SQL07 cannot be read$/,
    ],
    ['a server that cannot be reached', away, /^LEGACY-SQL07 not reached since \d\d:\d\d$/],
  ] as const)
    it(`warns of ${what}`, () => {
      const status = describeStatus([tracked('B', 0.1), tracked('LEGACY-SQL07', 0.97, more)]);
      assert.deepEqual([status?.icon, status?.serverId], ['warning', 'LEGACY-SQL07']);
      assert.match(status?.text ?? '', said);
    });

  it('says which limit is exceeded, then which is near, behind what is lost or out of sight', () => {
    const sign = (isUp: boolean): Partial<ServerSnapshot> => {
      const [brief, value] = isUp ? ['log used 71 %', '71 %'] : ['log used 63 %', '63 %'];
      return {
        nearestLimit: {
          id: 'log used',
          brief,
          text: `log used in Alpine_Billing ${value}, limit 70 %`,
          isUp,
        },
      };
    };
    const [up, near] = [tracked('LEGACY-SQL07', 0.4, sign(true)), tracked('STORM-SQL02', 0.97, sign(false))];
    const status = describeStatus([near, up]);
    assert.deepEqual(
      [status?.icon, status?.text, status?.serverId],
      ['warning', 'LEGACY-SQL07: log used 71 %', 'LEGACY-SQL07'],
    );
    assert.equal(
      status?.tooltip,
      'STORM-SQL02: 97 % busy; Near a limit: log used in Alpine_Billing 63 %, limit 70 %\n' +
        'LEGACY-SQL07: 40 % busy; Stop: log used in Alpine_Billing 71 %, limit 70 %',
    );
    const soon = describeStatus([tracked('A', 0.99), near]);
    assert.deepEqual(
      [soon?.icon, soon?.text],
      ['pulse', 'STORM-SQL02 near a limit: log used 63 %'],
      'no warning yet',
    );
    assert.equal(
      textOf(up, tracked('B', 0.1, { tracking: { ...tracking, lostEvents: 2 } })),
      'B lost 2 events',
    );
  });

  it('does not call lost what could not be counted', () => {
    assert.equal(textOf(tracked('A', 0.5, { tracking: { ...tracking, lostEvents: null } })), 'A 50 % busy');
  });

  it('is beside a badge of the pane, which counts what is tracked and what needs attention', () => {
    assert.equal(describeBadge([]), undefined);
    assert.equal(
      describeBadge([tracked('A', 0.97, { tracking: { ...tracking, state: 'stopped' } })]),
      undefined,
    );
    const twin = { ...tracked('B', 0.97), sameAs: 'A' };
    assert.deepEqual(describeBadge([tracked('A', 0.97), twin, snapshot(facts([]))]), {
      value: 1,
      tooltip: '1 server is tracked.',
    });
    const sign = {
      id: 'log used',
      brief: 'log used 71 %',
      text: 'log used in a 71 %, limit 70 %',
      isUp: true,
    } as const;
    const near = tracked('C', 0.3, { nearestLimit: { ...sign, isUp: false } });
    const lost = tracked('B', 0.5, { tracking: { ...tracking, lostEvents: 214 } });
    assert.equal(
      describeBadge([tracked('A', 0.97), near])?.tooltip,
      '2 servers are tracked.',
      'near a limit is not at it',
    );
    const badge = { value: 3, tooltip: '3 servers are tracked. 1 needs attention.' };
    assert.deepEqual(describeBadge([tracked('A', 0.97), lost, near]), badge);
    assert.match(
      describeBadge([lost, tracked('D', 0.3, { nearestLimit: sign })])?.tooltip ?? '',
      / 2 need attention\.$/,
    );
  });

  describe('in the window', () => {
    let desk: Desk;
    let bar: statusBars.StatusBar;
    beforeEach(async () => {
      desk = await openDesk(tracked('x', 0.97));
      statusItems.length = 0;
      bar = new StatusBar(desk.servers);
    });
    afterEach(() => bar.dispose());

    it('is one item that a click opens the dashboard with, that warns, and that goes with tracking', async () => {
      await desk.servers.connect('server-1', agree);
      const [item = assert.fail()] = statusItems;
      assert.deepEqual(
        [item.isShown, item['text'], item['backgroundColor']],
        [true, '$(pulse) Production 7 97 % busy', undefined],
      );
      assert.deepEqual(item['command'], {
        command: 'checkpointHealth.openDashboard',
        title: 'Open Checkpoint Timeline',
        arguments: [{ serverId: 'server-1', databaseIds: [], group: null }],
      });
      assert.equal(
        (item['accessibilityInformation'] as { label: string }).label,
        'Checkpoint Health: Production 7 97 % busy',
      );
      desk.monitor.become({ tracking: { ...tracking, lostEvents: 3 } });
      assert.equal(item['text'], '$(warning) Production 7 lost 3 events');
      assert.deepEqual((item['backgroundColor'] as { id: string }).id, 'statusBarItem.warningBackground');
      desk.monitor.become({ tracking: { ...tracking, state: 'stopped' } });
      assert.equal(item.isShown, false);
    });

    it('shows names as they are: none becomes a picture, and what nobody sees is shown', async () => {
      await desk.servers.save({ ...savedServer, name: '$(trash) $(a b) x\u202E' });
      await desk.servers.connect('server-1', agree);
      assert.equal(statusItems[0]?.['text'], '$(pulse) $ (trash) $ (a b) x<U+202E> 97 % busy');
    });
  });
});
