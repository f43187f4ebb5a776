import assert from 'node:assert/strict';
import type { GapKind } from '../../../src/core/session/gap';
import type { Fault } from '../../../simulator/tds/faults';
import type { EvidenceCell } from '../../../src/core/pages/evidence-page';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { listenInSilence } from '../../e2e/silent-server';
import { assertHonest, listGapKinds, stopWithConsent } from '../product/followed-server';
import { runAsAdministrator } from '../product/watched-server';
import { openStreet, type Street, type StreetOptions } from './street';
import { valuesOf } from '../../core/values-of';

const SECOND_MS = 1_000;
/** Between a query that is quick on a busy machine and a test that is slow. */
const PATIENCE = { patienceMs: 3 * SECOND_MS };

/** What befalls a server while it is tracked. */
interface Trouble {
  readonly name: string;
  readonly options?: StreetOptions;
  /** A session of our name that somebody else has made before. */
  readonly session?: string;
  /** @returns what ends it */
  readonly bring: (
    street: Street,
  ) => Promise<(() => Promise<void>) | void> | (() => Promise<void> | void) | void;
  /** What the user reads meanwhile; null: nothing, because it is over before anybody could read it. */
  readonly words: RegExp | null;
  /** What the capture says of that time afterwards; nothing unless given. */
  readonly gaps?: readonly GapKind[];
}

const strike =
  (fault: Fault, times?: number) =>
  ({ simulator }: Street): (() => void) => {
    // The next answer is longer than what is left of it.
    simulator.server.advance(120 * SECOND_MS);
    const where = (text: string): boolean => text.includes('fn_xe_file_target_read_file');
    const struck = simulator.replicas[0].door.faults.strike(fault, {
      where,
      ...(times !== undefined && { times }),
    });
    return () => {
      assert.ok(struck.met > 0, 'nothing was struck');
      struck.end();
    };
  };

const SESSION = '[CheckpointHealth] ON SERVER';

/** A session of our name, as somebody could have changed it: small buffers, files of another name. */
const writeSession = (file: string, more = ''): string => `
  CREATE EVENT SESSION ${SESSION} ADD EVENT sqlserver.checkpoint_begin, ADD EVENT sqlserver.checkpoint_end
  ADD TARGET package0.event_file (SET filename = N'${file}'${more})
  WITH (MAX_MEMORY = 192 KB, MAX_DISPATCH_LATENCY = 5 SECONDS, TRACK_CAUSALITY = ON, STARTUP_STATE = ON);
  ALTER EVENT SESSION ${SESSION} STATE = START;`;

const lost =
  /^New events could not be read: The connection to localhost,\d+ was lost: check that the server is up, then refresh\.$/;
const late =
  /^New events could not be read: localhost,\d+ did not finish a query within 3 s and was asked to stop it\. Try again when the server is less busy\.$/;
const DEADLOCK = {
  kind: 'error',
  number: 1205,
  severity: 13,
  message:
    'Transaction (Process ID 61) was deadlocked on lock resources with another process and has been chosen as the deadlock victim.',
} as const;

