import type { Capture } from '../../core/capture/capture';
import type { Gap } from '../../core/session/gap';
import { t } from '../../core/language';

const KIND = 'permission lost';

/**
 * The gap of a login that may not read the events any more. The events wait in their files: the gap goes when they are read, or when another gap says
 * why not.
 */
export class PermissionGap {
  constructor(
    private readonly capture: Capture,
    /** null: there is none. */
    public current: Gap | null,
  ) {}

  /**
   * Extends the gap to now. @param sinceUtcMs up to when everything was read, for a gap that begins @param nowUtcMs by the server's clock @param
   * followedUtcMs since when the session is followed
   */
  reach(sinceUtcMs: number, nowUtcMs: number, followedUtcMs: number | null): void {
    const beginUtcMs = this.current?.beginUtcMs ?? sinceUtcMs;
    if (nowUtcMs <= beginUtcMs) return;
    this.current = { kind: KIND, beginUtcMs, endUtcMs: nowUtcMs, reason: t('The login was no longer allowed to read the events.') };
    this.capture.observe(followedUtcMs ?? beginUtcMs, nowUtcMs);
    this.capture.addGap(this.current);
  }

  /** Everything was read. @param isRead whether the missing events were read now */
  end(isRead: boolean): void {
    if (isRead && this.current !== null) this.capture.removeGap(KIND, this.current.beginUtcMs);
    this.current = null;
  }
}
