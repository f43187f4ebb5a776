/**
 * What a container, a journal, a cloud's log service or Get-WinEvent puts before each line of a log, and is no part of it:
 *
 *     2026-03-02T08:00:00.123456789Z 2026-03-02 08:00:00.12 spid51 ...              docker logs -t
 *     Mar 02 08:00:00 host sqlservr[812]: 2026-03-02 08:00:00.12 spid51 ...         journalctl, syslog; its date may be one as above
 *     1772438400123,"2026-03-02 08:00:00.12 spid51 ..."                             CloudWatch, timestamp and message
 *     TimeCreated: 03/02/2026 08:00:00 | Id: 3421 | Message: ...                    Get-WinEvent; becomes cells: date, no process, text
 *
 * Dates of an error log itself have no offset from UTC, by which they are told from these.
 */
const STAMPED =
  /^(?:<\d{1,3}>)?(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)(?: \S{1,255} [\w.@-]{1,64}\[\d{1,10}\]:)?|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,255} [\w.@-]{1,64}\[\d{1,10}\]:)(?: |$)/;
const MILLISECONDS = /^\d{13},/;
const WINDOWS_EVENT = /^TimeCreated ?: ?([^|]{6,40}?) ?\| ?Id ?: ?\d{1,6} ?\| ?(?:[A-Za-z]{1,40} ?: ?[^|]{0,200}\| ?){0,5}?Message ?: ?/;

/** Takes lines in their order; what has none of these before it comes back as it is. One is taken away, once. */
export function createPrefixStripper(): (line: string) => string {
  let isQuoted = false;
  const unquote = (text: string): string => {
    const ending = /"*$/.exec(text)?.[0].length ?? 0;
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
  // Nearly no line has one: most are told by a letter.
  if (line.startsWith('TimeCreated')) return line.replace(WINDOWS_EVENT, '$1||');
  const mayBe = line.charAt(10) === 'T' || line.charAt(3) === ' ' || line.charAt(0) === '<';
  return mayBe ? line.replace(STAMPED, '') : line;
}
