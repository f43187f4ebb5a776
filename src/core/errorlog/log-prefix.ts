/** What other programs put before each line of a log. It is left out; the line itself says the same without it. */

/**
 * What a container, a journal, a cloud's log service or Get-WinEvent puts before each line:
 *
 *     2026-03-02T08:00:00.123456789Z 2026-03-02 08:00:00.12 spid51 ...              docker logs -t
 *     Mar 02 08:00:00 host sqlservr[812]: 2026-03-02 08:00:00.12 spid51 ...         journalctl, syslog; its date may be one as above
 *     1772438400123,"2026-03-02 08:00:00.12 spid51 ..."                             CloudWatch, timestamp and message
 *     TimeCreated: 03/02/2026 08:00:00 | Id: 3421 | Message: ...                    Get-WinEvent; becomes cells: date, no process, text
 *
 * Dates of the error log itself have no offset from UTC: that is the difference.
 */
const STAMPED =
  /^(?:<\d{1,3}>)?(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)(?: \S{1,255} [\w.@-]{1,64}\[\d{1,10}\]:)?|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,255} [\w.@-]{1,64}\[\d{1,10}\]:)(?: |$)/;
const MILLISECONDS = /^\d{13},/;
const WINDOWS_EVENT = /^TimeCreated ?: ?([^|]{6,40}?) ?\| ?Id ?: ?\d{1,6} ?\| ?(?:[A-Za-z]{1,40} ?: ?[^|]{0,200}\| ?){0,5}?Message ?: ?/;

/** Takes lines in their order and removes one such prefix. A line without one comes back as it is. */
export function createPrefixStripper(): (line: string) => string {
  let isQuoted = false;
  const unquote = (text: string): string => {
    const ending = /(?<!")"*$/.exec(text)?.[0].length ?? 0;
    isQuoted = ending % 2 === 0;
    return (isQuoted ? text : text.slice(0, -1)).replace(/""/g, '"');
  };
  return (line) => {
    if (MILLISECONDS.test(line)) {
      isQuoted = line.charAt(14) === '"';
      return isQuoted ? unquote(line.slice(15)) : line.slice(14);
    }
    return isQuoted ? unquote(line) : strip(line);
  };
}

function strip(line: string): string {
  // Hardly any line has a prefix, and one character shows that for most.
  if (line.startsWith('TimeCreated')) return line.replace(WINDOWS_EVENT, '$1||');
  const mayBe = line.charAt(10) === 'T' || line.charAt(3) === ' ' || line.charAt(0) === '<';
  return mayBe ? line.replace(STAMPED, '') : line;
}

/** How a line of the log begins, wherever it stands in a line. */
const HEAD = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,]\d{2,3}\s+(?:spid\d+s?|Server|Logon|Backup)\s/;
const LONGEST_PREFIX = 200;
/** Then it is a part of a message, to which another was joined. */
const MESSAGE_WORDS = /FlushCache|DirtyPageMgr|Ckpt|average|outstanding|checkpoint|database/i;

/**
 * Takes the lines of a text in which no line begins like one of the log, and cuts each before its date:
 *
 *     sql-1  | 2026-03-02 08:00:00.12 spid51 ...                                    docker compose logs
 *     [pod/mssql-0/mssql] 2026-03-02 08:00:00.12 spid51 ...                         kubectl logs --prefix
 *     Jul 09 03:30:14.123456 host sqlservr[812]: 2026-03-02 08:00:00.12 spid51 ...  journalctl, of any precision
 *     ERRORLOG.1:12:2026-03-02 08:00:00.12 spid51 ...                               grep, Select-String
 *
 * A line without a date goes on with the message before, and loses what differs from the last prefix in its numbers only.
 */
export function cutToHeads(): (line: string) => string {
  let shape: RegExp | null = null;
  return (line) => {
    const prefix = shape?.exec(line)?.[0] ?? findPrefix(line);
    if (prefix === '') return line;
    shape = writeShape(prefix);
    const text = line.slice(prefix.length);
    return prefix.endsWith('"') ? text.replace(/"$/, '').replace(/""/g, '"') : text;
  };
}

/** '' if there is none. */
function findPrefix(line: string): string {
  const at = line.slice(0, LONGEST_PREFIX).search(HEAD);
  const prefix = line.slice(0, Math.max(at, 0));
  return MESSAGE_WORDS.test(prefix) ? '' : prefix;
}

/** A cell of CSV is quoted only where it has to be. */
function writeShape(prefix: string): RegExp {
  const literal = prefix.replace(/"$/, '').replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\d+/g, '\\d+')}"?`);
}