const troubles: readonly Trouble[] = [
  {
    name: 'one answer is reset in the middle of a row',
    bring: strike({ kind: 'cut', afterBytes: 6_000, then: 'reset' }, 1),
    words: null,
  },
  {
    name: 'each answer is reset in the middle of a row',
    bring: strike({ kind: 'cut', afterBytes: 6_000, then: 'reset' }),
    words: lost,
  },
  {
    name: 'it says nothing more after half a packet',
    options: PATIENCE,
    bring: strike({ kind: 'cut', afterBytes: 6_000, then: 'silence' }),
    words: late,
  },
  {
    name: 'it gives no answer',
    options: PATIENCE,
    bring: strike({ kind: 'cut', afterBytes: 0, then: 'silence' }),
    words: late,
  },
  {
    name: 'its rows come slowly',
    options: PATIENCE,
    bring: strike({ kind: 'slow', rowMs: 1_000 }),
    words: late,
  },
  { name: 'our query is the victim of a deadlock', bring: strike(DEADLOCK, 1), words: null },
  {
    name: 'a permission is taken away',
    options: { user: 'operator' },
    bring: ({ simulator: { server } }) => {
      server.setGranted('operator', 'VIEW SERVER STATE', false);
      return () => server.setGranted('operator', 'VIEW SERVER STATE', true);
    },
    words: /^New events could not be read: .+(Ask an administrator for|VIEW SERVER STATE).+/,
  },
  {
    name: 'it is restarted, and somebody starts the session again, with files of its own',
    bring: (street) => {
      street.simulator.server.restart({ isCrash: true });
      return async () => {
        await runAsAdministrator(
          street.simulator,
          'ALTER EVENT SESSION [CheckpointHealth] ON SERVER STATE = START;',
        );
        await live(street, 80);
      };
    },
    words:
      /^The server restarted\. The event session is not running\. What was captured until then is kept\. Tracking resumes when the session runs again\.$/,
    gaps: ['server restarted'],
  },
  ...[false, true].map((isCrash): Trouble => ({
    name: `it ${isCrash ? 'goes down hard' : 'is restarted'}, and its session starts with it`,
    session: writeSession('CheckpointHealth_own.xel'),
    bring: ({ simulator }) => simulator.server.restart({ isCrash }),
    words: null,
    gaps: ['server restarted'],
  })),
  {
    name: 'its files roll over before they are read',
    options: { databases: 120 },
    session: writeSession('CheckpointHealth_own.xel', ', max_file_size = 1, max_rollover_files = 2'),
    bring: async (street) => {
      street.simulator.server.advance(36_000 * SECOND_MS);
      await live(street);
      assert.ok((street.monitors[0]?.capture?.columns.rows ?? 0) > 1_000, 'what is left of them is read');
    },
    words: null,
    gaps: ['files rolled over'],
  },
  {
    name: 'it loses events, of which no pair is made',
    options: { databases: 120 },
    session: writeSession('CheckpointHealth_own.xel'),
    bring: async (street) => {
      street.simulator.server.stallEventFiles(6_000 * SECOND_MS);
      street.simulator.server.advance(6_000 * SECOND_MS);
      await live(street);
      const { lostEvents, lostBuffers } = street.monitors[0]!.snapshot.tracking;
      assert.deepEqual([(lostEvents ?? 0) > 100, lostBuffers], [true, 0]);
    },
    words: null,
    gaps: ['events lost'],
  },
  {
    name: 'somebody takes the event files out of the session',
    bring: async ({ simulator }) => {
      await runAsAdministrator(
        simulator,
        'ALTER EVENT SESSION [CheckpointHealth] ON SERVER DROP TARGET package0.event_file;',
      );
    },
    words:
      /^Someone else recreated or changed the event session\. It has no target that can be read\. What was captured until then is kept\. Tracking resumes when the session runs again\.$/,
    gaps: ['session replaced'],
  },
];

/** Time passes for the server and for us. */
async function live(street: Street, seconds = 20): Promise<void> {
  for (let left = seconds; left > 0; left -= 10) {
    street.simulator.server.advance(10 * SECOND_MS);
    await street.time.pass(10 * SECOND_MS);
  }
}

