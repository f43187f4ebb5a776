import { evaluate } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';
import { isString, varchar } from './types';
import { sqlError } from '../tds/messages';

const dayMs = 86_400_000;

/** WAITFOR DELAY 'hh:mm[:ss[.mmm]]' and WAITFOR TIME, on the virtual clock. @throws SqlError 148. */
export async function executeWaitfor(
  session: SessionState,
  statement: Extract<Statement, { readonly kind: 'waitfor' }>,
  frame: Frame,
): Promise<void> {
  const { type, value } = await evaluate(session, frame, statement.value);
  const text = isString(type)
    ? String(value ?? '')
    : String((await evaluate(session, frame, statement.value, varchar(30))).value ?? '');
  const wantedMs = readWait(text, statement.line);
  const { clock } = session.host.instance;
  const localMs = (clock.nowUtcMs() + clock.utcOffsetMinutes() * 60_000) % dayMs;
  const durationMs = statement.type === 'delay' ? wantedMs : (wantedMs - localMs + dayMs) % dayMs;
  await clock.wait(durationMs, session.signal);
}

/**
 * Milliseconds of a delay, or since midnight.
 * @throws SqlError 148, for a constant already when its batch is compiled.
 */
export function readWait(text: string, line: number): number {
  const found =
    /^\s*(?:\d{4}-\d\d-\d\d[ T])?(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.:](\d{1,3})\d*)?)?\s*$/.exec(text);
  if (found === null || Number(found[1]) > 23 || Number(found[2]) > 59 || Number(found[3] ?? 0) > 59)
    throw sqlError(148, [text], line);
  return (
    ((Number(found[1]) * 60 + Number(found[2])) * 60 + Number(found[3] ?? 0)) * 1000 +
    Number((found[4] ?? '0').padEnd(3, '0'))
  );
}
