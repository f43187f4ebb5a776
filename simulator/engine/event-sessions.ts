import type { Agenda } from './agenda';
import { errors } from './errors';
import { PREDICATE_SOURCES, findAction, findEvent, findTarget } from './event-catalogue';
import { FileTarget, readFileTargetOptions, type EventDisk } from './event-file';
import { listSources } from './event-predicate';
import { RingTarget } from './event-ring';
import type { FiredEvent } from './event-row';
import { RunningSession, type RunOptions } from './event-session';
import type { EventDefinition, EventSessionChange, EventSessionDefinition, TargetDefinition } from './instance';
import type { LedgerWriter } from './ledger';

/** Microsoft Learn, "Targets for Extended Events". */
const TARGET_OPTIONS = [
  'filename',
  'max_file_size',
  'max_rollover_files',
  'increment',
  'metadatafile',
  'max_memory',
  'max_events_limit',
  'occurrence_number',
];

/** The GUID stands for the module of package0; target errors name it. Seen in published 25602 texts. */
const TARGET_MODULE = '5B2DA06D-898A-43C8-9309-39BBBE93EBBD';
const DEFAULT_MEMORY_BYTES = 4 * 1024 * 1024;
/** docs/facts.md, SQL Server 3. */
const MOST_PREDICATE_CHARACTERS = 3000;
const DEFAULT_LATENCY_US = 30_000_000;

/** One defined session: its definition changes, it may be running, and its runs leave files. */
export interface DefinedSession {
  readonly id: number;
  definition: EventSessionDefinition;
  running: RunningSession | undefined;
}

/** Server-scoped event sessions by name, as the server holds them. Permissions are checked before this is asked. */
export class SessionStore {
  readonly all: DefinedSession[] = [];
  private nextId = 65_536;
  /** Rises with every change that a catalog view shows. */
  version = 0;

  constructor(
    private readonly agenda: Agenda,
    private readonly disk: EventDisk,
    private readonly ledger: LedgerWriter,
  ) {}

  fire(event: FiredEvent): void {
    for (const session of this.all) session.running?.take(event);
  }

  create(definition: EventSessionDefinition): void {
    if (this.find(definition.name) !== undefined) throw errors.sessionExists(definition.name);
    definition.events.forEach(checkEvent);
    definition.targets.forEach(checkTarget);
    this.all.push({ id: this.nextId++, definition, running: undefined });
    this.version += 1;
  }

  /** The changes of one statement, one after another; the first that is refused ends it. */
  alter(name: string, changes: readonly EventSessionChange[], atUs: number): void {
    const session = this.find(name);
    if (session === undefined) throw errors.noSuchSession('alter', name);
    for (const change of changes) this.apply(session, change, atUs);
    this.version += 1;
  }

  drop(name: string, atUs: number): void {
    const session = this.find(name);
    if (session === undefined) throw errors.noSuchSession('drop', name);
    session.running?.stop(atUs);
    this.all.splice(this.all.indexOf(session), 1);
    this.version += 1;
  }

  find(name: string): DefinedSession | undefined {
    return this.all.find((session) => session.definition.name.toLowerCase() === name.toLowerCase());
  }

  private apply(session: DefinedSession, change: EventSessionChange, atUs: number): void {
    const { definition } = session;
    switch (change.kind) {
      case 'state':
        return change.state === 'start' ? this.start(session, atUs) : this.stop(session, atUs);
      case 'addEvent': {
        checkEvent(change.event);
        if (definition.events.some(isNamed(change.event)))
          throw errors.alreadyInSession('event', `${change.event.package}.${change.event.name}`);
        session.definition = { ...definition, events: [...definition.events, change.event] };
        session.running?.subscribe(change.event);
        return;
      }
      case 'dropEvent': {
        if (!definition.events.some(isNamed(change))) throw errors.notInSession('event', `${change.package}.${change.name}`);
        session.definition = { ...definition, events: definition.events.filter((event) => !isNamed(change)(event)) };
        session.running?.unsubscribe(change.name);
        return;
      }
      case 'addTarget': {
        checkTarget(change.target);
        if (definition.targets.some(isNamed(change.target)))
          throw errors.alreadyInSession('target', `${change.target.package}.${change.target.name}`);
        session.definition = { ...definition, targets: [...definition.targets, change.target] };
        if (session.running !== undefined) this.openTarget(session.running, change.target, atUs);
        return;
      }
      case 'dropTarget': {
        if (!definition.targets.some(isNamed(change))) throw errors.notInSession('target', `${change.package}.${change.name}`);
        session.definition = { ...definition, targets: definition.targets.filter((target) => !isNamed(change)(target)) };
        session.running?.dispatch(atUs);
        (change.name.toLowerCase() === 'ring_buffer' ? session.running?.rings : session.running?.files)?.splice(0);
      }
    }
  }

