import assert from 'node:assert/strict';
import {
  readServerSettings,
  readStartupOptions,
  readTraceFlags,
} from '../../../src/core/advice/setting-rows';
import { valuesOf } from '../values-of';

const columns = ['setting_name', 'configured', 'in_use', 'is_dynamic', 'is_pending'];

describe('Rows about how an instance is set', () => {
  it('give the recovery interval in use, not the one that waits for RECONFIGURE, and every pending setting', () => {
    const rows = [
      ['recovery interval (min)', '5', '32767', '1', '1'],
      ['show advanced options', '0', '1', '1', '1'],
      ['fill factor (%)', '90', '0', '0', '1'],
      ['min server memory (MB)', '0', '16', '1', '0'],
    ];
    const [answer] = readServerSettings({ columns, rows }).values;
    assert.equal(answer?.recoveryIntervalMinutes, 32_767);
    assert.deepEqual(valuesOf(answer?.settings.pending, 'name', 'configured', 'inUse', 'isDynamic'), [
      ['recovery interval (min)', 5, 32_767, true],
      ['show advanced options', 0, 1, true],
      ['fill factor (%)', 90, 0, false],
    ]);
  });

  it('are no answer at all where one of them could not be read: a pending setting might be the one that is missing', () => {
    const rows = [
      ['recovery interval (min)', '0', '0', '1', '0'],
      ['max degree of parallelism', 'many', '0', '1', '1'],
    ];
    const { values, problems } = readServerSettings({ columns, rows });
    assert.deepEqual([values.length, problems.length], [0, 1]);
  });

  it('tell no trace flags from a refusal', () => {
    const flags = (...rows: (string | null)[][]) =>
      readTraceFlags({ columns: ['caught_number', 'caught_message', 'trace_flag'], rows }).values[0];
    assert.deepEqual(flags([null, null, null]), { refusal: null, flags: [] });
    assert.deepEqual(flags([null, null, '3505'], [null, null, '3226'], [null, null, '3505']), {
      refusal: null,
      flags: [3505, 3226],
    });
    assert.deepEqual(flags(['297', 'no permission', null]), {
      refusal: { number: 297, message: 'no permission' },
      flags: [],
    });
  });

  it('give the cap of -k, which is not -K, with or without the NUL of the registry; the last one counts', () => {
    const cap = (...args: string[]) =>
      readStartupOptions({ columns: ['argument'], rows: args.map((arg) => [arg]) }).values[0]
        ?.checkpointMbPerSecond;
    assert.equal(cap('-dC:\\master.mdf', '-k60\0'), 60);
    assert.equal(cap('-k 60', '-k120'), 120);
    assert.equal(cap('-K60', '-T3502', '-eC:\\-k9'), null);
    assert.equal(cap(), undefined, 'no arguments at all: they are not shown');
  });
});
