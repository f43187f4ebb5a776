import type { ServerAccess } from '../hosts/host';

/** What a monitor is given of the world. */
export interface MonitorSurroundings {
  readonly access: ServerAccess;
  /** Runs the task once after that time, unless disposed first. */
  readonly schedule: (delayMs: number, task: () => void) => { dispose(): void };
  readonly newCaptureId: () => string;
  /** For people; must not be given secrets, and is not. */
  readonly log: { readonly sql: (title: string, text: string) => void; readonly warn: (message: string) => void };
  /** Milliseconds between two reads of the event files while tracking. */
  readonly pollIntervalMs: number;
  /** Milliseconds between two reads of the facts while connected. */
  readonly refreshIntervalMs: number;
}