  private start(session: DefinedSession, atUs: number): void {
    if (session.running !== undefined) throw errors.sessionRunning();
    const { definition } = session;
    definition.targets.forEach((target) => this.checkPath(target));
    const run = this.ledger.sessionStarted(definition.name, Math.floor(atUs / 1000));
    const running = new RunningSession(atUs, readRunOptions(definition.options), this.agenda, run, [], []);
    definition.targets.forEach((target) => this.openTarget(running, target, atUs));
    definition.events.forEach((event) => running.subscribe(event));
    session.running = running;
  }

  private stop(session: DefinedSession, atUs: number): void {
    if (session.running === undefined) throw errors.sessionStopped();
    session.running.stop(atUs);
    session.running = undefined;
  }

  private checkPath(target: TargetDefinition): void {
    if (target.name.toLowerCase() !== 'event_file') return;
    const { path } = readFileTargetOptions(this.disk, target.options);
    if (this.disk.hasDirectoryOf(path)) return;
    const reason = `The operating system returned error 3: 'The system cannot find the path specified.' while creating the file '${path}'.`;
    throw errors.targetFailed(`${TARGET_MODULE}.package0.event_file`, reason);
  }

  private openTarget(running: RunningSession, target: TargetDefinition, atUs: number): void {
    this.checkPath(target);
    if (target.name.toLowerCase() === 'ring_buffer') running.rings.push(new RingTarget(target.options));
    else running.files.push(new FileTarget(this.disk, readFileTargetOptions(this.disk, target.options), atUs));
  }
}

function isNamed(wanted: { readonly package: string; readonly name: string }) {
  return (each: { readonly package: string; readonly name: string }): boolean =>
    each.package.toLowerCase() === wanted.package.toLowerCase() && each.name.toLowerCase() === wanted.name.toLowerCase();
}

function checkEvent(definition: EventDefinition): void {
  const event = findEvent(definition.package, definition.name);
  if (event === undefined) throw errors.invalidObject('event', `${definition.package}.${definition.name}`);
  const badAction = definition.actions.find((action) => findAction(action) === undefined);
  if (badAction !== undefined) throw errors.invalidObject('action', badAction);
  const known = [...event.fields.map((field) => field.name), ...PREDICATE_SOURCES.map((source) => `${source.package}.${source.name}`)];
  const badSource = listSources(definition.predicate).find((source) => !known.includes(source));
  if (badSource !== undefined) throw errors.noSuchSource(badSource);
  if ((definition.predicateText?.length ?? 0) > MOST_PREDICATE_CHARACTERS) throw errors.predicateTooLong(definition.name);
}

function checkTarget(definition: TargetDefinition): void {
  const written = `${definition.package}.${definition.name}`;
  if (findTarget(definition.package, definition.name) === undefined) throw errors.invalidObject('target', written);
  const hasFile = Object.keys(definition.options).some((name) => name.toLowerCase() === 'filename');
  if (definition.name.toLowerCase() === 'event_file' && !hasFile) throw errors.missingFilename(`${TARGET_MODULE}.${written}`);
  const unknown = Object.keys(definition.options).find((name) => !TARGET_OPTIONS.includes(name.toLowerCase()));
  if (unknown !== undefined) throw errors.noSuchTargetOption(`${TARGET_MODULE}.${written}`, unknown);
}

/** Options as written in the statement: "5 SECONDS", "4096 KB", "ON". Defaults from Microsoft Learn, "CREATE EVENT SESSION". */
function readRunOptions(options: Readonly<Record<string, string>>): RunOptions {
  const latency = options['MAX_DISPATCH_LATENCY'];
  const seconds = latency === undefined ? DEFAULT_LATENCY_US / 1e6 : /^infinite$/i.test(latency.trim()) ? 0 : Number.parseInt(latency, 10);
  return {
    causality: (options['TRACK_CAUSALITY'] ?? 'OFF').trim().toUpperCase() === 'ON',
    dispatchLatencyUs: seconds === 0 ? undefined : seconds * 1e6,
    maxMemoryBytes: readMemory(options['MAX_MEMORY']),
  };
}

/** "4096 KB" or "4 MB" in bytes. */
export function readMemory(written: string | undefined): number {
  const match = /^\s*(\d+)\s*(KB|MB)?\s*$/i.exec(written ?? '');
  if (match === null) return DEFAULT_MEMORY_BYTES;
  return Number(match[1]) * (match[2]?.toUpperCase() === 'MB' ? 1024 * 1024 : 1024);
}
