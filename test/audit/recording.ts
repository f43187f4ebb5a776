/**
 * One simulated server with a history by its seed: what it knows of itself, and what the product says of it, as files
 * for audit.py.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCheck } from '../../cli/src/commands/check';
import { runReport } from '../../cli/src/commands/report';
import { createOutput } from '../../cli/src/kit/output';
import { type Simulator, startSimulator } from '../../simulator/index';
import { createRandom, type Random } from '../../simulator/scenarios/random';
import { DBA, readRows } from '../../simulator/test/engine/modelled';
import { backupsOf } from '../../simulator/test/engine/reconciled';
import type { KeptRecord } from '../../src/core/capture/capture-record';
import type { ExportRequest } from '../../src/core/export/export-request';
import { writeParquet } from '../../src/core/export/parquet';
import { finishSteps } from '../../src/core/steps';
import { findAutomaticTime } from '../../src/core/task/automatic-time';
import { BusyBins, createBusyColumns } from '../../src/core/timeline/busy-bins';
import { createLaneIndex, indexNewRows } from '../../src/core/timeline/lane-index';
import { measurePart, measureWindow } from '../../src/core/timeline/measured-part';
import { createLanePicture, reduceLane } from '../../src/core/timeline/pixel-columns';
import { ViewGrids } from '../../src/core/timeline/pixel-grid';
import type { Authentication, ServerAccess } from '../../src/hosts/host';
import { createServerMonitor } from '../../src/monitor/monitored-server';
import { LoginBreaker } from '../../src/monitor/queries/login-breaker';
import type { ServerMonitor } from '../../src/monitor/server-monitor';
import { exportFile } from '../../src/shell/dashboard/exports';
import { collectInto } from '../cli/collecting';
import { openQueryWindow, type QueryWindow } from '../e2e/query-window';
import { FakeTimers, surroundingsOf } from '../monitor/fake-surroundings';
import { VirtualTime } from '../monitor/virtual-time';
import { overhear, reach } from '../simulator/product/watched-server';
import { temporaryProcedure } from '../simulator/scripts/analysed';

const MINUTE_MS = 60_000;
/** How often the instance is sampled: closely enough for long checkpoints, or as cheaply as it gets. */
const STEPS_MS = [30_000, MINUTE_MS, MINUTE_MS] as const;
const SESSION = 'ALTER EVENT SESSION [CheckpointHealth] ON SERVER STATE =';
const RELEASES = [2016, 2019, 2022] as const;
const SCENARIOS = ['legacy-upgrade', 'io-storm', 'taking-turns', 'one-hog'] as const;

/** What may happen to a server while it is watched. */
type Deed = (server: Recording) => Promise<void>;

const DEEDS: Readonly<Record<string, Deed>> = {
  switched: (server) => server.switchSome(0, 60),
  'switched back': (server) => server.switchSome(60, 0),
  'checkpoints by hand': async (server) => server.checkpointByHand(),
  stopped: async (server) => {
    await server.run(`${SESSION} STOP;`);
    await server.pass(server.random.whole(2, 9));
    await server.run(`${SESSION} START;`);
  },
  'files that stand still': async ({ simulator, random }) =>
    simulator.server.stallEventFiles(random.whole(5, 12) * MINUTE_MS),
  restarted: async (server) => {
    server.simulator.server.restart({ isCrash: server.random.unit() < 0.5 });
    await server.pass(server.random.whole(1, 3));
    await server.run(`${SESSION} START;`);
  },
  unwatched: async (server) => {
    await server.closeWindow();
    await server.pass(server.random.whole(10, 25));
    await server.openWindow();
  },
};

/**
 * Makes a server, lets its history happen, and writes `truth.json`, `shown.json`, exports, report and a lake into the
 * folder.
 * @returns what happened
 */
