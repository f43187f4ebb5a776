/** What the card says about a checkpoint, or about time that was not observed. */
import { formatDuration } from '../../../core/format';
import { describeGapKind } from '../../../core/pages/coverage-text';
import { formatSpan, formatTime, type Clock } from '../../model/clock';
import type { Gap } from '../../../protocol';

interface CheckpointCard {
  readonly name: string;
  readonly beginUtcMs: number;
  readonly durationMs: number;
  /** Checkpoints under the pixel. */
  readonly count: number;
  readonly enlarged: boolean;
  readonly beyondRecoveryInterval: boolean;
  /** Whether a gap may have made it of the begin of one checkpoint and the end of another. */
  readonly acrossGap: boolean;
}

/** One line of the card. */
export interface CardLine {
  readonly text: string;
  readonly kind: 'name' | 'duration' | 'time' | 'note';
}

/** The lines of a card about a checkpoint. */
export function describeCheckpoint(card: CheckpointCard, clock: Clock): readonly CardLine[] {
  const end = card.beginUtcMs + card.durationMs;
  const lines: CardLine[] = [
    { text: card.name, kind: 'name' },
    { text: formatDuration(card.durationMs), kind: 'duration' },
    { text: `${formatTime(card.beginUtcMs, clock)} – ${formatTime(end, clock)}`, kind: 'time' },
  ];
  if (card.count > 1) lines.push({ text: `longest of ${card.count} checkpoints under this pixel`, kind: 'note' });
  if (card.enlarged) lines.push({ text: 'drawn wider than it is', kind: 'note' });
  if (card.beyondRecoveryInterval) lines.push({ text: 'not shorter than the recovery interval: logged as FlushCache', kind: 'note' });
  if (card.acrossGap) lines.push({ text: 'may have been made of two by a gap: in no figure', kind: 'note' });
  return lines;
}

/** The lines of a card about time that was not observed. */
export function describeGap(gap: Gap, clock: Clock): readonly CardLine[] {
  const seen = describeGapKind(gap);
  const lines: CardLine[] = [
    { text: `${seen.charAt(0).toUpperCase()}${seen.slice(1)}: ${gap.kind}`, kind: 'name' },
    { text: formatDuration(gap.endUtcMs - gap.beginUtcMs), kind: 'duration' },
    { text: formatSpan(gap, clock), kind: 'time' },
  ];
  if (gap.reason !== '' && gap.reason !== gap.kind) lines.push({ text: gap.reason, kind: 'note' });
  return lines;
}
