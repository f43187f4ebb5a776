import type { ServerDescription } from '../../scenarios/scenario';
import type { Agenda } from '../time/agenda';
import type { XmlContext } from './event-actions';
import type { EventCatalogue } from './event-catalogue';
import { changeDefinition, checkDefinition, targetName, type DefinitionRules } from './event-definition';
import { isUrl, type EventDisk } from './event-disk';
import { eventErrors } from './event-errors';
import { FileTarget, readFileTargetOptions } from './event-file';
import { isOn, readRunOptions } from './event-options';
import { RingTarget } from './event-ring';
import type { FiredEvent } from './event-row';
import { RunningSession } from './event-session';
import type {
  EventSessionChange,
  EventSessionDefinition,
  TargetDefinition,
} from '../../scenarios/event-session';
import type { LedgerWriter } from '../ledger/ledger';

/** One defined session. Its definition may change, it may be running, and its runs leave files. */
export interface DefinedSession {
  readonly id: number;
  /** The database to which it belongs; undefined for one of the server. */
  readonly databaseId: number | undefined;
  definition: EventSessionDefinition;
  running: RunningSession | undefined;
}

export interface SessionStoreOptions {
  readonly agenda: Agenda;
  readonly disk: EventDisk;
  readonly ledger: LedgerWriter;
  readonly server: ServerDescription;
  readonly catalogue: EventCatalogue;
  readonly context: XmlContext;
  readonly seed: number;
}

const FIRST_ID = 65_536;

/** The server's event sessions by scope and name. The caller has checked permissions and scope. */
export class SessionStore {
  readonly all: DefinedSession[] = [];
  private nextId = FIRST_ID;
  private readonly rules: DefinitionRules;
  /** Rises with every change that a catalog view shows. */
  version = 0;

  constructor(private readonly options: SessionStoreOptions) {
    this.rules = { server: options.server, catalogue: options.catalogue };
  }

  fire(event: FiredEvent): void {
    for (const { running, databaseId } of this.all)
      if (running !== undefined && (databaseId === undefined || databaseId === event.databaseId))
        running.take(event);
  }

  create(definition: EventSessionDefinition, databaseId?: number): void {
    if (this.find(definition.name, databaseId) !== undefined)
      throw eventErrors.sessionExists(definition.name);
    checkDefinition(definition, this.rules);
    this.all.push({ id: this.nextId++, databaseId, definition, running: undefined });
    this.version += 1;
  }

  /** Adds a session of the installation: its files may be where a customer's may not. */
  install(definition: EventSessionDefinition): void {
    this.all.push({ id: this.nextId++, databaseId: undefined, definition, running: undefined });
    this.version += 1;
  }

  /** Makes the changes of one statement: all of them, or none if one is refused. */
  alter(name: string, changes: readonly EventSessionChange[], atUs: number, databaseId?: number): void {
    const session = this.find(name, databaseId);
    if (session === undefined) throw eventErrors.noSuchSession('alter', name);
    session.definition = changes.reduce(
      (so, change) => changeDefinition(so, change, this.rules),
      session.definition,
    );
    changes.forEach((change) => this.apply(session, change, atUs));
    this.version += 1;
  }

  drop(name: string, atUs: number, databaseId?: number): void {
    const session = this.find(name, databaseId);
    if (session === undefined) throw eventErrors.noSuchSession('drop', name);
    session.running?.stop(atUs);
    this.all.splice(this.all.indexOf(session), 1);
    this.version += 1;
  }

  /**
   * The server restarted: every run ends, and what it had in memory is gone; sessions with STARTUP_STATE = ON run
   * again.
   */
  restart(downUs: number, upUs: number, isCrash: boolean): void {
    for (const session of this.all) {
      if (isCrash) session.running?.crash(downUs);
      else session.running?.stop(downUs);
      session.running = undefined;
      if (isOn(session.definition.options, 'STARTUP_STATE')) this.start(session, upUs);
    }
    this.version += 1;
  }

  /** Names are unique among the sessions of the server, and among those of each database. */
  find(name: string, databaseId?: number): DefinedSession | undefined {
    return this.all.find(
      (session) =>
        session.databaseId === databaseId && session.definition.name.toLowerCase() === name.toLowerCase(),
    );
  }

  private apply(session: DefinedSession, change: EventSessionChange, atUs: number): void {
    const { running } = session;
    if (change.kind === 'state')
      return change.state === 'start' ? this.start(session, atUs) : this.stop(session, atUs);
    if (running === undefined) return;
    if (change.kind === 'addEvent') {
      const event = this.options.catalogue.findEvent(change.event.package, change.event.name);
      if (event !== undefined) running.subscribe(event, change.event);
    } else if (change.kind === 'dropEvent') running.unsubscribe(change.name);
    else {
      running.flush(atUs);
      (change.name.toLowerCase() === 'ring_buffer' ? running.rings : running.files).splice(0);
    }
  }

  private start(session: DefinedSession, atUs: number): void {
    if (session.running !== undefined) throw eventErrors.sessionRunning();
    const { definition } = session;
    const { agenda, disk, context, seed, ledger, catalogue } = this.options;
    definition.targets.forEach((target) => this.checkPath(target));
    const options = readRunOptions(definition.options);
    const run = ledger.sessionStarted(definition.name, Math.floor(atUs / 1000));
    const running = new RunningSession(atUs, options, { agenda, disk, context, seed }, run, [], []);
    definition.targets.forEach((target) => this.openTarget(running, target, atUs));
    for (const each of definition.events) {
      const event = catalogue.findEvent(each.package, each.name);
      if (event !== undefined) running.subscribe(event, each);
    }
    session.running = running;
    if (options.durationUs !== undefined)
      agenda.enter(
        atUs + options.durationUs,
        (dueUs) => void (session.running === running && this.stop(session, dueUs)),
      );
  }

  private stop(session: DefinedSession, atUs: number): void {
    if (session.running === undefined) throw eventErrors.sessionStopped();
    session.running.stop(atUs);
    session.running = undefined;
  }

  /**
   * If a file cannot be made, that shows when the session starts, not when it is created. Texts of the operating
   * system: Microsoft Learn, "Extended Events targets", troubleshooting. SQL Server outside Azure takes blobs too, with
   * a credential; since which release is not published.
   * @throws SqlError 25602
   */
  private checkPath(target: TargetDefinition): void {
    if (target.name.toLowerCase() !== 'event_file') return;
    const { disk } = this.options;
    const { path } = readFileTargetOptions(disk, target.options);
    const fail = (error: string, state: number): never => {
      throw eventErrors.targetFailed(
        targetName(target),
        `The operating system returned error ${error} while creating the file '${path}'.`,
        state,
      );
    };
    if (isUrl(path)) {
      if (!disk.hasCredentialFor(path)) fail("86: 'The specified network password is not correct.'", 1);
    } else if (!disk.hasDirectoryOf(path)) fail("3: 'The system cannot find the path specified.'", 22);
    else if (disk.isFull) fail("112: 'There is not enough space on the disk.'", 22);
  }

  private openTarget(running: RunningSession, target: TargetDefinition, atUs: number): void {
    const { disk } = this.options;
    if (target.name.toLowerCase() === 'ring_buffer') running.rings.push(new RingTarget(target.options));
    else running.files.push(new FileTarget(disk, readFileTargetOptions(disk, target.options), atUs));
  }
}