export async function recordServer(folder: string, seed: number, mostDeeds: number): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const random = createRandom(seed, 4711);
  const scenario = random.pick(SCENARIOS);
  const release = random.pick(RELEASES);
  const simulator = await startSimulator({
    rate: 0,
    tls: 'required',
    scenario,
    release,
    databases: random.whole(8, 24),
    seed,
  });
  const query = await openQueryWindow({
    host: simulator.host,
    port: simulator.port,
    ...simulator.administrator,
  });
  const server = new Recording(folder, simulator, query, random);
  try {
    const deeds = await server.live(mostDeeds);
    await server.write();
    return `${scenario} ${release}: ${deeds.join(', ')}`;
  } finally {
    query.close();
    await simulator.close();
  }
}

class Recording {
  private readonly time = new VirtualTime();
  private readonly kept: KeptRecord[] = [];
  private readonly heard: object[] = [];
  private monitor!: ServerMonitor;
  private isWatched = false;
  private readonly stepMs: number;

  constructor(
    private readonly folder: string,
    readonly simulator: Simulator,
    private readonly window: QueryWindow,
    readonly random: Random,
  ) {
    this.stepMs = random.pick(STEPS_MS);
  }

  async live(mostDeeds: number): Promise<readonly string[]> {
    // The model begins at eight in the morning; the histories of some servers go over midnight.
    this.simulator.server.advance((this.random.whole(5, 90) + this.random.pick([0, 0, 14 * 60])) * MINUTE_MS);
    await this.openWindow();
    await this.time.during(this.monitor.startTracking(null));
    await this.pass(this.random.whole(11, 18));
    const deeds = Object.keys(DEEDS)
      .map((deed) => [this.random.unit(), deed] as const)
      .sort(([a], [b]) => a - b)
      .slice(0, mostDeeds)
      .map(([, deed]) => deed);
    for (const deed of deeds) {
      await DEEDS[deed]!(this);
      await this.pass(this.random.whole(5, 10));
      if (this.random.unit() < 0.6) await this.collect();
    }
    await this.pass(15);
    await this.collect();
    return deeds;
  }

  async run(sql: string): Promise<void> {
    await this.window.run(sql);
  }

  /** Databases with that target get the other one. */
  async switchSome(from: number, to: number): Promise<void> {
    for (const row of this.listDatabases(from).slice(0, from === 0 ? 4 : 1))
      await this.run(
        `ALTER DATABASE [${String(row['name']).replace(/]/g, ']]')}] SET TARGET_RECOVERY_TIME = ${to} SECONDS;`,
      );
  }

  /** In three windows at once, on databases whose checkpoints the task runs too. */
  checkpointByHand(): void {
    for (const row of this.listDatabases(0).slice(0, 3))
      void this.simulator.server
        .checkpoint(String(row['name']), 25, DBA, new AbortController().signal)
        .catch(() => undefined);
  }

  private listDatabases(targetSeconds: number): ReturnType<typeof readRows> {
    return readRows(this.simulator.server, 'sys.databases').filter(
      (row) => row['target_recovery_time_in_seconds'] === targetSeconds && Number(row['database_id']) > 4,
    );
  }

  /** Lets virtual time pass, for the server and for the window. */
  async pass(minutes: number): Promise<void> {
    for (let ms = 0; ms < minutes * MINUTE_MS; ms += this.stepMs) {
      this.simulator.server.advance(this.stepMs);
      await this.time.pass(this.stepMs);
      if (ms % MINUTE_MS !== 0 || !this.isWatched) continue;
      // As when a person looks: also a session that does not run is looked at each minute.
      this.monitor.askForEvidence();
      await this.time.during(this.monitor.look());
    }
  }

