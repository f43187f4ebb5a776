/** What is said of files of saved events: what they hold, what is not known, and why one is refused. */
import type { KeptRecord } from '../capture/capture-record';
import type { RowAccount } from '../capture/ledger';
import type { MalformedReason } from '../events/event';
import { countEvents, countGaps, countSome, formatCount } from '../format';
import { listSentences, t } from '../language';
import { countEach, nameCounts } from '../lists';
import { SECOND_MS } from '../time';
import type { SavedForm } from './saved-records';

/** What was read of one file. */
export interface FileCount {
  readonly name: string;
  /** Begins and ends that can be relied on. */
  events: number;
  /** Records that hold no event. */
  others: number;
  timesWithoutZone: number;
  /** Its times are whole minutes, whole seconds or milliseconds. */
  precisionMs: number;
  /** It is the text of a ring buffer, which says that it was cut. */
  isRingCut: boolean;
  /** Zeros came after its text: the rest is not read. */
  isZeroed: boolean;
  /** Why a begin or an end cannot be relied on. */
  readonly malformed: MalformedReason[];
  /** Of the rows that are no begin and no end. */
  readonly account: RowAccount;
}

export const namePrecision = (ms: number): string => (ms > SECOND_MS ? t('one minute') : t('one second'));

const REASONS: Partial<Record<MalformedReason, string>> = {
  truncated: t('cut, as Management Studio does with long cells'),
  'wrong time': t('with a time that cannot be read'),
  'wrong database_id': t('without a database id that can be read'),
};
const MOST_NAMED = 5;
const writeRest = (count: number): string => t('others ({0})', formatCount(count));
const nameEvents = (names: ReadonlyMap<string, number>): string =>
  nameCounts(names, MOST_NAMED, (name, count) => `${name} (${formatCount(count)})`, writeRest);
const nameReasons = (reasons: readonly MalformedReason[]): string =>
  nameCounts(
    countEach(reasons.map((reason) => REASONS[reason] ?? t('not in the form of an event'))),
    MOST_NAMED,
    (reason, count) => `${reason} (${formatCount(count)})`,
    writeRest,
  );

const FORMS: Readonly<Record<SavedForm, string>> = {
  table: t('a table'),
  JSON: 'JSON',
  XML: 'XML',
  text: t('a text'),
};
const NEEDED = t('Needed is a column event_data, or the columns name, timestamp and database_id.');

/** Why a file without begins and ends is refused: what it seems to be. */
export function describeNothing(
  { name, malformed, account }: FileCount,
  form: SavedForm,
  isErrorLog: boolean,
  isDayUnknown: boolean,
): string {
  if (malformed.includes('wrong time') && isDayUnknown)
    return t(
      'The dates of {0} can be read in two ways: nothing in it shows whether the day or the month comes first. Export it with the year first.',
      name,
    );
  if (malformed.length > 0)
    return t('{0} has no event of a checkpoint that can be read: {1}.', name, nameReasons(malformed));
  if (account.other > 0)
    return t(
      '{0} has events, but none of checkpoints: {1}. The session has to record checkpoint_begin and checkpoint_end.',
      name,
      nameEvents(account.otherByName),
    );
  if (isErrorLog) return t('{0} seems to be an error log. Open it with Read Error Log File….', name);
  return `${t('{0} has no events of checkpoints. It seems to be {1}, and nothing in it is an event.', name, FORMS[form])} ${NEEDED}`;
}

/** What is known of the events beyond the capture itself. */
interface Known {
  readonly hasActivity: boolean;
  readonly hasCallers: boolean;
  readonly isMixed: boolean;
  readonly areNamesDoubtful: boolean;
  /** Begins of hours that came twice. */
  readonly twice: readonly number[];
}

/** What a reader of the capture has to know. */
export function listNotes(
  files: readonly FileCount[],
  { ledger, observation }: Pick<KeptRecord, 'ledger' | 'observation'>,
  { hasActivity, hasCallers, isMixed, areNamesDoubtful, twice }: Known,
): readonly string[] {
  const gaps = (observation?.gaps ?? []).filter(({ kind }) => kind === 'unknown').length - twice.length;
  const withoutZone = files.filter(({ timesWithoutZone }) => timesWithoutZone > 0).map(({ name }) => name);
  return listSentences(
    t('Read from {0}, without a server.', files.map(({ name }) => name).join(', ')),
    files.length < 2 ? '' : t('All files are taken for those of one server.'),
    t(
      'Files do not say which events a session lost. What was before the first event and after the last one is not known.',
    ),
    gaps === 0
      ? ''
      : t('{0} in between: no file covers that time, or it has no event for an hour.', countGaps(gaps)),
    ...twice.map((utcMs) =>
      t(
        'The hour from {0} came twice, as clocks were set back. When its events were cannot be told, so it counts as a gap.',
        new Date(utcMs).toISOString().slice(0, 16).replace('T', ' '),
      ),
    ),
    ...files
      .filter(({ isRingCut }) => isRingCut)
      .map(({ name }) =>
        t('{0} is the text of a ring buffer that was cut, so not all of its events are in it.', name),
      ),
    ...files
      .filter(({ isZeroed }) => isZeroed)
      .map(({ name }) => t('{0} was not read to its end: zeros come after its text.', name)),
    ...files
      .filter(({ precisionMs }) => precisionMs > 1)
      .map(({ name, precisionMs }) =>
        t('The times of {0} are exact to {1}, and so are the durations.', name, namePrecision(precisionMs)),
      ),
    withoutZone.length === 0
      ? ''
      : t(
          'The times of {0} have no zone and count as UTC, as Extended Events writes them. The grid of Management Studio has those of the computer that it ran on.',
          withoutZone.join(', '),
        ),
    hasActivity
      ? ''
      : t(
          'The events have no activity ids (TRACK_CAUSALITY), so they are paired by database and time, and by session where that is recorded.',
        ),
    hasActivity || hasCallers ? '' : t('Which checkpoints are of the automatic task is told by overlaps.'),
    isMixed
      ? t('Only some events have activity ids. Of those without, what others say too counts once.')
      : '',
    ...describeCounts(files, ledger),
    areNamesDoubtful
      ? t(
          'The names of databases are left out: one name stands beside several ids, so it may be that of the session that asked.',
        )
      : '',
  );
}

/** What of the rows became no checkpoint. */
function describeCounts(files: readonly FileCount[], ledger: KeptRecord['ledger']): readonly string[] {
  const malformed = files.flatMap((file) => file.malformed);
  const others = files.reduce((sum, file) => sum + file.others, 0);
  const otherByName = new Map([...ledger.otherByName].sort(([, a], [, b]) => b - a));
  return [
    countSome(
      ledger.duplicates,
      t('{0} event stands there more than once, and counts once.'),
      t('{0} events stand there more than once, and count once.'),
    ),
    malformed.length === 0
      ? ''
      : t('{0} could not be read: {1}.', countEvents(malformed.length), nameReasons(malformed)),
    ledger.other === 0 ? '' : t('Events of other names were counted only: {0}.', nameEvents(otherByName)),
    countSome(others, t('{0} row is no event.'), t('{0} rows are no events.')),
  ];
}
