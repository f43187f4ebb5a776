/** Names of files that every file system takes. */

/** What Windows does not take in a name, and what cannot be seen. */
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
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

/** Cut between characters; without dots and blanks at either end, which Windows drops. */
function makeSafe(text: string): string {
  const safe = text.replace(FORBIDDEN, '-').replace(/\s+/g, ' ');
  return [...safe]
    .slice(0, LONGEST_PART)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '');
}
