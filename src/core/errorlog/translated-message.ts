/**
 * Reads messages in a language whose sentences are not known by what is the same in every language: names of options,
 * numbers, quoted names, addresses. It reads less than from a known sentence, and nothing if there is a second way to
 * read it.
 */
import { createMessage, type NumberedMessage } from './error-log-message';

const TARGET = 'target_recovery_time';
const TARGET_TOKEN = /(?<!\w)target_recovery_time(?!\w)/;
/** The address in message 898. */
const SCAN_ADDRESS = 'linkid=2132602';
/** A name has at most 128 characters. So no text without a closing quote is gone through again and again. */
const QUOTED =
  /'([^']*)'|«([^»]{0,400})»|"([^"]*)"|“([^”]{0,400})”|„([^“”]{0,400})[“”]|「([^」]{0,400})」|‘([^’]{0,400})’/g;
/** Quotes around the name in message 5084. If a text has two kinds, the first in this list counts as the outer one. */
const NAME_QUOTES = ["''", '„”', '„“', '“”', '«»', '»«', '‘’'];
/** A path in brackets or quotes; a name in brackets with its id behind it. */
const FILE = /\[([^\]\\/]{0,400}[\\/][^\]]*)\]/;
const QUOTED_FILE = /["'«“„]([^"'«“„»”]{0,400}[\\/][^"'«“„»”]*)["'»”“]/;
const NAMED = /\[(.{0,200}?)\]\s*[(（]\s*(\d{1,9})\s*[)）]/s;
/** An id without the name: the number behind the word that every language has for it. */
const BARE_ID = /(?<!\p{L})(?:id|идентификатор\p{L}*|識別碼|标识符)(?!\p{L})[^\d.,;[(（]{0,30}(\d{1,9})/giu;
const HANDLE = /0x[0-9A-Fa-f]{4,16}(?![0-9A-Fa-f])/g;
const THRESHOLD = 15;
const LONGEST_TEXT = 4_000;
/** The phases of a recovery: three numbers with ms in one pair of brackets, after the id and the seconds. */
const PHASES =
  /^\D{4,300}?\S\s?\(\D{1,60}?(\d{1,9})\)\D{1,80}?(\d{1,15})\D{1,60}?\(\D{1,60}?(\d{1,15})\sms\D{1,60}?(\d{1,15})\sms\D{1,60}?(\d{1,15})\sms/;

/** Checkpoint in the languages of Management Studio. */
export const CHECKPOINT =
  /checkpoint|Prüfpunkt|point de contrôle|punto de (?:comprobación|control)|punto di (?:controllo|arresto)|ponto de verificação|контрольн\S+ точк|チェックポイント|검사점|检查点|檢查點/i;
/** Recovery's own checkpoint: the name and its id, and no other number. */
const RECOVERED = /^\D*'([^']{1,128})'\s?[(（](\d{1,9})[)）]\D*$/;
/** Why a log is full, a constant of sys.databases (log_reuse_wait_desc). */
const REASON =
  /^(?:NOTHING|CHECKPOINT|LOG_BACKUP|ACTIVE_BACKUP_OR_RESTORE|ACTIVE_TRANSACTION|DATABASE_MIRRORING|REPLICATION|DATABASE_SNAPSHOT_CREATION|LOG_SCAN|AVAILABILITY_REPLICA|OLDEST_PAGE|XTP_CHECKPOINT|OTHER_TRANSIENT)$/;

export function readTranslated(text: string): NumberedMessage | null {
  if (text.length > LONGEST_TEXT) return null;
  if (text.includes(TARGET)) return readChange(text);
  if (text.includes(SCAN_ADDRESS)) return readScan(text);
  if (text.includes('0x')) return readSlowIo(text);
  const [, name, id] = (CHECKPOINT.test(text) && RECOVERED.exec(text)) || [];
  if (name !== undefined) return createMessage(3454, [name, id], 'token');
  const [full, reason = '', other] = listQuoted(text);
  if (REASON.test(reason) && other === undefined) return createMessage(9002, [full, reason], 'token');
  return text.includes(' ms') || text.includes('\u00a0ms') ? readRecovery(text) : null;
}

/** The sentence may name value and database in any order, but each once. */
function readChange(text: string): NumberedMessage | null {
  const at = text.search(TARGET_TOKEN);
  if (at < 0) return null;
  const [before, after] = [text.slice(0, at), text.slice(at + TARGET.length)];
  const [opening = '', closing = ''] =
    NAME_QUOTES.find((pair) => isQuoting(before, pair) || isQuoting(after, pair)) ?? '';
  if (opening === '') return null;
  const named = after.includes(opening) ? after : before;
  const [first, last] = [named.indexOf(opening), named.lastIndexOf(closing)];
  const isApart = !/[\p{L}\d]/u.test(named.charAt(first - 1)) && !/[\p{L}\d]/u.test(named.charAt(last + 1));
  const rest = named === after ? after.slice(0, Math.max(first, 0)) + after.slice(last + 1) : after;
  const numbers = rest.match(/\d+/g) ?? [];
  // A number at the end of the text may have been cut.
  if (last <= first || !isApart || numbers.length !== 1 || /\d\s*$/.test(text)) return null;
  const name = named.slice(first + 1, last);
  return createMessage(5084, [TARGET, numbers[0], opening === '«' ? name.trim() : name], 'token');
}

function listQuoted(text: string): readonly string[] {
  return [...text.matchAll(QUOTED)].map(
    (match) => match[2]?.trim() ?? match.slice(1).find((each) => each !== undefined) ?? '',
  );
}

function isQuoting(text: string, [opening = '', closing = '']: string): boolean {
  const first = text.indexOf(opening);
  return first >= 0 && text.lastIndexOf(closing) > first;
}

/**
 * Labels and values have the same order in every language: five numbers, or four in versions without the wait, and two
 * quoted names.
 */
function readScan(text: string): NumberedMessage | null {
  const list = text.slice(0, text.search(/(?<!\S)\S*linkid=2132602/));
  const quoted = listQuoted(list);
  const numbers = list.replace(QUOTED, ' ').match(/\d+/g) ?? [];
  const [seconds, id, scanned, iterated, wait] = numbers;
  const [command, operation] = quoted;
  if (quoted.length < 2 || numbers.length < 4 || numbers.length > 5 || Number(scanned) > Number(iterated))
    return null;
  return createMessage(898, [seconds, id, command, operation, scanned, iterated, wait], 'token');
}

/**
 * A file, a database by name and id or by id alone, in any order, and before the handle two more numbers: how often, and
 * 15 seconds, which never differ. If there are more, nothing tells which is which.
 */
function readSlowIo(text: string): NumberedMessage | null {
  const handles = [...text.matchAll(HANDLE)];
  const [first, second] = handles;
  const before = text.slice(0, first?.index);
  const file = FILE.exec(before) ?? QUOTED_FILE.exec(before);
  if (handles.length > 2 || !file) return null;
  const rest = before.replace(file[0], ' ');
  const named = NAMED.exec(rest);
  const ids = named ? [] : [...rest.matchAll(BARE_ID)];
  const [whole = '', name, id] = named ?? (ids.length === 1 ? [ids[0]?.[0], undefined, ids[0]?.[1]] : []);
  const counts = (rest.replace(whole, ' ').match(/\d+/g) ?? []).map(Number);
  const [one, other] = counts;
  const occurrences = one === THRESHOLD ? other : other === THRESHOLD ? one : undefined;
  if (id === undefined || counts.length !== 2 || occurrences === undefined) return null;
  const behind = second === undefined ? '' : text.slice(second.index + second[0].length);
  const end = /\d$/.test(behind) ? [] : (behind.match(/\d+/g) ?? []);
  const duration = end.length === 1 ? end[0] : undefined;
  const values = [String(occurrences), String(THRESHOLD), file[1], name, id, duration];
  return createMessage(833, values, 'token');
}

function readRecovery(text: string): NumberedMessage | null {
  const match = PHASES.exec(text);
  return match && createMessage(3421, [undefined, ...match.slice(1)], 'token');
}
