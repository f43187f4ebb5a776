import type { TrackingStatus } from '../../core/capture/tracking-status';
import type { OwnSessionText } from '../../core/script/text';
import type { TrackingControl } from './tracking';

/** Where tracking is and what it has read. @param isInTouch whether the server answers now */
export function describeTracking(tracking: TrackingControl, isInTouch: boolean): TrackingStatus {
  const { capture } = tracking;
  const ledger = capture?.ledger();
  return {
    state: tracking.state,
    isLastSeen: tracking.state === 'tracking' ? !isInTouch : tracking.wasRunning,
    unverified: tracking.unverified,
    observation: capture?.observation ?? null,
    rowsRead: ledger?.rowsRead ?? 0,
    checkpoints: ledger?.checkpoints ?? 0,
    unpaired: ledger?.unpaired ?? 0,
    duplicates: ledger?.duplicates ?? 0,
    malformed: ledger?.malformed ?? 0,
    otherEvents: ledger?.other ?? 0,
    ...tracking.lost,
    trouble: tracking.trouble,
    reading: tracking.reading,
    message: tracking.message,
  };
}

export interface TitledText {
  readonly title: string;
  readonly text: OwnSessionText;
}

/** The texts in the order in which they would run. */
export function titleTexts(texts: Readonly<Record<'create' | 'start' | 'stop' | 'drop', OwnSessionText>>): readonly TitledText[] {
  return [
    { title: 'Start tracking: create the event session', text: texts.create },
    { title: 'Start tracking: start it', text: texts.start },
    { title: 'Stop tracking', text: texts.stop },
    { title: 'Remove tracking', text: texts.drop },
  ];
}
