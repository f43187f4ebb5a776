/** What the card says about a checkpoint, or about time that was not observed. */
import { formatDuration } from '../core/format';
import { formatServerTime } from './server-time';
import type { Gap } from '../protocol';

export interface CheckpointCard {
  readonly name: string;
  readonly beginUtcMs: number;
  readonly durationMs: number;
  /** Checkpoints under the pixel. */
  readonly count: number;
  readonly enlarged: boolean;
  readonly beyondRecoveryInterval: boolean;
}

/** One line of the card. */
export interface CardLine {
  readonly text: string;
  readonly kind: 'name' | 'duration' | 'time' | 'note';
}

/** The lines of a card about a checkpoint. */
export function describeCheckpoint(card: CheckpointCard, utcOffsetMinutes: number): readonly CardLine[] {
  const end = card.beginUtcMs + card.durationMs;
  const lines: CardLine[] = [
    { text: card.name, kind: 'name' },
    { text: formatDuration(card.durationMs), kind: 'duration' },
    { text: `${formatServerTime(card.beginUtcMs, utcOffsetMinutes)} – ${formatServerTime(end, utcOffsetMinutes)}`, kind: 'time' },
  ];
  if (card.count > 1) lines.push({ text: `longest of ${card.count} checkpoints under this pixel`, kind: 'note' });
  if (card.enlarged) lines.push({ text: 'drawn wider than it is', kind: 'note' });
  if (card.beyondRecoveryInterval) lines.push({ text: 'not shorter than the recovery interval: logged as FlushCache', kind: 'note' });
  return lines;
}

/** The lines of a card about time that was not observed. */
export function describeGap(gap: Gap, utcOffsetMinutes: number): readonly CardLine[] {
  return [
    { text: 'Not observed', kind: 'name' },
    { text: `${formatServerTime(gap.beginUtcMs, utcOffsetMinutes)} – ${formatServerTime(gap.endUtcMs, utcOffsetMinutes)}`, kind: 'time' },
    { text: gap.reason, kind: 'note' },
  ];
}
