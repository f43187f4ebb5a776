import { type CaptureRecord, restoreRecord } from '../core/capture/capture-record';
import type { Facts } from '../core/advice/facts';
import { describeError } from './failure';
import type { MonitorSurroundings } from './surroundings';

/** The capture that was kept before the editor was closed: shown until a newer one is followed, and only of the server that it was read from. */
export class RecoveredCapture {
  record: CaptureRecord | null = null;
  private serverName: string | null = null;

  /** @param report is told one sentence about what cannot be read */
  constructor(
    private readonly captures: MonitorSurroundings['captures'],
    private readonly report: (problem: string) => void,
  ) {}

  /** A connection can be made to lead to another server: what was captured of one says nothing about the other. */
  isOf({ server }: Facts): boolean {
    return this.record !== null && (this.serverName === null || this.serverName === server.serverName);
  }

  /** Looks for the last one. @param facts null: which server this is, is not known now @returns whether there is one */
  async recover(facts: Facts | null): Promise<boolean> {
    this.record = null;
    try {
      const kept = await this.captures.recover(facts?.server.serverName ?? null);
      if (kept === null) return false;
      this.record = restoreRecord(kept);
      this.serverName = kept.serverName;
      return true;
    } catch (error) {
      this.report(describeError(error));
      return false;
    }
  }
}