describe('A server that is tracked', () => {
  let street: Street;
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);

  before(() => void process.on('unhandledRejection', note));
  after(() => void process.off('unhandledRejection', note));
  afterEach(async () => {
    await street.close();
    assert.deepEqual(rejections, []);
  });

  const open = async (options: StreetOptions = {}): Promise<ServerMonitor> => {
    street = await openStreet({ servers: 1, databases: 20, isUnwatched: true, ...options });
    return street.monitors[0] ?? assert.fail('no server');
  };
  const track = async (
    options: StreetOptions = {},
    seconds?: number,
    session?: string,
  ): Promise<ServerMonitor> => {
    const monitor = await open(options);
    await street.time.during(monitor.refresh());
    if (session !== undefined) await runAsAdministrator(street.simulator, session);
    await street.time.during(monitor.startTracking(null));
    await live(street, seconds);
    assert.ok((monitor.capture?.columns.rows ?? 0) > 0);
    return monitor;
  };
  const setTarget = async (monitor: ServerMonitor, ...seconds: readonly number[]): Promise<string> => {
    const name =
      monitor.capture?.databases.find(({ databaseId }) => databaseId > 4)?.name ??
      assert.fail('nothing captured');
    for (const each of seconds)
      await runAsAdministrator(
        street.simulator,
        `ALTER DATABASE [${name}] SET TARGET_RECOVERY_TIME = ${each} SECONDS;`,
      );
    return name;
  };
  const listChanges = async (monitor: ServerMonitor): Promise<readonly (readonly EvidenceCell[])[]> => {
    const { errorLog } = await street.time.during(monitor.gatherEvidence());
    return errorLog.tables.find(({ id }) => id === 'option-changes')?.rows.map(({ cells }) => cells) ?? [];
  };

  it('is read and tracked while another one with its account is silent, and that one does not hold up the end of the window', async () => {
    const silent = await listenInSilence();
    const good = await open({ servers: 2, elsewhere: { b: silent.port } });
    const [, other] = street.monitors;
    assert.ok(other !== undefined);
    const waiting = other.refresh().catch(() => undefined);
    // A login waits for the one before it, for some seconds at most.
    await street.time.pass(6 * SECOND_MS);
    await street.time.during(good.refresh());
    await street.time.during(good.startTracking(null));
    await live(street);
    assert.equal(good.snapshot.connection, 'connected');
    assert.notEqual(other.snapshot.connection, 'connected');
    assert.ok((good.capture?.columns.rows ?? 0) > 0);
    await Promise.all(street.monitors.map((monitor) => street.time.during(monitor.dispose())));
    await waiting;
    await silent.close();
  });

  it('says that its volume is full where the session cannot start, and starts once there is room', async () => {
    const monitor = await open();
    await street.time.during(monitor.refresh());
    street.simulator.server.fillEventVolume();
    await assert.rejects(
      street.time.during(monitor.startTracking(null)),
      /error 112: 'There is not enough space on the disk\.'.+\(Msg 25602\)/,
    );
    assert.equal(monitor.snapshot.tracking.state, 'failed');
    street.simulator.server.fillEventVolume(false);
    await street.time.during(monitor.startTracking(null));
    await live(street);
    assert.ok((monitor.capture?.columns.rows ?? 0) > 0);
  });

  it('becomes another node behind its listener: what the first did is kept with the failover as a gap, and the other one can be tracked', async () => {
    const monitor = await track({ scenario: 'availability-group', listener: 'sales' }, 120);
    const { simulator } = street;
    const before = monitor.capture?.columns.rows ?? 0;

    const inMs = simulator.failover('Sales', 'SALES-SQL02');
    simulator.server.advance(inMs + SECOND_MS);
    await Promise.all(simulator.listeners.map((listener) => listener.disconnect()));
    await live(street, 40);
    await street.time.during(monitor.refresh());
    const { tracking, failure, facts } = monitor.snapshot;
    assert.deepEqual([tracking.state, failure, facts?.server.serverName], ['stopped', null, 'SALES-SQL02']);
    assert.match(
      tracking.message ?? '',
      /^Another server, SALES-SQL02, now answers for a\. The earlier capture belongs to the other server and is kept separately\.$/,
    );
    const [first] = street.kept;
    assert.deepEqual([street.kept.length, first?.columns.rows], [1, before]);
    assert.deepEqual(valuesOf(first?.observation?.gaps, 'kind', 'reason'), [
      ['failover', 'Another server, SALES-SQL02, answered in its place.'],
    ]);

    await street.time.during(monitor.startTracking(null));
    await live(street, 120);
    await street.time.during(monitor.stopTracking());
    assert.equal(monitor.snapshot.tracking.state, 'stopped');
    const second = simulator.replicas.find(({ name }) => name === 'SALES-SQL02') ?? assert.fail();
    assertHonest(monitor, { ...simulator, server: second.server });
    assert.deepEqual(listGapKinds(monitor), []);
  });

  it('has 5,000 databases, and each of them is listed, and tracked to the last checkpoint', async () => {
    const monitor = await track({ databases: 5_000 }, 120);
    assert.equal(monitor.snapshot.facts?.databases.length, 5_004);
    await street.time.during(monitor.stopTracking());
    assertHonest(monitor, street.simulator);
    assert.ok((monitor.capture?.databases.length ?? 0) > 500, 'hundreds of them had a checkpoint');
  });

  it('lives in another time zone and language: times are UTC, and its error log is read by its own sentences', async () => {
    const monitor = await track({ place: { utcOffsetMinutes: 330, language: 'German' } });
    const changedUtcMs = street.simulator.server.clock.nowUtcMs();
    const name = await setTarget(monitor, 60);
    await live(street);
    const [[moment, ...more] = []] = await listChanges(monitor);
    const localMs = changedUtcMs + 330 * 60 * SECOND_MS;
    const text = new Date(localMs).toISOString().slice(0, 19).replace('T', ' ');
    assert.deepEqual(moment, { text, value: changedUtcMs, kind: 'moment', localMs });
    assert.deepEqual(valuesOf(more.slice(0, 3), 'text'), [name, 'target_recovery_time', '60']);
    await street.time.during(monitor.stopTracking());
    assertHonest(monitor, street.simulator);
  });

  for (const [what, where, afterBytes, least] of [
    ['an answer breaks off before its end', /_readerrorlog/, 9_000, 0],
    ['the connection is lost before it', /server-clock/, 0, 0],
    ['the connection is lost behind it', /Checkpoint Health: backups/, 0, 3],
  ] as const)
    it(`loses no line of its error log where ${what}`, async () => {
      const monitor = await track();
      await setTarget(monitor, 60, 0, 90);
      const fault = { kind: 'cut', afterBytes, then: 'reset' } as const;
      const broken = street.simulator.replicas[0].door.faults.strike(fault, {
        where: (sql) => where.test(sql),
        times: 1,
      });
      await live(street);
      assert.ok((await listChanges(monitor)).length >= least);
      assert.equal(broken.met, 1);
      await live(street, 60);
      const values = (await listChanges(monitor)).map((cells) => cells[3]?.text);
      assert.deepEqual([...values].sort(), ['0', '60', '90']);
    });

  it('has its error log read on at once where its clock was a day ahead and is set right, and the page says so', async () => {
    const monitor = await track();
    const { simulator, time } = street;
    for (const [seconds, byMs, ...changes] of [
      [60, -86_400 * SECOND_MS, '60'],
      [0, 86_400 * SECOND_MS, '0', '60'],
    ] as const) {
      simulator.server.setBack(byMs);
      await setTarget(monitor, seconds);
      simulator.server.advance(600 * SECOND_MS);
      await time.pass(600 * SECOND_MS);
      assert.deepEqual((await listChanges(monitor)).map((cells) => cells[3]?.text).sort(), changes);
    }
    assert.match(
      (await time.during(monitor.gatherEvidence())).errorLog.notes.join(),
      /The server's clock was moved back/,
    );
  });

  for (const trouble of troubles)
    it(`is tracked on, and nothing is lost in silence, if ${trouble.name}`, () => befall(trouble));

  async function befall({ options, session, bring, words, gaps = [] }: Trouble): Promise<void> {
    const monitor = await track(options, undefined, session);
    const before = monitor.capture?.columns.rows ?? 0;
    const end = await bring(street);
    await live(street);
    const said = monitor.snapshot.tracking.message ?? monitor.snapshot.failure;
    if (words === null) assert.equal(said, null);
    else assert.match(said ?? '', words);
    assert.ok((monitor.capture?.columns.rows ?? 0) >= before, 'what was read stays');
    if (end !== undefined) await end();

    await street.time.during(monitor.refresh());
    await live(street);
    assert.deepEqual([monitor.snapshot.connection, monitor.snapshot.failure], ['connected', null]);
    if (monitor.snapshot.tracking.state === 'tracking') await street.time.during(stopWithConsent(monitor));
    await live(street, 10);
    assertHonest(monitor, street.simulator);
    assert.deepEqual(listGapKinds(monitor), gaps);
    assert.equal(
      street.kept[street.kept.length - 1]?.columns.rows,
      monitor.capture?.columns.rows,
      'all of it is kept',
    );
    assert.equal(street.simulator.server.ledger.logins.filter(({ error }) => error !== null).length, 0);
  }
});
