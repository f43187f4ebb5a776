import assert from 'node:assert/strict';
import type { Verdict } from '../../../src/core/advice/verdict';
import type { CapturedDatabase } from '../../../src/core/capture/checkpoint-columns';
import { findOffset } from '../../../src/core/errorlog/server-clock';
import { createDatabaseViews, createServerView, createTrackingView } from '../../../src/shell/dashboard/view';
import { FAKE_SERVER } from '../../webview/fake-capture';
import {
  database,
  facts,
  notTracking,
  partsOf,
  snapshot,
  tracking,
  unseenInstance,
  upgradedServer,
  withoutState,
} from '../sample';

const captureOf = (
  databaseId: number,
  name: string | null,
  createdLocal: string | null = null,
): CapturedDatabase => ({ databaseId, createdLocal, name });

describe('what the dashboard is told', () => {
  it('describes the server in one line and counts its automatic databases', () => {
    const [name, description] = ['Production 7', 'PROD-SQL07 · SQL Server 2019 · 256 GB memory · UTC+1'];
    const view = createServerView(snapshot(upgradedServer()));
    // The page is tested with what is made of such a server.
    assert.deepEqual(view, { ...FAKE_SERVER, name, description, instance: null });
    assert.deepEqual([view.automatic, view.databases], [312, 400]);
  });

  it('brings the verdict on the instance in words, and no forecast where nothing is advised', () => {
    const view = createServerView(snapshot(upgradedServer(), { instance: unseenInstance }))?.instance;
    assert.deepEqual(
      [view?.state, view?.words.title, view?.forecast],
      ['cannot tell yet', 'Too early to say.', null],
    );
    assert.equal(
      view?.words.lines[0]?.map(({ text }) => text).join(''),
      'Nothing recorded yet. A verdict takes 10 minutes of tracking.',
    );
  });

  it('says of a file that has checkpoints only what is not in it, and offers no tracking', () => {
    const file = { ...tracking, state: 'stopped', record: { utcOffsetMinutes: 60 } } as const;
    const failure = 'This file has checkpoints only.';
    const opened = snapshot(facts([]), { facts: null, connection: 'failed', failure, tracking: file });
    const view = createServerView(opened);
    assert.deepEqual([view?.description, view?.utcOffsetMinutes], ['has checkpoints only', 60]);
    const { state, message, obstacle } = createTrackingView(opened);
    assert.deepEqual([state, message, obstacle?.brief], ['stopped', failure, 'a saved capture']);
    const [first] = createDatabaseViews(opened, [captureOf(5, 'Orders')]);
    assert.equal(first?.reason, 'Its settings are not in this file.');
  });

  it('leaves out the memory that a login may not see, and takes the recovery interval that the server is set to', () => {
    const { description, recoveryIntervalMs } =
      createServerView(snapshot(withoutState(facts([], { recoveryIntervalMinutes: 5 })))) ?? assert.fail();
    assert.deepEqual([description, recoveryIntervalMs], ['PROD-SQL07 · SQL Server 2019 · UTC+1', 300_000]);
  });

  it("tells the offsets of the server's clock in numbers that every message can carry", () => {
    const offsets = [
      { fromUtcMs: -Infinity, offsetMinutes: 120 },
      { fromUtcMs: Date.UTC(2026, 9, 25, 1), offsetMinutes: 60 },
    ];
    const sent = createServerView(snapshot(upgradedServer()), offsets)?.offsets ?? [];
    assert.deepEqual(JSON.parse(JSON.stringify(sent)), sent);
    const at = [0, Date.UTC(2026, 9, 25, 0, 59), Date.UTC(2026, 9, 25, 1)];
    const offsetsThen = at.map((utcMs) => findOffset(sent, utcMs, 0));
    assert.deepEqual(offsetsThen, [120, 120, 60]);
  });

  it('says nothing of a server before it answered, and why when it did not', () => {
    const unknown = snapshot(upgradedServer(), { facts: null, connection: 'connecting' });
    assert.equal(createServerView(unknown), null);
    assert.deepEqual(createTrackingView(unknown), { ...notTracking, obstacle: null });
    const asked = 'the password of dba on SQL07';
    assert.equal(createTrackingView({ ...unknown, failure: 'No.', waitsFor: asked }).asked, asked);
    const failed = { ...unknown, connection: 'failed', failure: 'Wrong password.' } as const;
    assert.equal(createServerView(failed)?.description, 'could not be read');
    assert.deepEqual(createTrackingView(failed), {
      ...notTracking,
      state: 'failed',
      message: 'Wrong password.',
      obstacle: null,
    });
  });

  it('says that what is shown is old when the server cannot be reached any more', () => {
    const gone = snapshot(upgradedServer(), {
      connection: 'failed',
      failure: 'Could not reach it.',
      tracking,
    });
    assert.match(createServerView(gone)?.description ?? '', /as last seen$/);
    assert.deepEqual(createTrackingView(gone), { ...tracking, obstacle: null });
  });

  it('says why this login cannot track, whatever was shown or refused before, until a refresh finds that it may', () => {
    const { permissions } = facts([]).server;
    const reader = facts([], {
      loginName: 'reader',
      permissions: { ...permissions, alterEventSession: false },
    });
    const stopped = {
      ...tracking,
      state: 'stopped' as const,
      message: 'This capture is from an earlier session.',
    };
    for (const shown of [notTracking, stopped]) {
      const { message, obstacle } = createTrackingView(snapshot(reader, { tracking: shown }));
      assert.equal(message, shown.message);
      assert.match(
        obstacle?.sentence ?? '',
        /^Tracking needs ALTER ANY EVENT SESSION, which the login reader does not have/,
      );
    }
    assert.equal(createTrackingView(snapshot(facts([]))).obstacle, null);
  });

  for (const [more, named] of [
    [{ productVersion: '11.0.7001.0' }, 'SQL Server 2012'],
    [{ productVersion: '17.0.1000.7' }, 'SQL Server 2025'],
    [{ productVersion: '18.0.1.1' }, 'SQL Server 18.0.1.1'],
    [{ engineEdition: 5 }, 'Azure SQL Database'],
    [{ engineEdition: 8 }, 'Azure SQL Managed Instance'],
  ] as const)
    it(`names platforms and versions as people do: ${named}`, () => {
      const view = createServerView(snapshot(withoutState(facts([], { utcOffsetMinutes: 0, ...more }))));
      assert.equal(view?.description, `PROD-SQL07 · ${named} · UTC`);
    });

  it('lists databases in the order of the capture, whatever the order of the catalog, then the tracked ones without a checkpoint', () => {
    const databases = ['a', 'b', 'c', 'd'].map((name, at) => database(at + 5, name));
    const given = snapshot(facts(databases), { trackedDatabaseIds: [5, 6, 7] });
    const views = createDatabaseViews(given, [
      captureOf(7, null),
      captureOf(99, 'dropped'),
      captureOf(98, null),
      captureOf(5, 'a'),
    ]);
    assert.deepEqual(partsOf(views, 'databaseId', 'name'), [
      [7, 'c'],
      [99, 'dropped'],
      [98, 'database 98'],
      [5, 'a'],
      [6, 'b'],
    ]);
    assert.deepEqual([views[1]?.targetSeconds, views[1]?.verdict], [null, 'Cannot tell here']);
  });

  it('never takes a database for the one that has its id now: that is told by create_date, and names are those of then', () => {
    const views = (
      captured: readonly CapturedDatabase[],
      databases = [database(5, 'new', { createdLocal: '2026-02-02T00:00:00' })],
    ) =>
      partsOf(
        createDatabaseViews(snapshot(facts(databases)), captured),
        'databaseId',
        'name',
        'targetSeconds',
      );
    const old = captureOf(5, 'old', '2026-01-01T00:00:00');
    const current = captureOf(5, 'renamed since', '2026-02-02T00:00:00');
    const unknown = captureOf(5, null);
    const ofNow = [5, 'new', 0];
    assert.deepEqual(views([old, current]), [[-1, 'old (earlier)', null], ofNow]);
    assert.deepEqual(
      views([current, old]),
      [ofNow, [-2, 'old (earlier)', null]],
      'the order of the list does not decide',
    );
    assert.deepEqual(views([old]), [[-1, 'old (earlier)', null], ofNow], 'the one of now had no checkpoint');
    assert.deepEqual(views([unknown]), [ofNow]);
    assert.deepEqual(views([unknown, current]), [[-1, 'database_id 5 (not known which)', null], ofNow]);
    assert.deepEqual(views([old, current], []), [
      [-1, 'old (earlier)', null],
      [5, 'renamed since', null],
    ]);
  });

  it('knows tempdb again after a restart, which makes it again', () => {
    const given = snapshot(facts([database(2, 'tempdb', { createdLocal: '2026-02-02T00:00:00' })]));
    const views = createDatabaseViews(given, [captureOf(2, 'tempdb', '2026-01-01T00:00:00')]);
    assert.deepEqual(partsOf(views, 'databaseId', 'name'), [[2, 'tempdb']]);
  });

  it('gives each database its verdict', () => {
    const given = snapshot(facts([database(5, 'a')]));
    const told = {
      verdict: 'Switch',
      part: 'feeds',
      group: 'Feeds the queue',
      reason: 'It was busy.',
    } as const;
    const verdicts = new Map<number, Verdict>([[5, { databaseId: 5, wouldChange: '', ...told }]]);
    const views = createDatabaseViews({ ...given, verdicts }, [captureOf(5, 'a')]);
    assert.deepEqual(views, [{ databaseId: 5, name: 'a', targetSeconds: 0, ...told }]);
  });

  it('has no databases where there is no capture, so that no row can point at a wrong one', () => {
    assert.deepEqual(createDatabaseViews(snapshot(upgradedServer()), null), []);
  });
});
