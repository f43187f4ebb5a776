/** Files of saved events become one capture, as those of a session do: the same pairing, ledger and gaps. */
import { createCapture } from '../capture/capture';
import { type KeptRecord, keepRecord } from '../capture/capture-record';
import { createCatalog } from '../capture/catalog';
import { RowAccount } from '../capture/ledger';
import { describeUnread } from '../capture/observation';
import { type DayPlace, findDayPlace, looksLikeDate } from '../errorlog/log-date';
import { RECORD } from '../errorlog/log-record';
import type { EventRow } from '../events/event';
import { EventReader } from '../events/event-reader';
import { EventRegister, isSessionCaller, isSystemCaller, sessionOfCaller } from '../events/event-register';
import type { Field } from '../fields';
import { formatCount } from '../format';
import { t } from '../language';
import { decodeText } from '../line-decoder';
import type { Steps } from '../steps';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../time';
import { ClockOrder, Covered } from './covered';
import { DatabaseNames } from './database-names';
import { describeNothing, type FileCount, listNotes, namePrecision } from './event-file-words';
import { composeEvent, readSavedEvent } from './saved-event';
import { readSavedRecords } from './saved-records';

/** More are not read at once: all are held until the last one has come. */
const MOST_EVENTS = 4_000_000;
/** These records tell how dates are written. */
const SAMPLE_RECORDS = 500;
/** What tells an error log, and a ring buffer. */
const BEGIN_CHARACTERS = 4_000;
const CUT_RING = /RingBufferTarget\s[^<>]*?truncated\s*=\W*(?:quot;)?[1-9]/;
/** Settled in one step: about 10 ms. */
const EVENTS_A_STEP = 20_000;
const EVENTS_A_PAGE = 1_000;

/** Not text, so perhaps an event file of the server itself. */
export class BinaryFileError extends Error {}

/** Takes one file, in pieces of any size. */
export interface EventFileTaker {
  /** @throws BinaryFileError; Error with one sentence if there are too many events */
  take(bytes: Uint8Array): void;
  /** @throws Error with one sentence that says what the file seems to be, if it has no begin and no end */
  end(): void;
}

/** What the files hold, as a capture without a server, and what the reader of it has to know: sentences. */
export interface SavedEvents {
  readonly record: KeptRecord;
  readonly notes: readonly string[];
}

interface ReadFile extends FileCount {
  /** The time of its latest event that could be read. null: there was none yet. */
  lastUtcMs: number | null;
  /** False if events that could not be read came after it. */
  isLastRead: boolean;
  /** How often each event without an id came in a whole second. */
  readonly inSecond: Map<string, number>;
  /** Of its rows whose times do not say their zone. */
  readonly order: ClockOrder;
}

/**
 * Reads files one after the other, in any order. An event that stands in several of them counts once. Events of one
 * session have activity ids or not, all of them. Where both kinds come, the first kind is taken, and of the other what
 * it does not have.
 */
export class EventFiles {
  private readonly capture;
  private readonly reader = new EventReader();
  private readonly register = new EventRegister();
  private readonly covered = new Covered();
  private readonly names = new DatabaseNames();
  /** Of servers, as they were written first, by their names in small letters. */
  private readonly instances = new Map<string, string>();
  private readonly servers = new Map<string, string>();
  private readonly files: ReadFile[] = [];
  private events = 0;
  /** Whether the events that are taken have activity ids; null before the first one. */
  private hasActivity: boolean | null = null;
  /** Time, database, 1 for an end and who asked of each event of the other kind. */
  private readonly aside: number[] = [];

  constructor(id: string) {
    this.capture = createCapture({ id });
  }

