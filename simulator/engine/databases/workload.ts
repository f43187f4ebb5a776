import type { WorkloadShape } from '../../scenarios/database';
import type { LogStorms } from './log-storms';
import { unitOf } from '../../scenarios/random';

const MINUTE_US = 60_000_000;
const DAY_MINUTES = 1440;
/** How far ahead a trigger is looked for; if it lies later, the caller asks again. */
const HORIZON_MINUTES = 240;

/**
 * Log records of one database over virtual time: a straight line within each minute. Seed, hour and batch job decide
 * its slope.
 */
export interface LogMeter {
  /** Log records written since the model began. Asked with rising times only. */
  recordsAt(atUs: number): number;
  /**
   * Milliseconds by which storms would have delayed those records if each were one log write. Asked with rising times
   * only.
   */
  stallMsAt(atUs: number): number;
  /** The moment that reaches this total; undefined if not within some hours. */
  whenReached(total: number, fromUs: number): number | undefined;
}

/** Share of the top rate by local hour: quiet nights, a dip at noon. The model's choice. */
function dailyShare(minuteOfDay: number): number {
  const hour = minuteOfDay / 60;
  const day = Math.exp(-(((hour - 10.5) / 3.2) ** 2)) + 0.9 * Math.exp(-(((hour - 15) / 2.8) ** 2));
  return 0.25 + 0.75 * Math.min(1, day);
}

function batchFactor(shape: WorkloadShape, minute: number): number {
  const batch = shape.batch;
  if (batch === undefined) return 1;
  const since =
    (((minute - batch.firstMinute) % batch.everyMinutes) + batch.everyMinutes) % batch.everyMinutes;
  return since < batch.lengthMinutes ? batch.factor : 1;
}

export interface LogMeterOptions {
  readonly seed: number;
  readonly databaseId: number;
  readonly startUs: number;
  readonly utcOffsetMinutes: number;
  readonly storms: LogStorms;
}

export function createLogMeter(shape: WorkloadShape, options: LogMeterOptions): LogMeter {
  const { seed, databaseId, utcOffsetMinutes, storms } = options;
  const rateOf = (minute: number): number => {
    const wobble = 0.6 + 0.8 * unitOf(seed, databaseId, minute);
    const share = dailyShare((minute + utcOffsetMinutes) % DAY_MINUTES);
    return shape.logRecordsPerSecond * share * wobble * batchFactor(shape, minute);
  };
  const minuteOf = (atUs: number): number => Math.floor(atUs / MINUTE_US);
  let minute = minuteOf(options.startUs);
  let fromUs = options.startUs;
  let total = 0;
  let rate = rateOf(minute);
  let stallMs = 0;
  let fromWeight = 0;

  const moveTo = (wanted: number): void => {
    while (minute < wanted) {
      const endUs = (minute + 1) * MINUTE_US;
      total += (rate * (endUs - fromUs)) / 1e6;
      minute += 1;
      const weight = storms.weightAtMinute(minute);
      stallMs += (rate * (weight - fromWeight)) / 1e6;
      fromWeight = weight;
      fromUs = endUs;
      rate = rateOf(minute);
    }
  };
  return {
    recordsAt(atUs) {
      if (shape.logRecordsPerSecond === 0) return 0;
      moveTo(minuteOf(atUs));
      return total + (rate * (atUs - fromUs)) / 1e6;
    },
    stallMsAt(atUs) {
      if (shape.logRecordsPerSecond === 0) return 0;
      moveTo(minuteOf(atUs));
      return stallMs + (rate * (storms.weightAt(atUs) - fromWeight)) / 1e6;
    },
    whenReached(wanted, notBeforeUs) {
      if (shape.logRecordsPerSecond === 0) return undefined;
      let sum = total;
      let beginUs = fromUs;
      for (let at = minute, slope = rate; at < minute + HORIZON_MINUTES; slope = rateOf(++at)) {
        const endUs = (at + 1) * MINUTE_US;
        const gained = (slope * (endUs - beginUs)) / 1e6;
        if (sum + gained >= wanted)
          return Math.max(notBeforeUs, Math.ceil(beginUs + ((wanted - sum) / slope) * 1e6));
        sum += gained;
        beginUs = endUs;
      }
      return undefined;
    },
  };
}
