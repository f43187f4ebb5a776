/** Names of files that every file system takes. */
import { makeVisible } from '../visible';

/** What Windows does not take in a name. */
const FORBIDDEN = /[<>:"/\\|?*]/g;
const LONGEST_PART = 80;

/**
 * `checkpoints PROD-SQL07 2026-03-02 0830Z.csv`
 * @param what what is in it, as a few plain words
 * @param name of the server, of any characters
 */
export function nameExport(what: string, name: string, generatedUtcMs: number, extension: string): string {
  const [day = '', time = ''] = new Date(generatedUtcMs).toISOString().split('T');
  const parts = [makeSafe(what), makeSafe(name), day, `${time.slice(0, 5).replace(':', '')}Z`];
  return `${parts.filter((part) => part !== '').join(' ')}.${extension}`;
}

/** What cannot be seen as `-U+202E-`. Cut between characters; without dots and blanks at either end, which Windows drops, and without the joiner of an emoji that was cut. */
function makeSafe(text: string): string {
  const safe = makeVisible(text).replace(FORBIDDEN, '-').replace(/ +/g, ' ');
  return [...safe]
    .slice(0, LONGEST_PART)
    .join('')
    .replace(/^[. ]+|[. \u200d]+$/g, '');
}
