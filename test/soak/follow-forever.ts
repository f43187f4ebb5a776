/**
 * Follows a simulated server into captures on disk until it is killed: node follow-forever <folder> <port> <user> <password>. Begins when it is told at which of its
 * changes to the disk it is to end itself, and how far into that change. Tells its parent each capture that it kept.
 */
import * as files from 'node:fs/promises';
import type { Disk } from '../../src/captures/capture-file';
import { openCaptureFolder } from '../../src/captures/capture-folder';
import { openServerCaptures } from '../../src/captures/server-captures';
import { createDirectAccess } from '../../src/hosts/direct/access';
import { createServerMonitor } from '../../src/monitor/monitored-server';
import { keptSecret } from '../hosts/opening';
import { FakeTimers, openBreaker, surroundingsOf } from '../monitor/fake-surroundings';

/** `change` counts changes to the disk, from 0; -1: it waits for somebody else to kill it. `share` of the change is done before the end, 0 to 1. */
export interface End {
  readonly change: number;
  readonly share: number;
}

/** What is on disk now, as whoever wrote it says. */
export interface Kept {
  readonly id: string;
  readonly rowsRead: number;
}

const POLL_MS = 60;
const [folder = '', port = '', user = '', password = ''] = process.argv.slice(2);

/** The disk, up to the end. */
function mortalDisk({ change, share }: End): Disk {
  let changes = 0;
  const end = (): never => {
    process.kill(process.pid, 'SIGKILL');
    throw new Error('killed');
  };
  const mortal =
    <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const isLast = changes++ === change;
      if (isLast && share < 0.5) end();
      const done = await work(...args);
      return isLast ? end() : done;
    };
  const open: Disk['files']['open'] = async (path, flags, mode) => {
    const file = await files.open(path, flags, mode);
    const writeFile = async (bytes: Uint8Array): Promise<void> => {
      const isLast = changes++ === change;
      await file.writeFile(isLast ? bytes.subarray(0, Math.round(bytes.length * share)) : bytes);
      if (isLast) end();
    };
    const read: typeof file.read = file.read.bind(file);
    return { read, stat: () => file.stat(), writeFile, sync: mortal(() => file.sync()), close: () => file.close() };
  };
  const [mkdir, chmod, rename, unlink] = [mortal(files.mkdir), mortal(files.chmod), mortal(files.rename), mortal(files.unlink)];
  return {
    files: { ...files, mkdir: mkdir as Disk['files']['mkdir'], open, chmod, rename, unlink },
    pause: () => new Promise(setImmediate),
  };
}

function follow(end: End): void {
  const server = { id: 'simulated', name: 'Simulated', server: 'localhost', port: Number(port), user } as const;
  const access = createDirectAccess({
    server: { ...server, encrypt: 'mandatory', trustServerCertificate: true },
    secrets: keptSecret(password),
  });
  const captures = openServerCaptures(openCaptureFolder(folder, mortalDisk(end)), server.name, () => undefined);
  const monitor = createServerMonitor({
    ...surroundingsOf(access, new FakeTimers()),
    breaker: openBreaker(),
    schedule: (delayMs, task) => {
      const timer = setTimeout(task, delayMs);
      return { dispose: () => clearTimeout(timer) };
    },
    newCaptureId: () => `capture-${process.pid}`,
    captures: {
      ...captures,
      keep: async (record) => {
        await captures.keep(record);
        process.send?.({ id: record.id, rowsRead: record.ledger.rowsRead } satisfies Kept);
      },
    },
    pollIntervalMs: POLL_MS,
    elapsedMs: () => performance.now(),
  });
  void monitor.refresh();
}

process.once('message', (end: End) => follow(end));
