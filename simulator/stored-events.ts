import { fileTarget, type EventSessionDefinition } from './scenarios/event-session';
import type { Principal } from './engine/interface/instance';
import type { ModelledServer } from './engine/modelled-server';

/** The event session whose files hold the history; it goes on running. */
const HISTORY_SESSION = 'checkpoint_history';
const STEP_MS = 60_000;
const LATENCY_SECONDS = 5;
/** If no event comes in this virtual time, none will come. */
const MOST_QUIET_MS = 2 * 86_400_000;

const define = (filename: string): EventSessionDefinition => ({
  name: HISTORY_SESSION,
  scope: 'server',
  events: ['checkpoint_begin', 'checkpoint_end'].map((name) => ({ package: 'sqlserver', name, actions: [] })),
  targets: [fileTarget({ filename, max_file_size: 50, max_rollover_files: 10_000 })],
  options: { MAX_DISPATCH_LATENCY: `${LATENCY_SECONDS} SECONDS`, TRACK_CAUSALITY: 'ON' },
});

/**
 * The path of the history in the error-log directory; Amazon RDS needs it in full.
 * @throws Error if event files are blobs
 */
function fileFor({ platform }: ModelledServer): string {
  if (platform === 'managed-instance' || platform === 'azure-sql-database')
    throw new Error(
      `events are stored in files of the server, which ${platform} has not: its event files are blobs`,
    );
  return platform === 'rds' ? `D:\\rdsdbdata\\log\\${HISTORY_SESSION}.xel` : `${HISTORY_SESSION}.xel`;
}

/**
 * Lets virtual time run until the files of an event session of its own, `checkpoint_history*.xel`, hold that many
 * events. Clients already connected get answers meanwhile. How far time goes depends only on scenario and seed.
 * @throws Error if the scenario makes no events, or has no files for them
 */
export async function storeEvents(server: ModelledServer, events: number, login: string): Promise<void> {
  const principal: Principal = { spid: 1, login, database: 'master' };
  // Real time must not matter.
  server.pause();
  server.eventSessions.create(define(fileFor(server)), principal);
  server.eventSessions.alter(HISTORY_SESSION, 'server', [{ kind: 'state', state: 'start' }], principal);
  let quietMs = 0;
  for (let captured = 0, before = 0; captured < events; before = captured) {
    server.advance(STEP_MS);
    captured = countCaptured(server);
    quietMs = captured === before ? quietMs + STEP_MS : 0;
    if (quietMs > MOST_QUIET_MS)
      throw new Error('this scenario has no checkpoints, so that no events can be stored');
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  server.advance(LATENCY_SECONDS * 1000);
  server.resume();
}

function countCaptured(server: ModelledServer): number {
  return server.ledger.sessionRuns.find((run) => run.sessionName === HISTORY_SESSION)?.capturedEvents ?? 0;
}