  async openWindow(): Promise<void> {
    this.monitor = createServerMonitor({
      ...surroundingsOf(this.time.watch(this.listen('window')), new FakeTimers(), this.kept),
      breaker: new LoginBreaker(this.time.world),
      schedule: this.time.schedule,
      elapsedMs: this.time.world.elapsedMs,
      pollIntervalMs: 2 * MINUTE_MS,
      refreshIntervalMs: 5 * MINUTE_MS,
      sampling: { instanceMs: this.stepMs, databasesMs: MINUTE_MS },
    });
    await this.time.during(this.monitor.refresh());
    this.isWatched = true;
  }

  async closeWindow(): Promise<void> {
    this.isWatched = false;
    await this.time.during(this.monitor.dispose());
  }

  private async collect(): Promise<void> {
    await collectInto(join(this.folder, 'lake'), { S: this.listen('collector') });
  }

  /** Hears what the server itself answers to looks and samples. */
  private listen(who: string): ServerAccess {
    return overhear(reach(this.simulator), (text, sets) => {
      const name = /Checkpoint Health: ([\w, -]+) \*\//.exec(text)?.[1] ?? '';
      if (/^(event-session|instance-work|file-io|database-counters)/.test(name))
        this.heard.push({ who, name, sets });
    });
  }

  async write(): Promise<void> {
    await this.time.during(this.monitor.refresh());
    // What is due now is done before.
    await this.time.pass(0);
    const pages = await this.time.during(this.monitor.gatherEvidence());
    this.writeTruth();
    const { snapshot } = this.monitor;
    this.save('shown.json', {
      pages,
      tracking: snapshot.tracking,
      instance: snapshot.instance,
      result: snapshot.result,
      changes: snapshot.changes,
      timeline: this.drawTimeline(),
      procedure: await this.askProcedure(),
    });
    await this.exportAll(pages);
    await this.closeWindow();
    await this.askCommands();
  }

  private save(name: string, content: unknown): void {
    const plain = (_: string, value: unknown): unknown => {
      if (value instanceof Map) return Object.fromEntries(value);
      if (value instanceof Set || ArrayBuffer.isView(value)) return Array.from(value as Iterable<unknown>);
      if (value instanceof Date) return value.toISOString();
      return typeof value === 'bigint' ? Number(value) : value;
    };
    writeFileSync(join(this.folder, name), JSON.stringify(content, plain));
  }

  private writeTruth(): void {
    const { server } = this.simulator;
    const { ledger } = server;
    this.save('truth.json', {
      nowUtcMs: server.clock.nowUtcMs(),
      offsetMinutes: server.clock.utcOffsetMinutes(),
      checkpoints: ledger.checkpoints,
      captured: ledger.capturedBy('CheckpointHealth'),
      runs: ledger.sessionRuns.filter(({ sessionName }) => sessionName === 'CheckpointHealth'),
      changes: ledger.settingChanges,
      databases: readRows(server, 'sys.databases'),
      errorLog: [...server.errorLogs.list()].reverse().flatMap((file) => server.errorLogs.read(file.number)),
      backups: backupsOf(server),
      heard: this.heard,
    });
  }

  /**
   * The timeline of the whole capture in ten columns: the strip of the task, each lane, and the figures of the three
   * first databases in the middle.
   */
  private drawTimeline(): object {
    const { capture, snapshot } = this.monitor;
    const { columns, databases } = capture!;
    const observation = capture!.observation!;
    const targetOf = new Map(
      snapshot.facts!.databases.map(({ databaseId, targetSeconds }) => [databaseId, targetSeconds]),
    );
    const changes = databases.map(
      ({ databaseId }, at) =>
        [at, snapshot.changes.filter((each) => each.databaseId === databaseId)] as const,
    );
    const targets = databases.map(({ databaseId }, at) => [at, targetOf.get(databaseId) ?? null] as const);
    const bins = new BusyBins({
      automatic: findAutomaticTime(new Map(targets), new Map(changes)),
      gaps: observation.gaps,
    });
    const index = createLaneIndex();
    indexNewRows(index, columns);
    while (!bins.takeIn(columns, index, 10_000));
    const busy = createBusyColumns(10);
    const view = { ...observation, columns: 10 };
    bins.reduce(columns, index, observation, view, busy);
    const lanes = databases.map(({ databaseId }, at) => {
      const picture = createLanePicture(10);
      reduceLane(columns, index.lanes[at], new ViewGrids(view), picture, MINUTE_MS, {
        rows: Infinity,
        exceeded: false,
      });
      return { databaseId, codes: picture.codes };
    });
    const third = (observation.endUtcMs - observation.beginUtcMs) / 3;
    const middle = { beginUtcMs: observation.beginUtcMs + third, endUtcMs: observation.endUtcMs - third };
    const { figures } = finishSteps(measurePart(columns, index, middle, [0, 1, 2], observation));
    const each = finishSteps(measureWindow(columns, index, middle, databases.length, observation)).databases;
    return { busy, lanes, middle, databases: databases.map(({ databaseId }) => databaseId), figures, each };
  }

