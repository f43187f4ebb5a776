import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as settings from '../../src/shell/settings';
import { loadShell, shown, vscode } from './fake-vscode';

const written = new Map<string, unknown>();
const workspace = vscode.workspace as unknown as Record<string, unknown>;
workspace['getConfiguration'] = () => ({
  get: (name: string, byDefault?: unknown) => written.get(name) ?? byDefault,
});
const { busyBound, pollIntervalMs, samplingIntervals, sessionDays } = loadShell<typeof settings>('settings');

/** What an administrator may write for a number by mistake. */
const WRONG = ['5s', '30 %', '5', '', null, true, [5], { seconds: 5 }, NaN, Infinity];

describe('A setting that should be a number', () => {
  beforeEach(() => {
    written.clear();
    shown.length = 0;
  });
  after(() => delete workspace['getConfiguration']);

  it('is its default where something else is written', () => {
    for (const wrong of WRONG) {
      for (const name of ['pollIntervalSeconds', 'taskBusyPercent', 'sampleIntervalSeconds'])
        written.set(name, wrong);
      const read = [pollIntervalMs(), busyBound(), samplingIntervals()];
      assert.deepEqual(read, [5_000, 0.3, { instanceMs: 15_000, databasesMs: 60_000 }], String(wrong));
    }
  });

  it('has the defaults and bounds of the manifest', () => {
    const { contributes } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
      contributes: {
        configuration: { properties: Record<string, { default: number; minimum: number; maximum: number }> };
      };
    };
    const of = (name: string) =>
      contributes.configuration.properties[`checkpointHealth.${name}`] ?? assert.fail(name);
    const readers = {
      pollIntervalSeconds: () => pollIntervalMs() / 1000,
      taskBusyPercent: () => busyBound() * 100,
      sessionDays,
    };
    for (const [name, read] of Object.entries(readers)) {
      const bounds = of(name);
      for (const [value, expected] of [
        [undefined, bounds.default],
        [-1e300, bounds.minimum],
        [1e300, bounds.maximum],
        [bounds.minimum + 1, bounds.minimum + 1],
      ] as const) {
        written.set(name, value);
        assert.equal(Math.round(read()), expected, `${name} ${value}`);
      }
    }
    written.set('sampleIntervalSeconds', 0);
    assert.equal(samplingIntervals(), null);
    written.set('sampleIntervalSeconds', 1e300);
    assert.equal(samplingIntervals()?.instanceMs, of('sampleIntervalSeconds').maximum * 1000);
  });

  it('is told of once where it is wrong, with what is used instead, and again only when it was changed', () => {
    written.set('taskBusyPercent', '40 %');
    for (let times = 0; times < 5; times++) busyBound();
    assert.deepEqual(shown, [
      'The setting checkpointHealth.taskBusyPercent is "40 %", not a number from 5 to 80. 30 is used.',
    ]);
    written.set('taskBusyPercent', 95);
    busyBound();
    assert.equal(
      shown[1],
      'The setting checkpointHealth.taskBusyPercent is 95, not a number from 5 to 80. 80 is used.',
    );
    written.set('taskBusyPercent', 40);
    busyBound();
    assert.equal(shown.length, 2);
  });
});
