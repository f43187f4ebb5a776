import type { OwnSessionText, ReadText } from './text';

/**
 * What stands before every text that we run: the settings of the user's session leak into a host's query (docs/facts.md, Hosts 3).
 * LOCK_TIMEOUT keeps us from waiting behind a schema change; DEADLOCK_PRIORITY makes us the one that gives way.
 */
const prologue = [
  'SET NOCOUNT ON;',
  'SET ROWCOUNT 0;',
  'SET TEXTSIZE 2147483647;',
  'SET IMPLICIT_TRANSACTIONS OFF;',
  'SET TRANSACTION ISOLATION LEVEL READ COMMITTED;',
  'SET LOCK_TIMEOUT 5000;',
  'SET DEADLOCK_PRIORITY LOW;',
].join('\n');

export function addPrologue<T extends ReadText | OwnSessionText>(text: T): T {
  return `${prologue}\n${text}` as T;
}