  private async askProcedure(): Promise<object> {
    const { printed } = await this.window.run(temporaryProcedure);
    const answers = [];
    for (const parameters of ['@top = 1000', '@top = 1000, @hours = 24'])
      answers.push((await this.window.run(`EXECUTE #sp_CheckpointHealth ${parameters};`)).tables);
    return { printed, answers };
  }

  private async exportAll(pages: Awaited<ReturnType<ServerMonitor['gatherEvidence']>>): Promise<void> {
    const { snapshot, capture } = this.monitor;
    const source = { snapshot, capture, pages, offsets: this.monitor.timeline.known.offsets };
    const save = async (name: string, request: Partial<ExportRequest>): Promise<void> => {
      const asked = {
        format: 'csv',
        what: 'statistics',
        pageId: null,
        tableId: null,
        window: null,
        side: null,
        databaseIds: null,
      } as const;
      await exportFile({ ...asked, ...request }, source, {
        pause: () => Promise.resolve(),
        elapsedMs: () => 0,
        nowUtcMs: () => 0,
        loadParquet: () => Promise.resolve({ writeParquet }),
        conversation: { chooseOne: (_, [first]) => Promise.resolve(first!.value) },
        files: {
          save: async (_, write) => {
            const bytes = await write({ isCancelled: () => false, tell: () => undefined });
            writeFileSync(join(this.folder, name), bytes!);
            return true;
          },
        },
      });
    };
    await save('statistics.csv', {});
    await save('before.csv', { side: 'before' });
    await save('since.csv', { side: 'since' });
    await save('statistics.json', { format: 'json' });
    await save('checkpoints.parquet', { format: 'parquet', what: 'checkpoints' });
    await save('checkpoints.csv', { what: 'checkpoints' });
    for (const pageId of ['beforeAfter', 'writeWork', 'errorLog'] as const)
      await save(`${pageId}.json`, { format: 'json', what: 'page', pageId });
  }

  private async askCommands(): Promise<void> {
    const { port, administrator } = this.simulator;
    const servers = join(this.folder, 'servers.json');
    writeFileSync(
      servers,
      JSON.stringify([
        { name: 'S', server: 'localhost', port, user: administrator.user, trustServerCertificate: true },
      ]),
    );
    process.env['CHECKPOINT_HEALTH_PASSWORD'] = administrator.password;
    const nowhere = { write: (): void => undefined };
    const output = createOutput('text', {}, { out: nowhere, error: nowhere }, Date.now);
    const asked = {
      servers,
      user: '',
      authentication: 'sql' as Authentication,
      trustServerCertificate: false,
      lake: [join(this.folder, 'lake')],
      days: 7,
      concurrency: 1,
      serverSeconds: 60,
      output: '',
    } as const;
    await runReport({ ...asked, format: 'markdown', output: join(this.folder, 'report.md') }, output);
    await runCheck(
      { ...asked, format: 'json', failOn: 'error', output: join(this.folder, 'check.json') },
      output,
    );
  }
}
