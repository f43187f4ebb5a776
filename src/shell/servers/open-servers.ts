/**
 * One monitor for each server that was opened in this window. It is made when first needed, and disposed with the
 * server or the window.
 */
import type { ServerFacts } from '../../core/advice/server-facts';
import type { Choice } from '../../core/advice/plan';
import { emptyPreflight } from '../../core/advice/rules/preflight';
import type { CaptureRecord } from '../../core/capture/capture-record';
import { notTracking } from '../../core/capture/tracking-status';
import { t } from '../../core/language';
import type { EvidencePages } from '../../core/pages/evidence-page';
import type { TimelineEvidence } from '../../monitor/evidence/evidence-world';
import type {
  ReviewedSwitch,
  ServerChange,
  ServerMonitor,
  ServerSnapshot,
} from '../../monitor/server-monitor';
import type { HostServer } from '../../hosts/host';
import type { SavedServer } from './saved-server';
import type { SavedServers } from './saved-servers';
import type { ListedServer, ServerList } from './server-list';

/** The change is `null` if the list of servers itself changed. */
type ServersListener = (serverId: string | null, change: ServerChange | null) => void;

/** A server as the pane shows it. */
export interface ListedSnapshot extends ServerSnapshot {
  /** The label of the entry that leads to the same server, and by whose connection it is watched; absent: this one. */
  readonly sameAs?: string;
}

export class OpenServers {
  private readonly monitors = new Map<string, Promise<ServerMonitor>>();
  /** Those of `monitors` that are ready. */
  private readonly ready = new Map<string, ServerMonitor>();
  /** Each server as it was when its monitor was made. */
  private readonly made = new Map<string, ListedServer>();
  /** Servers of other products that were reached in this window. */
  private readonly remembered = new Set<string>();
  private readonly firstReads = new Map<ServerMonitor, Promise<void>>();
  private readonly listeners = new Set<ServersListener>();
  /** What each server called itself first, by entry. */
  private readonly named = new Map<string, string>();
  /** Entries that lead to a server that another entry watches, by whose monitor they are shown. */
  private readonly twins = new Map<string, string>();

