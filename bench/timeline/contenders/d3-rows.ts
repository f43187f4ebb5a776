/** Checkpoints as objects, like the data in D3's examples. */
import { bandOf, type TimelineData } from '../contender';

export interface Row {
  readonly begin: Date;
  readonly end: Date;
  readonly lane: number;
  readonly band: number;
}

export const makeRows = ({ columns: { rows, beginUtcMs, durationMs, database } }: TimelineData): readonly Row[] =>
  Array.from({ length: rows }, (_, row) => ({
    begin: new Date(beginUtcMs[row]!),
    end: new Date(beginUtcMs[row]! + durationMs[row]!),
    lane: database[row]!,
    band: bandOf(durationMs[row]!),
  }));
