/**
 * The user's approval, which mssql asks for at the first call of an extension that it does not know. Two calls at once
 * would each ask (connectionSharingService.ts, requestConnectionSharingPermission, v1.34.1 to v1.45). So one waits for
 * the other.
 */
import { readSharingCode } from './errors';

export type ApprovalState = 'not asked' | 'given' | 'refused';

export class Approval {
  state: ApprovalState = 'not asked';
  private lane: Promise<void> = Promise.resolve();
  private refusals: unknown[] = [];

  /**
   * Makes a call that may ask the user. If it waited while another call asked and was refused, it fails with that
   * refusal instead of asking again.
   * @param isWanted whether the call is still wanted when its turn comes; if not, it is not made
   */
  async pass<T>(isWanted: () => boolean, call: () => Promise<T>): Promise<T | null> {
    const seen = this.refusals.length;
    const turn = this.lane;
    let finish = (): void => undefined;
    const asked = new Promise<void>((resolve) => (finish = resolve));
    this.lane = turn.then(() => asked);
    try {
      await turn;
      if (!isWanted()) return null;
      if (this.refusals.length > seen) throw this.refusals[this.refusals.length - 1];
      // Once the approval is given, there is no need to wait for a slow server.
      if (this.state === 'given') finish();
      return await this.watch(call);
    } finally {
      finish();
    }
  }

  /** The user is shown the question again. Only the next call tells the answer. */
  forget(): void {
    this.state = 'not asked';
  }

  private async watch<T>(call: () => Promise<T>): Promise<T> {
    try {
      const value = await call();
      this.state = 'given';
      return value;
    } catch (error) {
      const code = readSharingCode(error);
      if (code === 'PERMISSION_DENIED' || code === 'PERMISSION_REQUIRED') {
        this.state = 'refused';
        this.refusals.push(error);
      } else if (
        code === 'CONNECTION_NOT_FOUND' ||
        code === 'CONNECTION_FAILED' ||
        code === 'NO_ACTIVE_EDITOR'
      ) {
        // mssql throws these only after the question.
        this.state = 'given';
      }
      throw error;
    }
  }
}
