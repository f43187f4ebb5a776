import { hostname } from 'node:os';
import { collect, noteLeftOut } from '../collect/collect';
import { formatDateTime } from '../../../src/core/format';
import { untilInterrupted } from '../kit/at-once';
import { EXIT, exitFor } from '../kit/exit';
import type { GapKind } from '../../../src/core/session/gap';
import { type Output, tellOf } from '../kit/output';
import { claimServers } from '../../../src/lake/claims';
import { Lake } from '../../../src/lake/lake';
import { FINE } from '../../../src/lake/tables';
import { type ReachedServer, reachServers, type ServerOptions } from '../servers/reaching';

export interface CollectOptions extends ServerOptions {
  readonly lake: string;
  readonly concurrency: number;
  readonly serverSeconds: number;
  readonly samples: boolean;
  /** 0: the error log is never read. */
  readonly errorLogHours: number;
  readonly logInAgain: boolean;
  readonly tryAll: boolean;
}

/** @returns the exit code */
export async function runCollect(options: CollectOptions, output: Output): Promise<number> {
  const reached = await reachServers(options, output);
  const lake = await Lake.open(options.lake);
  const names = reached.map(({ name }) => name);
  const { taken, release } = await claimServers(options.lake, names, hostname());
  try {
    const reasons = new Map<string, string>();
    for (const [server, { startedUtcMs, host, process }] of taken) {
      const began = formatDateTime(startedUtcMs, 0);
      const reason = `Another run reads it, which began at ${began} UTC on ${host} (process ${process}).`;
      reasons.set(server, reason);
      output.event('warning', `${server}: left out. ${reason}`, { server, outcome: 'left out', reason });
    }
    if (reasons.size > 0) await noteLeftOut(lake, reasons);
    const servers = reached.filter(({ name }) => !taken.has(name));
    return servers.length === 0 && reached.length > 0
      ? EXIT.elsewhere
      : await collectFree(lake, servers, reached.length, options, output);
  } finally {
    await release();
  }
}

/** Gaps of events that were there, and were overwritten before they were read. */
const TOO_LATE: ReadonlySet<unknown> = new Set<GapKind>(['files rolled over', 'ring buffer overwritten']);

/** @param all how many servers were asked for, with those of other runs */
async function collectFree(
  lake: Lake,
  servers: readonly ReachedServer[],
  all: number,
  options: CollectOptions,
  output: Output,
): Promise<number> {
  let [ended, unwritten, partly, late] = [0, 0, 0, 0];
  const fine = new Set<string>();
  output.progress(ended, servers.length, 'servers');
  await untilInterrupted((signal) =>
    collect({
      lake,
      servers,
      concurrency: options.concurrency,
      serverMs: options.serverSeconds * 1_000,
      insistence: options,
      along: { samples: options.samples, errorLogMs: options.errorLogHours * 3_600_000 },
      ended: (server, { outcome, reason, counts, harvest }) => {
        ended++;
        if (harvest.rows.gaps?.['kind']?.some((kind) => TOO_LATE.has(kind))) {
          late++;
          tellOf(output)(server, 'events were overwritten before this run read them.');
        }
        if (FINE.has(outcome)) fine.add(server);
        else if (outcome === 'in part') partly++;
        const message = `${server}: ${outcome}${reason === null ? '' : `. ${reason}`}`;
        output.event(FINE.has(outcome) ? 'info' : 'warning', message, { server, outcome, reason, ...counts });
        output.progress(ended, servers.length, 'servers');
      },
      leftOut: (names) => {
        unwritten += names.length;
        for (const name of names) fine.delete(name);
        const message = `Another collector already wrote ${names.join(', ')}. This run left that out.`;
        output.event('warning', message, { servers: names });
      },
      signal,
    }),
  );
  const read = fine.size;
  const message = `${read} of ${all} servers were read, and are in the lake.`;
  output.event('info', message, { servers: all, read, unwritten });
  return late > 0 && read === all ? EXIT.tooLate : exitFor(read, all, partly);
}