  open(name: string): EventFileTaker {
    const file: ReadFile = {
      name,
      events: 0,
      others: 0,
      timesWithoutZone: 0,
      precisionMs: MINUTE_MS,
      isRingCut: false,
      isZeroed: false,
      malformed: [],
      account: new RowAccount(),
      lastUtcMs: null,
      isLastRead: true,
      inSecond: new Map(),
      order: new ClockOrder(),
    };
    this.files.push(file);
    let [begin, place] = ['', null as DayPlace | null];
    let waiting: (readonly Field[])[] = [];
    const take = (fields: readonly Field[]): void => this.takeRecord(fields, file, place ?? 'unknown');
    const takeWaiting = (): void => {
      const values = waiting.flatMap((fields) => fields.map(({ value }) => value));
      place = findDayPlace(values.filter(looksLikeDate));
      for (const fields of waiting) take(fields);
      waiting = [];
    };
    const records = readSavedRecords(
      (fields) => {
        if (place !== null) return take(fields);
        if (waiting.push(fields) >= SAMPLE_RECORDS) takeWaiting();
      },
      (fields) => readSavedEvent(fields, { place: 'unknown', withoutZone: () => undefined }) !== null,
    );
    const finish = (): void => {
      records.end();
      if (place === null) takeWaiting();
    };
    const decoder = decodeText((text) => {
      if (begin === '') begin = text.slice(0, BEGIN_CHARACTERS);
      file.isRingCut ||= CUT_RING.test(begin);
      const zero = text.indexOf('\0');
      if (!file.isZeroed) records.take(zero < 0 ? text : text.slice(0, zero));
      if (file.isZeroed || zero < 0) return;
      file.isZeroed = true;
      finish();
      if (file.events === 0) throw new BinaryFileError();
    });
    return {
      take: (bytes) => decoder.take(bytes),
      end: () => {
        decoder.end();
        if (!file.isZeroed) finish();
        if (file.events > 0) return;
        throw new Error(describeNothing(file, records.form(), RECORD.test(begin), place === 'unknown'));
      },
    };
  }

  /**
   * Use nothing here before the last step, and nothing after it.
   * @throws Error with one sentence if the events are of several servers, or those of two files cannot be told apart
   */
  *finish(): Steps<SavedEvents> {
    const { capture, aside, names } = this;
    for (const found of [this.instances, this.servers]) refuseSeveral(found);
    this.refuseSame();
    // Of a file that was refused nothing counts.
    const files = this.files.filter(({ events }) => events > 0);
    for (const { account } of files) capture.addRows(account);
    const { firstUtcMs, lastUtcMs } = this.covered.span() ?? { firstUtcMs: 0, lastUtcMs: 0 };
    for (const gap of this.covered.listGaps()) capture.addGap(gap);
    const twice = files.flatMap(({ order }) => order.listRepeatedHours());
    for (const beginUtcMs of twice)
      capture.addGap({ kind: 'unknown', beginUtcMs, endUtcMs: beginUtcMs + HOUR_MS, reason: TWICE });
    capture.observe(firstUtcMs, lastUtcMs);
    const steps = Math.ceil(this.events / EVENTS_A_STEP);
    for (let step = 1; step < steps; step++) {
      capture.settle(firstUtcMs + (step / steps) * (lastUtcMs - firstUtcMs));
      yield;
    }
    for (let from = 0; from < aside.length; from += 4 * EVENTS_A_PAGE) {
      if (from === 0) capture.settle(Infinity);
      capture.append(composeRows(aside.slice(from, from + 4 * EVENTS_A_PAGE)));
      yield;
    }
    yield* capture.nameDatabases(createCatalog(names.list(), lastUtcMs, 0));
    capture.settle(Infinity);
    const record = keepRecord(capture, { serverName: null, following: null, sections: [] });
    const known = {
      hasActivity: this.hasActivity === true,
      hasCallers: record.columns.callers?.some((caller) => caller !== 0) === true,
      isMixed: aside.length > 0,
      twice,
      areNamesDoubtful: names.areDoubtful,
    };
    return { record, notes: listNotes(files, record, known) };
  }

  /** Where the times of one file are finer than those of another, an event of both would count twice. */
  private refuseSame(): void {
    const precisionOf = (at: number): number => this.files[at]?.precisionMs ?? 0;
    const same = this.covered.findOverlap(precisionOf);
    if (same === null) return;
    const [file = '', other = ''] = same.map((at) => this.files[at]?.name);
    throw new Error(
      t(
        'The times of {0} are exact to {1}, so its events cannot be told from those of {2}, which covers the same time. Open one of the two.',
        file,
        namePrecision(precisionOf(same[0])),
        other,
      ),
    );
  }

