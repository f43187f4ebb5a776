/** What is said in place of a missing timeline: one sentence, and the action to take. */
import type { EvidencePage } from '../../core/pages/evidence-page';
import { describeReading, type TrackingObstacle } from '../../core/capture/tracking-status';
import type { DashboardCommand, TrackingView } from '../../protocol';
import type { DashboardModel } from '../model/dashboard-model';
import { joinSentences, t } from '../../core/language';

export type NoticeAction = DashboardCommand | 'clearFilter' | 'pauseReading' | 'readOn';

export interface StateNotice {
  readonly kind: 'loading' | 'reading' | 'not tracking' | 'no data' | 'failed' | 'filtered' | 'not permitted';
  readonly title: string;
  readonly text: string;
  /** It goes on for an unknown time. */
  readonly isGoing?: true;
  /** A statement to copy. */
  readonly statement?: string;
  readonly action: { readonly label: string; readonly does: NoticeAction } | null;
}

/** The notice for the present state; null if checkpoints can be drawn. */
export function findNotice(model: DashboardModel, filter: string, laneCount: number): StateNotice | null {
  if (model.replica.columns.rows > 0 && laneCount > 0) return null;
  if (model.replica.columns.rows > 0 && filter !== '') {
    return {
      kind: 'filtered',
      title: t('No lane to show'),
      text: t('No database with a checkpoint has “{0}” in its name.', filter),
      action: { label: t('Clear filter'), does: 'clearFilter' },
    };
  }
  const isUnread = model.tracking?.unverified != null && model.tracking.state !== 'failed';
  if (!model.server || !model.tracking || isUnread || model.replica.columns.rows > 0) {
    return describeLoading(model.tracking, t('Waiting for the server to answer.'));
  }
  if (model.tracking.isLastSeen) {
    return {
      kind: 'no data',
      title: t('No checkpoint has been read yet'),
      text: t(
        'The event session was running when the server was last read. Its events will be read when the server answers.',
      ),
      action: { label: t('Refresh'), does: 'refresh' },
    };
  }
  return describeTracking(model.tracking);
}

/**
 * The notice in place of a page of evidence that has not been sent: the server is still being read, or could not be
 * read.
 */
export function findEvidenceNotice({
  evidence,
  tracking,
}: Pick<DashboardModel, 'evidence' | 'tracking'>): StateNotice | null {
  if (evidence) return null;
  if (tracking?.state === 'failed') return describeTracking(tracking);
  if (tracking !== null && holdsCheckpointsOnly(tracking))
    return { kind: 'no data', title: t('Not in this file'), text: tracking.message ?? '', action: null };
  return describeLoading(
    tracking,
    t('Waiting for the server to answer. What this login has no permission to see will be listed here.'),
  );
}

/** While the user is being asked something, the server is not. */
function describeLoading(tracking: TrackingView | null, text: string): StateNotice {
  const asked = tracking?.asked;
  return asked === undefined
    ? { kind: 'loading', title: t('Reading…'), text, action: null }
    : { kind: 'loading', title: t('Waiting for you'), text: t('Waiting for {0}', asked), action: null };
}

/** The notice over a page that could not be made because a permission is missing. */
export function findMissingNotice(page: EvidencePage | null): StateNotice | null {
  if (page?.missing === undefined) return null;
  return { kind: 'not permitted', ...page.missing, action: null };
}

/** The capture is a file, and it was said that nothing else of the server is in it. */
export function holdsCheckpointsOnly(tracking: TrackingView | null): boolean {
  return tracking?.record !== undefined && tracking.message !== null;
}

/** What keeps Start from being offered; null also while tracking. */
export function findShownObstacle(tracking: TrackingView | null): TrackingObstacle | null {
  const isIdle =
    tracking?.state === 'not tracking' || tracking?.state === 'stopped' || tracking?.state === 'failed';
  return isIdle ? tracking.obstacle : null;
}

/** The notice while stored events are being read; null: they are not. */
export function findReadingNotice(tracking: TrackingView | null): StateNotice | null {
  const words = tracking && describeReading(tracking);
  if (!tracking || !words) return null;
  if (tracking.reading?.isPaused)
    return { kind: 'reading', ...words, action: { label: t('Resume reading'), does: 'readOn' } };
  return {
    kind: 'reading',
    ...words,
    isGoing: true,
    action: { label: t('Pause reading'), does: 'pauseReading' },
  };
}

function describeTracking(tracking: TrackingView): StateNotice {
  const obstacle = findShownObstacle(tracking);
  if (obstacle !== null) return describeObstacle(obstacle);
  const stored = findReadingNotice(tracking);
  if (stored !== null) return stored;
  const { state, message } = tracking;
  switch (state) {
    case 'not tracking':
      return {
        kind: 'not tracking',
        title: t('Nothing observed yet'),
        text:
          message ??
          t(
            'Start tracking to record every checkpoint of this server. It creates and starts one event session, [CheckpointHealth]; no database is changed.',
          ),
        action: { label: t('Start tracking'), does: 'startTracking' },
      };
    case 'starting':
      return {
        kind: 'loading',
        title: t('Starting…'),
        text: t('Creating and starting the event session [CheckpointHealth].'),
        action: null,
      };
    case 'tracking':
    case 'stopping':
      return {
        kind: 'no data',
        title: t('No checkpoint yet'),
        text: t(
          'Tracking is on. Checkpoints appear here a few seconds after they end. On a quiet server the first one may take minutes.',
        ),
        action: null,
      };
    case 'stopped':
      return {
        kind: 'no data',
        title: t('No checkpoint was observed'),
        text: t(
          'Tracking was stopped before a checkpoint ended. Start it again and leave it running while the server is busy.',
        ),
        action: { label: t('Start tracking'), does: 'startTracking' },
      };
    case 'failed':
      return {
        kind: 'failed',
        title: t('Nothing could be read'),
        text: message ?? t('The server gave no reason.'),
        action: { label: t('Refresh'), does: 'refresh' },
      };
    default:
      return state satisfies never;
  }
}

/** There is no button to start, which would fail. A new permission shows after the next refresh. */
export function describeObstacle({ sentence, grant }: TrackingObstacle): StateNotice {
  const notice = { kind: 'not permitted', action: null } as const;
  if (grant === null) return { ...notice, title: t('Tracking is not possible here'), text: sentence };
  const text = joinSentences(sentence, t('When an administrator has run this, choose Refresh:'));
  return { ...notice, title: t('This login has no permission to track checkpoints'), text, statement: grant };
}
