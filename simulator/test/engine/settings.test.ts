import assert from 'node:assert/strict';
import type { ModelledServer } from '../../engine/modelled-server';
import { createStill, DBA, MINUTE_MS, readRows } from './modelled';

const RECOVERY_INTERVAL = 101;
const MAX_DOP = 1539;

const count = (server: ModelledServer, kind: 'automatic' | 'indirect'): number =>
  server.ledger.checkpoints.filter((each) => each.kind === kind).length;

function countAutomatic(server: ModelledServer, minutes: number): number {
  const before = count(server, 'automatic');
  server.advance(minutes * MINUTE_MS);
  return count(server, 'automatic') - before;
}

function readOption(server: ModelledServer, id: number): readonly unknown[] {
  const row = readRows(server, 'sys.configurations').find((each) => each['configuration_id'] === id);
  return ['value', 'value_in_use'].map((name) => (row?.[name] as { value: number } | undefined)?.value);
}

describe('settings of the whole instance', () => {
  it('are pending until RECONFIGURE, which applies all of them', () => {
    const server = createStill();
    const { settings } = server;
    assert.equal(
      settings.setConfiguration(RECOVERY_INTERVAL, 5, DBA),
      "Configuration option 'recovery interval (min)' changed from 0 to 5. Run the RECONFIGURE statement to install.",
    );
    settings.setConfiguration(MAX_DOP, 4, DBA);
    assert.deepEqual(readOption(server, RECOVERY_INTERVAL), [5, 0]);
    settings.reconfigure(false, DBA);
    assert.deepEqual(readOption(server, RECOVERY_INTERVAL), [5, 5]);
    assert.deepEqual(readOption(server, MAX_DOP), [4, 4]);
    assert.match(
      server.errorLog().at(-1)?.text ?? '',
      /^Configuration option 'max degree of parallelism' changed from 8 to 4\./,
    );
  });

  it('wait for a restart where the option is not dynamic', () => {
    const server = createStill();
    server.settings.setConfiguration(106, 10_000, DBA);
    server.settings.reconfigure(false, DBA);
    assert.deepEqual(readOption(server, 106), [10_000, 0]);
  });

  it('take a recovery interval above an hour with override alone', () => {
    const server = createStill();
    server.settings.setConfiguration(RECOVERY_INTERVAL, 61, DBA);
    assert.throws(() => server.settings.reconfigure(false, DBA), { number: 5807 });
    assert.deepEqual(readOption(server, RECOVERY_INTERVAL), [61, 0]);
    server.settings.reconfigure(true, DBA);
    assert.deepEqual(readOption(server, RECOVERY_INTERVAL), [61, 61]);
  });

  it('make automatic checkpoints rarer by the recovery interval, and all but end them at 32767', () => {
    const server = createStill();
    const often = countAutomatic(server, 30);
    server.settings.setConfiguration(RECOVERY_INTERVAL, 3, DBA);
    const stillOften = countAutomatic(server, 10);
    server.settings.reconfigure(false, DBA);
    countAutomatic(server, 10);
    const rarer = countAutomatic(server, 30);
    assert.ok(stillOften > often / 5, `${stillOften} in ten minutes before RECONFIGURE`);
    assert.ok(rarer < often / 2 && rarer > often / 5, `${often} -> ${rarer} in half an hour`);
    server.settings.setConfiguration(RECOVERY_INTERVAL, 32_767, DBA);
    server.settings.reconfigure(true, DBA);
    countAutomatic(server, 5);
    assert.equal(countAutomatic(server, 60), 0);
  });

  it('stop automatic checkpoints, and no others, under trace flag 3505, until it is off again', () => {
    const server = createStill();
    const often = countAutomatic(server, 10);
    server.settings.turnTraceFlagsOn([3505], 'session', DBA);
    assert.ok(countAutomatic(server, 5) > often / 4, 'a flag of one session stops nothing');
    server.settings.turnTraceFlagsOn([3505], 'global', DBA);
    countAutomatic(server, 2);
    const indirect = count(server, 'indirect');
    assert.equal(countAutomatic(server, 10), 0);
    assert.ok(count(server, 'indirect') > indirect + 100);
    server.settings.turnTraceFlagsOff([3505], 'global', DBA);
    assert.ok(countAutomatic(server, 10) >= often / 2);
    const own = () => server.settings.traceFlags(DBA).filter((each) => each.isSession);
    assert.deepEqual(own(), [{ flag: 3505, isGlobal: false, isSession: true }]);
    server.settings.forgetSession(DBA.spid);
    assert.deepEqual(own(), []);
    const line = (state: string): string =>
      `DBCC TRACE${state} 3505, server process ID (SPID) 60. This is an informational message only; no user action is required.`;
    const texts = server.errorLog().map((row) => row.text);
    assert.deepEqual([texts.includes(line('ON')), texts.includes(line('OFF'))], [true, true]);
  });
});
