/**
 * Ways from event text to paired checkpoints: ours, and what people write with an XML library or a regular expression.
 * Each does the whole job.
 */
import { SaxesParser } from 'saxes';
import { createCapture } from '../src/core/capture/capture';
import type { EventRow } from '../src/core/events/event';
import { BEGIN_UTC_MS, EVENT_MS } from './event-rows';

/** Gives the number of paired checkpoints. */
type Pairing = (rows: readonly EventRow[]) => number;

const PAGE = 1000;

/** Pages of a thousand rows. Each is settled up to some time before its last event, as while tracking. */
export const pairWithOurs: Pairing = (rows) => {
  const capture = createCapture({ id: 'bench' });
  for (let from = 0; from < rows.length; from += PAGE) {
    capture.append(rows.slice(from, from + PAGE));
    capture.settle(BEGIN_UTC_MS + (from + PAGE - 200) * EVENT_MS);
  }
  capture.settle(Infinity);
  return capture.columns.rows;
};

interface PlainEvent {
  readonly name: string;
  readonly databaseId: number;
  readonly atUtcMs: number;
  readonly activity: string;
}

interface PlainCheckpoint {
  readonly databaseId: number;
  readonly beginUtcMs: number;
  readonly durationMs: number;
}

/** What everyone writes: a map from task and database to the open begin. Rows come in order here. */
class PlainPairing {
  private readonly open = new Map<string, number>();
  readonly checkpoints: PlainCheckpoint[] = [];

  add({ name, databaseId, atUtcMs, activity }: PlainEvent): void {
    const key = `${activity.slice(0, activity.lastIndexOf('-'))}/${databaseId}`;
    if (name === 'checkpoint_begin') this.open.set(key, atUtcMs);
    else {
      const beginUtcMs = this.open.get(key);
      if (beginUtcMs === undefined) return;
      this.open.delete(key);
      this.checkpoints.push({ databaseId, beginUtcMs, durationMs: atUtcMs - beginUtcMs });
    }
  }
}

export const pairWithRegex: Pairing = (rows) => {
  const pairing = new PlainPairing();
  for (const { eventData } of rows) {
    const found =
      /<event name="(\w+)".*?timestamp="([^"]+)".*?<data name="database_id">.*?<value>(\d+)<.*?attach_activity_id".*?<value>([^<]+)</.exec(
        eventData ?? '',
      );
    if (found === null) continue;
    const [, name = '', time = '', databaseId = '', activity = ''] = found;
    pairing.add({ name, databaseId: Number(databaseId), atUtcMs: Date.parse(time), activity });
  }
  return pairing.checkpoints.length;
};

export const pairWithSaxes: Pairing = (rows) => {
  const pairing = new PlainPairing();
  for (const { eventData } of rows) {
    let name = '';
    let time = '';
    let field = '';
    let isValue = false;
    const values: Record<string, string> = {};
    const parser = new SaxesParser();
    parser.on('opentag', (tag) => {
      if (tag.name === 'event') [name, time] = [tag.attributes.name ?? '', tag.attributes.timestamp ?? ''];
      else if (tag.name === 'value') isValue = true;
      else if (tag.name === 'data' || tag.name === 'action') field = `${tag.name} ${tag.attributes.name}`;
    });
    parser.on('closetag', () => (isValue = false));
    parser.on('text', (text) => {
      if (isValue) values[field] = (values[field] ?? '') + text;
    });
    parser.write(eventData ?? '').close();
    const activity = values['action attach_activity_id'] ?? '';
    pairing.add({
      name,
      databaseId: Number(values['data database_id']),
      atUtcMs: Date.parse(time),
      activity,
    });
  }
  return pairing.checkpoints.length;
};
