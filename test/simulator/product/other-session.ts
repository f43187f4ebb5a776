import type { OwnSessionText, ReadText } from '../../../src/core/script/text';
import { fillTemplate } from '../../../src/core/script/template';
import type { Connection, ResultSet } from '../../../src/hosts/host';
import { readTemplates } from '../../../src/texts';

const OTHER_SESSION = 'Made by someone else';

/** A session of someone else that records checkpoints in memory, so that every read has something to find. */
export async function startOtherSession(connection: Connection): Promise<void> {
  const create = `CREATE EVENT SESSION [${OTHER_SESSION}] ON SERVER
    ADD EVENT sqlserver.checkpoint_begin, ADD EVENT sqlserver.checkpoint_end
    ADD TARGET package0.ring_buffer;`;
  const start = `ALTER EVENT SESSION [${OTHER_SESSION}] ON SERVER STATE = START;`;
  for (const text of [create, start]) await run(connection, `${text}\nSELECT done = 1;` as OwnSessionText);
}

/** A read with its defaults, and of that session where it asks for a ring. */
export function fillRead(name: keyof typeof readTemplates): ReadText {
  return fillTemplate(readTemplates[name], name === 'ringBuffer' ? { session_name: OTHER_SESSION } : {});
}

/** The last table of the answer. */
export async function run(connection: Connection, sql: ReadText | OwnSessionText): Promise<ResultSet> {
  const sets = await connection.query(sql, { timeoutMs: 30_000 });
  return sets[sets.length - 1] as ResultSet;
}
