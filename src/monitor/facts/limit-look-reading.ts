/** What is read of a server for its limits, each time a page is opened. */
import { readDatabaseCopies } from '../../core/advice/fact-rows';
import type { Facts } from '../../core/advice/facts';
import { findCounterColumn, isAzureSqlDatabase } from '../../core/advice/platform';
import { readBackoffs, readLogUse } from '../../core/advice/storage-rows';
import { type LimitLook, type LogUse, MOST_LOGS } from '../../core/advice/limits';
import type { Observed } from '../../core/observed';
import type { TextRows } from '../../core/rows';
import { fillTemplate } from '../../core/script/template';
import type { ReadText } from '../../core/script/text';
import { readTemplates } from '../../texts';
import { isLate, observe, valueOr } from '../queries/observed-read';
import type { ServerQuery } from '../queries/server-query';
import { t } from '../../core/language';

/** The look, and for each missing figure one sentence that says why; null: it is there, or nothing here could have it. */
export interface LimitLookReading {
  readonly look: LimitLook;
  readonly reasons: { readonly hasCopies: boolean } & Readonly<
    Record<'logUsed' | 'redoQueue' | 'backoffs', string | null>
  >;
}

const NO_QUEUE = t('No replica shows its redo queue.');
const NO_SPINLOCK = t('This version does not list that spinlock.');

/** Each read may be refused alone. @throws ConnectionError if the connection was lost */
export async function readLimitLook(
  query: Pick<ServerQuery, 'run'>,
  { server, databases }: Facts,
  atUtcMs: number,
): Promise<LimitLookReading> {
  const ask = <T>(text: ReadText, read: (rows: TextRows) => { readonly values: readonly T[] }) =>
    observe(async () => read(await query.run(text)).values, isLate);
  const values = { rows: String(MOST_LOGS), counter_instance_column: findCounterColumn(server) };
  const logs = await ask<LogUse>(fillTemplate(readTemplates.logUsed, values), readLogUse);
  const hasCopies = server.isHadrEnabled && !isAzureSqlDatabase(server);
  const copies = hasCopies
    ? await ask(fillTemplate(readTemplates.databaseCopies, {}), readDatabaseCopies)
    : null;
  const backoffs = await ask(fillTemplate(readTemplates.dirtyPageSpinlock, {}), readBackoffs);
  const [fullest] = valueOr(logs, []);
  const queues = copies === null ? [] : valueOr(copies, []).filter(({ redoQueueKb }) => redoQueueKb !== null);
  const longest = queues.reduce<(typeof queues)[number] | undefined>(
    (most, one) => ((one.redoQueueKb ?? 0) > (most?.redoQueueKb ?? -1) ? one : most),
    undefined,
  );
  const nameOf = (id: number | undefined): string =>
    databases.find(({ databaseId }) => databaseId === id)?.name ?? '';
  return {
    look: {
      atUtcMs,
      logUsedShare: fullest === undefined ? null : fullest.usedShare,
      logUsedBy: fullest?.database ?? '',
      ...(logs.kind === 'observed' && { logs: logs.value }),
      redoQueueKb: longest?.redoQueueKb ?? null,
      redoQueueBy: nameOf(longest?.databaseId),
      backoffs: valueOr(backoffs, [])[0] ?? null,
    },
    reasons: {
      logUsed: explain(logs, t('The server showed no transaction log.')),
      hasCopies: copies !== null && !(copies.kind === 'observed' && copies.value.length === 0),
      redoQueue: copies === null || queues.length > 0 ? null : (explain(copies, null) ?? NO_QUEUE),
      backoffs: explain(backoffs, NO_SPINLOCK),
    },
  };
}

/** @param empty why there is no row in an answer that has none */
function explain(answer: Observed<readonly unknown[]>, empty: string | null): string | null {
  if (answer.kind === 'not observable') return answer.reason;
  return answer.value.length === 0 ? empty : null;
}
