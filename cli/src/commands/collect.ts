import { collect } from '../collect/collect';
import { untilInterrupted } from '../kit/at-once';
import { exitFor } from '../kit/exit';
import type { Output } from '../kit/output';
import { Lake } from '../../../src/lake/lake';
import { FINE } from '../../../src/lake/tables';
import { reachServers, type ServerOptions } from '../servers/reaching';

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
  const servers = await reachServers(options, output);
  const lake = await Lake.open(options.lake);
  let [ended, unwritten] = [0, 0];
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
      ended: (server, { outcome, reason, counts }) => {
        ended++;
        if (FINE.has(outcome)) fine.add(server);
        const message = `${server}: ${outcome}${reason === null ? '' : `. ${reason}`}`;
        output.event(FINE.has(outcome) ? 'info' : 'warning', message, { server, outcome, reason, ...counts });
        output.progress(ended, servers.length, 'servers');
      },
      leftOut: (names) => {
        unwritten += names.length;
        for (const name of names) fine.delete(name);
        output.event(
          'warning',
          `Another collector already wrote ${names.join(', ')}. This run left that out.`,
          { servers: names },
        );
      },
      signal,
    }),
  );
  output.event('info', `${fine.size} of ${servers.length} servers were read, and are in the lake.`, {
    servers: servers.length,
    read: fine.size,
    unwritten,
  });
  return exitFor(fine.size, servers.length);
}
