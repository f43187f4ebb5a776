/** One monitor for each server that was opened in this window; made when it is first needed, disposed with the server or the window. */
import { emptyPreflight } from '../../core/advice/rules/preflight';
import type { CaptureRecord } from '../../core/capture/capture-record';
import { notTracking } from '../../core/capture/tracking-status';
import type { EvidencePages } from '../../core/pages/evidence-page';
import type { TimelineEvidence } from '../../monitor/evidence/evidence-world';
import type { ServerChange, ServerMonitor, ServerSnapshot } from '../../monitor/server-monitor';
import type { HostServer } from '../../hosts/host';
import type { SavedServer } from './saved-server';
import type { SavedServers } from './saved-servers';
import type { ListedServer, ServerList } from './server-list';

/** `null` as change: the list of servers itself. */
type ServersListener = (serverId: string | null, change: ServerChange | null) => void;

interface MonitorFactory {
  /** @param label as the server is shown */
  readonly createMonitor: (server: ListedServer, label: string) => Promise<ServerMonitor>;
}

export class OpenServers {
  private readonly monitors = new Map<string, Promise<ServerMonitor>>();
  /** Those of `monitors` that have been made. */
  private readonly ready = new Map<string, ServerMonitor>();
  /** The servers as they were when their monitors were made. */
  private readonly made = new Map<string, ListedServer>();
  /** Servers of other products that were reached in this window. */
  private readonly remembered = new Set<string>();
  private readonly firstReads = new Map<ServerMonitor, Promise<void>>();
  private readonly listeners = new Set<ServersListener>();

  constructor(
    readonly list: ServerList,
    private readonly factory: MonitorFactory,
  ) {}

  /** Servers that the user added here. */
  get saved(): SavedServers {
    return this.list.saved;
  }

  onDidChange(listener: ServersListener): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  /** Every server of the list, opened or not. */
  snapshots(): readonly ServerSnapshot[] {
    const labels = this.list.labels();
    return this.list.all().map((server) => this.describe(server, labels));
  }

  /** @throws Error where the server is not in the list any more */
  snapshot(serverId: string): ServerSnapshot {
    const server = this.list.find(serverId);
    if (server === undefined) throw new Error('This server is no longer in the list.');
    return this.describe(server, this.list.labels());
  }

  /** A server that came later can have the same name: the label is that of now. */
  private describe(server: ListedServer, labels: ReadonlyMap<string, string>): ServerSnapshot {
    const snapshot = this.ready.get(server.id)?.snapshot ?? describeUnopened(server.id, server.name, this.list.wasTracked(server.id));
    const label = labels.get(server.id) ?? server.name;
    return snapshot.label === label ? snapshot : { ...snapshot, label };
  }

  /** The pages of evidence as they were computed last; asking has newer ones made where something changed. null: none yet. */
  evidence(serverId: string): EvidencePages | null {
    return this.ready.get(serverId)?.askForEvidence() ?? null;
  }

  /** What the evidence knows beside its pages; null: the server was not opened in this window. */
  timeline(serverId: string): TimelineEvidence | null {
    return this.ready.get(serverId)?.timeline ?? null;
  }

  capture(serverId: string): CaptureRecord | null {
    return this.ready.get(serverId)?.capture ?? null;
  }

  /** The server's monitor; does not connect. @throws Error where the server is not in the list any more */
  async monitor(serverId: string): Promise<ServerMonitor> {
    const server = this.list.find(serverId);
    if (server === undefined) throw new Error('This server is no longer in the list.');
    const known = this.monitors.get(serverId);
    if (known !== undefined) return known;
    const made = this.makeMonitor(server);
    this.monitors.set(serverId, made);
    this.made.set(serverId, server);
    return made;
  }

  /**
   * What a command is for: the monitor after a read of the facts, tried again where the last one failed; what fails is in the snapshot. May ask the user.
   * @param mayLogInAgain asked before a login where one was refused earlier, because anything can run a command; throws where the user does not want it
   */
  async connect(serverId: string, mayLogInAgain: (refused: ServerSnapshot) => Promise<void>, signal?: AbortSignal): Promise<ServerMonitor> {
    const beganMs = Date.now();
    const wasTried = this.ready.get(serverId)?.snapshot.connection ?? 'not connected';
    const monitor = await this.look(serverId);
    const { connection, standing } = monitor.snapshot;
    if (connection === 'connected') return monitor;
    const isTriedNow = wasTried === 'not connected' && (standing === null || standing.sinceMs >= beganMs);
    if (isTriedNow && standing?.kind !== 'waiting') return monitor;
    if (standing?.kind === 'refused') await mayLogInAgain(monitor.snapshot);
    await monitor.refresh(signal);
    return monitor;
  }

