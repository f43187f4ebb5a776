import assert from 'node:assert/strict';
import { readCommand } from '../command-line';

describe('the command line of the simulator', () => {
  it('has a value for everything that is not named', () => {
    assert.deepEqual(readCommand([]), {
      scenario: 'legacy-upgrade',
      release: undefined,
      databases: undefined,
      storedEvents: 0,
      switched: 0,
      port: 0,
      rate: 1,
      seed: 1,
      tls: 'optional',
      followStdin: false,
    });
  });

  it('takes every option', () => {
    const line =
      '--scenario legacy-upgrade --release 2016 --databases 5000 --switched 12 --port 1433 --rate 0 ' +
      '--stored-events 1000 --seed 7 --tls required --follow-stdin';
    assert.deepEqual(readCommand(line.split(' ')), {
      scenario: 'legacy-upgrade',
      release: 2016,
      databases: 5000,
      storedEvents: 1000,
      switched: 12,
      port: 1433,
      rate: 0,
      seed: 7,
      tls: 'required',
      followStdin: true,
    });
  });

  const WRONG =
    '--prot 1, 1433, --port x, --port 65536, --port, --rate -1, --seed 1.5, --tls yes, --scenario no-such, --release 2015, --databases 0, ' +
    '--databases 40000, --stored-events 1.5, --ledger ledger.json, --release, --databases, ' +
    '--tls --follow-stdin, --constructor x, --seed 4294967296';
  for (const args of WRONG.split(', ').map((each) => each.split(' '))) {
    it(`refuses ${args.join(' ')} in words`, () => {
      assert.throws(
        () => readCommand(args),
        /is no option|cannot be|needs a value|off, optional or required|is one of/,
      );
    });
  }
});
