/** Answers of a server that are broken, one at a time: none becomes good news, each is said where it matters, and all is well once it passes. */
import assert from 'node:assert/strict';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { createRandom } from '../../../simulator/scenarios/random';
import type { Cell, ResultSet } from '../../../src/hosts/host';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { through } from '../../monitor/fake-surroundings';
import { reach, startTracking, watchThrough } from './watched-server';

/** How many broken answers are tried; BROKEN=all: every way in every column. */
const MOST = process.env['BROKEN'] === 'all' ? Infinity : 2;
const random = createRandom(Number(process.env['SEED'] ?? 1), 0);

type Break = (set: ResultSet) => ResultSet;
const inFirst = (column: number, cell: Cell): Break => {
  return (set) => ({ ...set, rows: set.rows.map((row, at) => (at > 0 ? row : row.map((old, i) => (i === column ? cell : old)))) });
};
const without = <T>(list: readonly T[], at: number): readonly T[] => [...list.slice(0, at), ...list.slice(at + 1)];

/** Every way to break an answer with these columns. */
function listBreaks({ columns, rows }: ResultSet): readonly (readonly [string, Break])[] {
  const ofColumn = columns.flatMap((column, at): (readonly [string, Break])[] => [
    [`NULL in ${column}`, inFirst(at, null)],
    // A release of the operating system is any text.
    ...(/^[-\d.]+$|^\d{4}-\d\d-\d\dT/.test(rows[0]?.[at] ?? '') && column !== 'host_release'
      ? ([
          [`a word in ${column}`, inFirst(at, 'many')],
          [`a huge number in ${column}`, inFirst(at, '99999999999999999999')],
        ] as const)
      : []),
    [`without ${column}`, (set) => ({ ...set, columns: without(set.columns, at), rows: set.rows.map((row) => without(row, at)) })],
  ]);
  return [
    ...ofColumn,
    ['each row twice', (set) => ({ ...set, rows: [...set.rows, ...set.rows] })],
    ['other order', (set) => ({ ...set, rows: [...set.rows].reverse() })],
    ['a column more', (set) => ({ ...set, columns: [...set.columns, 'more'], rows: set.rows.map((row) => [...row, 'x']) })],
    ['no columns', (set) => ({ ...set, columns: [], rows: [] })],
  ];
}

describe('An answer that is broken', function () {
  this.timeout(MOST === Infinity ? 0 : 300_000);
  let simulator: Simulator;
  let now: readonly [name: string, how: Break] | null = null;
  /** One answer to each read, by its name. */
  const heard = new Map<string, ResultSet>();
  let warnings: string[] = [];
  let monitor: ServerMonitor;
  const STATES: readonly string[] = ['mostly free', 'queue at times', 'saturated'];

  before(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required', scenario: 'one-hog', databases: 30 });
    await startTracking(simulator);
    simulator.server.advance(40 * 60_000);
  });
  after(() => simulator.close());

  /** What is to come within a minute comes at once. */
  const schedule = (delayMs: number, task: () => void) => {
    const timer = delayMs <= 60_000 ? setTimeout(task, Math.min(delayMs, 40)) : undefined;
    return { dispose: () => clearTimeout(timer) };
  };

  function open(): ServerMonitor {
    const access = through(reach(simulator), async (connection, text, options) => {
      const sets = await connection.query(text, options);
      const names = /\/\* Checkpoint Health: ([\w, -]+) \*\//.exec(text)?.[1]?.split(', ') ?? [];
      names.forEach((name, at) => sets[at] !== undefined && !heard.has(name) && heard.set(name, sets[at]));
      return sets.map((set, at) => (now !== null && names[at] === now[0] ? now[1](set) : set));
    });
    return watchThrough(access, true, {
      schedule,
      refreshIntervalMs: 3_600_000,
      log: { sql: () => undefined, warn: (message) => warnings.push(message) },
    });
  }

  /** Reads everything once more. @param isRead whether what was not read is waited for */
  async function look(isRead = false): Promise<void> {
    await monitor.refresh();
    await monitor.refresh();
    const isReading = (): boolean => {
      const { reading, trouble } = monitor.snapshot.tracking;
      return reading !== null || (isRead && trouble !== null);
    };
    for (let i = 0; i < 500 && isReading(); i++) await new Promise((go) => setTimeout(go, 20));
    await monitor.gatherEvidence();
  }

  function tell() {
    const { facts, failure, instance, tracking, preflight } = monitor.snapshot;
    const { state = null, automatic = null, partly = null, blind = null } = instance ?? {};
    const plain = JSON.stringify(facts, (key, value: unknown) => {
      if (/UtcMs$/.test(key)) return 0;
      const list = value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value;
      return Array.isArray(list)
        ? list
            .map((one: unknown) => [JSON.stringify(one), one] as const)
            .sort()
            .map(([, one]) => one)
        : list;
    });
    const { checkpoints, observation } = tracking;
    const gaps = observation?.gaps.length ?? 0;
    const reasons = [failure, tracking.trouble, tracking.state === 'failed' ? tracking.message : null, blind].filter((one) => one !== null);
    return { plain, state, automatic, isPartly: partly !== null, unseen: preflight.unseen.length, gaps, checkpoints, reasons };
  }
  type Told = ReturnType<typeof tell>;

  /** What is wrong with what a monitor says while one answer is broken, and behind that. */
  function complain(whole: Told, broken: Told, after: Told, isNull: boolean): readonly string[] {
    const isSaid = broken.reasons.length + warnings.length > 0 || broken.unseen > whole.unseen || broken.gaps > whole.gaps;
    const isChanged = broken.plain !== whole.plain || broken.checkpoints !== whole.checkpoints;
    const isAsBefore = after.plain === whole.plain && after.state === whole.state && after.reasons.length === 0;
    return [
      ...(STATES.includes(broken.state ?? '') && broken.state !== whole.state ? ['good news'] : []),
      ...(broken.automatic !== whole.automatic && broken.reasons.length === 0 && !broken.isPartly ? ['another number of databases'] : []),
      // NULL may be an answer: then it is not known.
      ...(isChanged && !isSaid && !isNull ? ['nothing is said'] : []),
      ...(isNull || (isAsBefore && (after.checkpoints === whole.checkpoints || after.gaps > whole.gaps)) ? [] : ['does not pass']),
    ];
  }

  it('is never good news, is said, and passes', async () => {
    monitor = open();
    await look();
    const whole = tell();
    await monitor.dispose();
    assert.deepEqual([whole.state, whole.reasons], ['saturated', []]);
    const wrong: string[] = [];
    const breaks = [...heard].flatMap(([name, set]) => listBreaks(set).map((one) => [random.unit(), name, one] as const));
    for (const [, name, [what, how]] of breaks.sort(([a], [b]) => a - b).slice(0, MOST)) {
      [now, warnings] = [[name, how], []];
      monitor = open();
      await look().catch((error: unknown) => warnings.push(String(error)));
      const broken = tell();
      now = null;
      await look(true);
      const faults = complain(whole, broken, tell(), what.startsWith('NULL'));
      if (faults.length > 0) wrong.push(`${name}, ${what}: ${faults.join(', ')}; ${JSON.stringify({ ...broken, plain: '' })}`);
      if (faults.length > 0) console.log(wrong.at(-1));
      await monitor.dispose();
    }
    console.log(`      ${Math.min(MOST, breaks.length)} of ${breaks.length} broken answers to ${heard.size} reads`);
    assert.deepEqual(wrong, []);
  });
});