  /** The same without a click, as after the window was reloaded: nobody is asked, and a server that needs that waits for a click. */
  async look(serverId: string): Promise<ServerMonitor> {
    const monitor = await this.monitor(serverId);
    if (this.firstReads.has(monitor) || monitor.snapshot.connection === 'not connected')
      await this.readFirst(monitor, () => monitor.look());
    return monitor;
  }

  /** The user opened its row. */
  async expand(serverId: string): Promise<void> {
    const monitor = await this.look(serverId);
    if (monitor.snapshot.standing?.kind === 'waiting') await monitor.refresh();
  }

  /** Once, however many wait for it: a server that does not answer costs everyone one time-out. */
  private readFirst(monitor: ServerMonitor, read: () => Promise<void>): Promise<void> {
    const known = this.firstReads.get(monitor);
    if (known !== undefined) return known;
    const reading = read().finally(() => this.firstReads.delete(monitor));
    this.firstReads.set(monitor, reading);
    return reading;
  }

  /** Adds a server or takes in its new settings. A monitor that used the old ones is given up. */
  async save(server: SavedServer): Promise<void> {
    await this.list.saved.save(server);
    await this.close(server.id);
    this.tell(null, null);
  }

  async remove(serverId: string): Promise<void> {
    await this.list.remove(serverId);
    this.remembered.delete(serverId);
    await this.close(serverId);
    this.tell(null, null);
  }

  /** A server of another product that was pointed at: it is in the list from now on. */
  point(server: HostServer): void {
    this.list.point(server);
    this.tell(null, null);
  }

  /** The list may be another one now. What is in it no more, or leads to another server by now, is closed; its captures stay on disk. */
  async takeInList(): Promise<void> {
    await Promise.all([...this.made.values()].filter((server) => !this.isAsMade(server)).map(({ id }) => this.close(id)));
    this.tell(null, null);
  }

  private isAsMade({ id, server, way }: ListedServer): boolean {
    const listed = this.list.find(id);
    return listed !== undefined && listed.server === server && listed.way === way;
  }

  /** The monitors that were made, of servers to which another product's connections lead. */
  openedThroughHosts(): readonly ServerMonitor[] {
    return this.list.all().flatMap(({ id, way }) => (way === 'own' ? [] : (this.ready.get(id) ?? [])));
  }

  async dispose(): Promise<void> {
    this.listeners.clear();
    await Promise.all([...this.monitors.keys()].map((id) => this.close(id)));
  }

  private async makeMonitor(server: ListedServer): Promise<ServerMonitor> {
    try {
      const monitor = await this.factory.createMonitor(server, this.list.labels().get(server.id) ?? server.name);
      // Closed while it was being made: it is disposed, and another may have its place by now.
      if (this.made.get(server.id) !== server) return monitor;
      monitor.onDidChange((change) => this.takeIn(server, monitor, change));
      this.ready.set(server.id, monitor);
      return monitor;
    } catch (error) {
      if (this.made.get(server.id) === server) this.monitors.delete(server.id);
      throw error;
    }
  }

  private takeIn(server: ListedServer, monitor: ServerMonitor, change: ServerChange): void {
    if (server.way !== 'own' && !this.remembered.has(server.id) && monitor.snapshot.connection === 'connected') {
      this.remembered.add(server.id);
      void this.list.remember(server);
    }
    const { connection, tracking } = monitor.snapshot;
    if (connection === 'connected') void this.list.noteTracked(server.id, tracking.state === 'tracking');
    this.tell(server.id, change);
  }

  private async close(serverId: string): Promise<void> {
    const monitor = this.monitors.get(serverId);
    this.monitors.delete(serverId);
    this.made.delete(serverId);
    this.ready.delete(serverId);
    // A monitor that could not be made has nothing to end; whoever asked for it was told why.
    await monitor?.then(
      (made) => made.dispose(),
      () => undefined,
    );
  }

  private tell(serverId: string | null, change: ServerChange | null): void {
    for (const listener of [...this.listeners]) listener(serverId, change);
  }
}

/** What is known about a server that was not opened in this window yet. @param isLastSeen its event session ran when it was read last */
export function describeUnopened(id: string, label: string, isLastSeen: boolean): ServerSnapshot {
  return {
    id,
    label,
    connection: 'not connected',
    failure: null,
    standing: null,
    silentSinceMs: null,
    lastMinute: [],
    lastReadMs: null,
    waitsFor: null,
    facts: null,
    instance: null,
    verdicts: new Map(),
    statistics: new Map(),
    preflight: emptyPreflight,
    tracking: { ...notTracking, isLastSeen },
    trackingSinceUtcMs: null,
    trackedDatabaseIds: null,
    adoptedSession: null,
    changes: [],
    stopSign: null,
    forecast: null,
  };
}