  /**
   * @param createMonitor gets the name that is shown for the server too, and what tells whether another entry watches
   * the server
   */
  constructor(
    readonly list: ServerList,
    private readonly createMonitor: (
      server: ListedServer,
      label: string,
      isElsewhere: (server: ServerFacts) => boolean,
    ) => Promise<ServerMonitor>,
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
  snapshots(): readonly ListedSnapshot[] {
    const labels = this.list.labels();
    return this.list.all().map((server) => this.describe(server, labels));
  }

  /** @throws Error if the server is no longer in the list */
  snapshot(serverId: string): ListedSnapshot {
    return this.describe(this.list.get(serverId), this.list.labels());
  }

  /** Uses the label of now, because a server with the same name may have been added later. */
  private describe(server: ListedServer, labels: ReadonlyMap<string, string>): ListedSnapshot {
    const snapshot =
      this.ready.get(server.id)?.snapshot ??
      describeUnopened(server.id, server.name, this.list.wasTracked(server.id));
    const label = labels.get(server.id) ?? server.name;
    const twin = this.twins.get(server.id);
    if (twin !== undefined) return { ...snapshot, id: server.id, label, sameAs: labels.get(twin) ?? twin };
    return snapshot.label === label ? snapshot : { ...snapshot, label };
  }

  /** The pages of evidence as last computed; null if none yet. If something changed, this call has new ones made. */
  evidence(serverId: string): EvidencePages | null {
    return this.ready.get(serverId)?.askForEvidence() ?? null;
  }

  /** What the evidence knows beside its pages; null if the server was not opened in this window. */
  timeline(serverId: string): TimelineEvidence | null {
    return this.ready.get(serverId)?.timeline ?? null;
  }

  capture(serverId: string): CaptureRecord | null {
    return this.ready.get(serverId)?.capture ?? null;
  }

  /** Plans from what was read last: asks the server nothing. @throws Error with one sentence if nothing was read yet */
  async replan(serverId: string, choice: Choice): Promise<ReviewedSwitch> {
    const monitor = this.ready.get(serverId);
    if (monitor === undefined) throw new Error(t('This server was not opened in this window.'));
    return monitor.replanSwitch(choice);
  }

  /** The server's monitor; does not connect. @throws Error if the server is no longer in the list */
  async monitor(serverId: string): Promise<ServerMonitor> {
    const server = this.list.get(serverId);
    const known = this.monitors.get(serverId);
    if (known !== undefined) return known;
    const made = this.makeMonitor(server);
    this.monitors.set(serverId, made);
    this.made.set(serverId, server);
    return made;
  }

  /**
   * For commands. Reads the facts, tries again if the last reading failed, and gives the monitor; a failure is in its
   * snapshot. May ask the user.
   * @param mayLogInAgain asked before a login if one was refused earlier, because anything can run a command; throws if
   * the user does not want it
   */
  async connect(
    serverId: string,
    mayLogInAgain: (refused: ServerSnapshot) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<ServerMonitor> {
    this.part(serverId);
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

  /**
   * The same without a click, as after a reload of the window. The user is not asked; a server that needs an answer
   * waits for a click.
   */
  async look(serverId: string): Promise<ServerMonitor> {
    const monitor = await this.monitor(serverId);
    if (this.firstReads.has(monitor) || monitor.snapshot.connection === 'not connected')
      await this.readFirst(monitor, () => monitor.look());
    return (await this.monitors.get(serverId)) ?? monitor;
  }

  /** Call if the user opened the server's row. */
  async expand(serverId: string): Promise<void> {
    const monitor = await this.look(serverId);
    if (monitor.snapshot.standing?.kind === 'waiting') await monitor.refresh();
  }

  /** Reads once for all who wait, so that a server that does not answer costs them one time-out. */
  private readFirst(monitor: ServerMonitor, read: () => Promise<void>): Promise<void> {
    const known = this.firstReads.get(monitor);
    if (known !== undefined) return known;
    const reading = read().finally(() => this.firstReads.delete(monitor));
    this.firstReads.set(monitor, reading);
    return reading;
  }

  /** Adds a server or takes its new settings. A monitor with the old settings is closed. */
  async save(server: SavedServer): Promise<void> {
    await this.list.saved.save(server);
    await this.close(server.id);
    this.tell(null, null);
  }

  async remove(serverId: string): Promise<void> {
    await this.list.remove(serverId);
    this.remembered.delete(serverId);
    const [heir] = this.listTwins(serverId);
    await this.close(serverId);
    this.tell(null, null);
    // Its session may run on, and is to be read.
    if (heir !== undefined) void this.look(heir).catch(() => undefined);
  }

  /** Puts a server of another product, at which the user pointed, into the list. */
  point(server: HostServer): void {
    this.list.point(server);
    this.tell(null, null);
  }

  /** Puts a saved capture into the list while it is open. */
  openFile(id: string, name: string, path: string): void {
    this.list.openFile(id, name, path);
    this.tell(null, null);
  }

  async closeFile(id: string): Promise<void> {
    this.list.closeFile(id);
    await this.close(id);
    this.tell(null, null);
  }

  /**
   * Follows the list of servers. Closes monitors of servers that left the list or lead to another server now; their
   * captures stay on disk.
   */
  async takeInList(): Promise<void> {
    await Promise.all(
      [...this.made.values()].filter((server) => !this.isAsMade(server)).map(({ id }) => this.close(id)),
    );
    this.tell(null, null);
  }

  private isAsMade({ id, server, way }: ListedServer): boolean {
    const listed = this.list.find(id);
    return listed !== undefined && listed.server === server && listed.way === way;
  }

  /** The monitors of servers that we reach through another product's connections. */
  openedThroughHosts(): readonly ServerMonitor[] {
    return this.list
      .all()
      .flatMap(({ id, way }) => (way === 'own' || way === 'file' ? [] : (this.ready.get(id) ?? [])));
  }

  async dispose(): Promise<void> {
    this.listeners.clear();
    await Promise.all([...this.monitors.keys()].map((id) => this.close(id)));
  }

  private async makeMonitor(server: ListedServer): Promise<ServerMonitor> {
    try {
      const label = this.list.labels().get(server.id) ?? server.name;
      const monitor = await this.createMonitor(server, label, (facts) => this.isElsewhere(server, facts));
      // It was closed while it was being made: it is disposed, and another monitor may have its place now.
      if (this.made.get(server.id) !== server) return monitor;
      monitor.onDidChange((change) => this.takeIn(server, monitor, change));
      this.ready.set(server.id, monitor);
      return monitor;
    } catch (error) {
      if (this.made.get(server.id) === server) this.monitors.delete(server.id);
      throw error;
    }
  }

  /** One server is watched once, however often it is listed: two would read the same session, and stop it for both. */
  private isElsewhere(listed: ListedServer, server: ServerFacts): boolean {
    const [serverId, name] = [listed.id, nameServer(server)];
    this.noteReached(listed);
    this.named.set(serverId, name);
    // It led to another server before.
    this.forget(...this.listTwins(serverId));
    const nameOf = (id: string): string | undefined => {
      const { facts = null } = this.ready.get(id)?.snapshot ?? {};
      return facts === null ? this.named.get(id) : nameServer(facts.server);
    };
    const isSame = (id: string): boolean => id !== serverId && !this.twins.has(id) && nameOf(id) === name;
    const other = [...this.monitors.keys()].find(isSame);
    if (other === undefined || server.startedUtcMs === null) return false;
    // The one that tracks goes on.
    const isOwn = this.ready.get(serverId)?.snapshot.tracking.state === 'tracking';
    this.join(...(isOwn ? ([other, serverId] as const) : ([serverId, other] as const)));
    return !isOwn;
  }

  private join(twin: string, watching: string): void {
    const [own, monitor] = [this.monitors.get(twin), this.monitors.get(watching)];
    this.twins.set(twin, watching);
    if (monitor !== undefined) this.monitors.set(twin, monitor);
    const ready = this.ready.get(watching);
    if (ready !== undefined) this.ready.set(twin, ready);
    void own?.then((left) => left.dispose());
    this.tell(twin, 'facts');
  }

  /** From the next look on it is watched on its own: its address may lead elsewhere by now. */
  part(serverId: string): void {
    if (this.twins.has(serverId)) this.forget(serverId);
  }

  private listTwins(serverId: string): readonly string[] {
    return [...this.twins].flatMap(([twin, of]) => (of === serverId ? twin : []));
  }

  private forget(...ids: readonly string[]): void {
    for (const id of ids)
      for (const known of [this.monitors, this.made, this.ready, this.twins, this.named]) known.delete(id);
  }

  private takeIn(server: ListedServer, monitor: ServerMonitor, change: ServerChange): void {
    if (this.ready.get(server.id) !== monitor) return;
    const { connection, tracking } = monitor.snapshot;
    if (connection === 'connected') this.noteReached(server);
    // Another entry may still reach it.
    if (connection === 'failed') this.forget(...this.listTwins(server.id));
    for (const id of [server.id, ...this.listTwins(server.id)]) {
      if (connection === 'connected') void this.list.noteTracked(id, tracking.state === 'tracking');
      this.tell(id, change);
    }
  }

  private noteReached(server: ListedServer): void {
    if (server.way === 'own' || server.way === 'file' || this.remembered.has(server.id)) return;
    this.remembered.add(server.id);
    void this.list.remember(server);
  }

  private async close(serverId: string): Promise<void> {
    const monitor = this.monitors.get(serverId);
    const isTwin = this.twins.has(serverId);
    // Its twins are watched on their own from the next look on.
    this.forget(serverId, ...this.listTwins(serverId));
    if (isTwin) return;
    // If the monitor could not be made, there is nothing to close, and the caller was told why.
    await monitor?.then(
      (made) => made.dispose(),
      () => undefined,
    );
  }

  private tell(serverId: string | null, change: ServerChange | null): void {
    for (const listener of [...this.listeners]) listener(serverId, change);
  }
}

/** Tells one server from another with the same name, such as two containers. */
const nameServer = ({ serverName, startedUtcMs }: ServerFacts): string => `${serverName} ${startedUtcMs}`;

/**
 * What we know of a server that was not opened in this window yet.
 * @param isLastSeen its event session ran when it was last read
 */
export function describeUnopened(id: string, label: string, isLastSeen: boolean): ServerSnapshot {
  return {
    id,
    label,
    connection: 'not connected',
    failure: null,
    standing: null,
    silentSinceMs: null,
    cost: { lastMinute: [], sessionBytes: null, readEveryMs: null, isSpacedOut: false },
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
    nearestLimit: null,
    forecast: null,
    result: null,
  };
}