  private takeRecord(fields: readonly Field[], file: ReadFile, place: DayPlace): void {
    const { timesWithoutZone } = file;
    const saved = readSavedEvent(fields, { place, withoutZone: () => file.timesWithoutZone++ });
    if (saved === null) return void (fields.length > 0 && file.others++);
    const { events } = file;
    for (const row of saved.rows) this.takeRow(row, file, saved.source);
    if (file.events === events) return;
    if (file.timesWithoutZone > timesWithoutZone) file.order.see(file.lastUtcMs ?? 0);
    // A column may have another name of a server than its events: an alias, or an address.
    seeServer(this.instances, saved.instance);
    seeServer(this.servers, saved.server);
    if (saved.named !== null) this.names.see(saved.named.databaseId, saved.named.name);
  }

  private takeRow(row: EventRow, file: ReadFile, source: string | null): void {
    const { register } = this;
    const reading = this.reader.read(row, register);
    if (reading !== null) return countRow(reading, row, file);
    if (this.events++ === MOST_EVENTS)
      throw new Error(t('There are more than {0} events. Open fewer files.', formatCount(MOST_EVENTS)));
    file.events++;
    const { lastUtcMs, isLastRead } = file;
    [file.lastUtcMs, file.isLastRead] = [register.atUtcMs, true];
    // Before its first event and after its last one, a file covers nothing.
    if (lastUtcMs !== null && !isLastRead) this.capture.addGap(describeUnread(lastUtcMs, register.atUtcMs));
    while (register.atUtcMs % file.precisionMs !== 0)
      file.precisionMs = file.precisionMs > SECOND_MS ? SECOND_MS : 1;
    this.hasActivity ??= register.hasActivity;
    this.covered.see(this.files.indexOf(file), source, register.atUtcMs);
    if (this.hasActivity === register.hasActivity) this.capture.append([this.tellApart(row, file)]);
    else this.aside.push(register.atUtcMs, register.databaseId, register.isEnd ? 1 : 0, register.caller);
  }

  /**
   * Without an id, two rows of one time are one event. Where times are whole seconds, a database may have had several in
   * one: those of one file are told apart by their places.
   */
  private tellApart(row: EventRow, file: ReadFile): EventRow {
    const { hasActivity, atUtcMs, databaseId, isEnd } = this.register;
    if (hasActivity || atUtcMs % SECOND_MS !== 0) return row;
    const key = `${atUtcMs} ${databaseId} ${isEnd}`;
    const before = file.inSecond.get(key) ?? 0;
    file.inSecond.set(key, before + 1);
    return before === 0 ? row : { ...row, fileOffset: `${before}` };
  }
}

const TWICE = t('This hour came twice, as clocks were set back: when its events were is not known.');

function seeServer(found: Map<string, string>, name: string | null): void {
  const key = name?.toLowerCase() ?? '';
  if (name !== null && !found.has(key)) found.set(key, name);
}

function refuseSeveral(found: ReadonlyMap<string, string>): void {
  const [first, second] = found.values();
  if (first === undefined || second === undefined) return;
  throw new Error(
    t(
      'The events are of several servers, as {0} and {1}: open the files of one server at a time.',
      first,
      second,
    ),
  );
}

function countRow(
  reading: NonNullable<ReturnType<EventReader['read']>>,
  row: EventRow,
  file: ReadFile,
): void {
  file.account.rowsRead++;
  if (reading.kind === 'other') return file.account.countOther(reading.name);
  file.account.countMalformed(reading, row);
  file.malformed.push(reading.reason);
  file.isLastRead = false;
}

function composeRows(aside: readonly number[]): readonly EventRow[] {
  return Array.from({ length: aside.length / 4 }, (_, row) => {
    const [atUtcMs = 0, databaseId = 0, isEnd, caller = 0] = aside.slice(4 * row);
    const [isSystem, session] = [isSystemCaller(caller), sessionOfCaller(caller)];
    const actions = {
      is_system: isSystem || isSessionCaller(caller) ? [`${isSystem}`] : [],
      session_id: session === 0 ? [] : [`${session}`],
    };
    const name = isEnd === 1 ? 'checkpoint_end' : 'checkpoint_begin';
    const eventData = composeEvent(name, new Date(atUtcMs).toISOString(), [databaseId], actions);
    return { objectName: name, eventData, fileName: null, fileOffset: null };
  });
}
