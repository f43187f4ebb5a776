import assert from 'node:assert/strict';
import { decodeCapture } from '../../src/captures/capture-format';
import { finishSteps } from '../../src/core/steps';
import type { MonitorSurroundings } from '../../src/monitor/queries/surroundings';
import { openRecord } from '../../src/monitor/recorded-server';
import type { ServerMonitor } from '../../src/monitor/server-monitor';
import { FakeServer, FakeTimers, surroundingsOf } from './fake-server';

type Schedule = MonitorSurroundings['schedule'];

/** Pauses end, and no timer does. */
export const pausesOnly: Schedule = (delayMs, task) => {
  if (delayMs === 0) setImmediate(task);
  return { dispose: () => undefined };
};

/** Every timer ends within 10 ms. */
export const shortTimers: Schedule = (delayMs, task) => {
  const timer = setTimeout(task, Math.min(delayMs, 10)).unref();
  return { dispose: () => clearTimeout(timer) };
};

/** The server in the bytes of a saved capture. */
export async function open(bytes: Uint8Array, schedule = pausesOnly): Promise<ServerMonitor> {
  const { capture } = finishSteps(decodeCapture(bytes));
  const surroundings = { ...surroundingsOf(new FakeServer(), new FakeTimers()), schedule };
  const monitor = openRecord(capture ?? assert.fail('no capture'), surroundings, {
    id: 'file:saved',
    label: 'Saved',
  });
  await monitor.refresh();
  return monitor;
}
