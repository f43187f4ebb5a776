import type { Caller, CheckpointEvent } from './event';

/** The values of one begin or end. All rows share one register, so that nothing is allocated for an event. */
export class EventRegister {
  isEnd = false;
  databaseId = 0;
  atUtcMs = 0;
  /** False if the session has no causality tracking; then the fields below mean nothing. */
  hasActivity = false;
  /** The GUID of the task, 32 bits each. */
  guid0 = 0;
  guid1 = 0;
  guid2 = 0;
  guid3 = 0;
  sequence = 0;
  /** Of actions is_system and session_id, as `packCaller` writes them. */
  caller = 0;

  set(event: CheckpointEvent): void {
    this.isEnd = event.kind === 'end';
    this.databaseId = event.databaseId;
    this.atUtcMs = event.atUtcMs;
    this.hasActivity = false;
    this.caller = packCaller(event.caller);
    if (event.activity !== null) this.setActivity(readGuid(event.activity.guid), event.activity.sequence);
  }

  /** @param guid the four numbers of `readGuid` */
  setActivity(guid: ReturnType<typeof readGuid>, sequence: number): void {
    this.hasActivity = true;
    this.guid0 = guid[0];
    this.guid1 = guid[1];
    this.guid2 = guid[2];
    this.guid3 = guid[3];
    this.sequence = sequence;
  }
}

/** Kinds of callers in a number; both in one: the events of a task contradict each other. */
const [SESSION, SYSTEM] = [1, 2] as const;
const ID_FROM = 4;

/** Who asked as one number: 0, nothing is known; 1, a session; 2, the engine; four times the session id is added. */
export function packCaller(caller: Caller | undefined): number {
  if (caller === undefined) return 0;
  const kind = caller.isSystem === null ? 0 : caller.isSystem ? SYSTEM : SESSION;
  return kind + ID_FROM * (caller.sessionId ?? 0);
}

/** What two events of one task say together, in whatever order. */
export function joinCallers(a: number, b: number): number {
  return ((a % ID_FROM) | (b % ID_FROM)) + ID_FROM * Math.max(sessionOfCaller(a), sessionOfCaller(b));
}

/** Without the session id; 0 where it is not known. */
export const kindOfCaller = (packed: number): number =>
  isSystemCaller(packed) || isSessionCaller(packed) ? packed % ID_FROM : 0;

export const isSystemCaller = (packed: number): boolean => packed % ID_FROM === SYSTEM;
export const isSessionCaller = (packed: number): boolean => packed % ID_FROM === SESSION;
/** Also where only the session id says so: ids up to 50 are the engine's own (docs/facts.md, SQL Server 3). */
export const isEngineCaller = (packed: number): boolean =>
  isSystemCaller(packed) || (packed % ID_FROM === 0 && packed > 0 && sessionOfCaller(packed) <= 50);
/** 0: not known. */
export const sessionOfCaller = (packed: number): number => Math.floor(packed / ID_FROM);

/** A GUID as four numbers, which `| 0` makes signed ones of 32 bits, as the register holds them. */
export function readGuid(guid: string): readonly [number, number, number, number] {
  const digits = guid.replace(/-/g, '');
  const word = (at: number): number => parseInt(digits.slice(at, at + 8), 16) | 0;
  return [word(0), word(8), word(16), word(24)];
}
