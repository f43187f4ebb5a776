import { RELEASES, isRelease, type Release } from './scenarios/releases';
import { SCENARIOS, type ScenarioName } from './scenarios/scenarios';
import type { TlsMode } from './tds/server';

/** What `usage` says of each option. */
export interface Command {
  readonly scenario: ScenarioName;
  readonly release: Release | undefined;
  readonly databases: number | undefined;
  readonly storedEvents: number;
  readonly switched: number;
  readonly port: number;
  readonly rate: number;
  readonly seed: number;
  readonly tls: TlsMode;
  readonly followStdin: boolean;
}

export const usage = `node --require tsx/cjs simulator/main.ts [options]
  --scenario NAME  what the server is made of; legacy-upgrade by default
  --release YEAR   another release than the scenario's own: 2012 to 2025
  --databases N    another number of user databases than the scenario's own, in its proportions
  --stored-events N  runs time forward until the files checkpoint_history*.xel hold N events; 0 by default
  --switched N     N of the busiest databases were changed to 60 seconds two weeks ago; 0 by default
  --port N         TCP port on 127.0.0.1; 0, the default, takes a free one
  --rate N         virtual milliseconds for each real one; 1 by default, 0 stands still
  --seed N         decides everything that the modelled server does; 1 by default
  --tls MODE       off, optional (the default) or required
  --follow-stdin   end when standard input ends`;

const defaults: Readonly<Record<string, string | undefined>> = {
  scenario: 'legacy-upgrade',
  release: undefined,
  databases: undefined,
  'stored-events': '0',
  switched: '0',
  port: '0',
  rate: '1',
  seed: '1',
  tls: 'optional',
};

/** @throws Error with one sentence for an argument that is unknown or has no sensible value. */
export function readCommand(args: readonly string[]): Command {
  const values = { ...defaults };
  let followStdin = false;
  for (let index = 0; index < args.length; index++) {
    const name = args[index]?.replace(/^--/, '') ?? '';
    if (args[index] === '--follow-stdin') followStdin = true;
    else if (!args[index]?.startsWith('--') || !Object.keys(defaults).includes(name))
      throw new Error(`'${args[index]}' is no option`);
    else values[name] = readValue(name, args[++index]);
  }
  return {
    scenario: readScenario(values['scenario']),
    release: values['release'] === undefined ? undefined : readRelease(values['release']),
    databases:
      values['databases'] === undefined
        ? undefined
        : readNumber('databases', values['databases'], isDatabaseCount),
    storedEvents: readNumber('stored-events', values['stored-events'], Number.isSafeInteger),
    switched: readNumber('switched', values['switched'], Number.isSafeInteger),
    port: readNumber('port', values['port'], (port) => Number.isInteger(port) && port <= 65_535),
    rate: readNumber('rate', values['rate'], Number.isFinite),
    seed: readNumber('seed', values['seed'], isSeed),
    tls: readTls(values['tls']),
    followStdin,
  };
}

/** The value of an option. A missing value is an error: neither the default nor the next option may pass for it. */
function readValue(name: string, text: string | undefined): string {
  if (text === undefined || text.startsWith('--')) throw new Error(`--${name} needs a value`);
  return text;
}

function readScenario(text: string | undefined): ScenarioName {
  const names = Object.keys(SCENARIOS) as ScenarioName[];
  const name = names.find((each) => each === text);
  if (name === undefined) throw new Error(`--scenario is one of ${names.join(', ')}, not '${text ?? ''}'`);
  return name;
}

function readRelease(text: string): Release {
  const year = Number(text);
  if (!isRelease(year)) throw new Error(`--release is one of ${RELEASES.join(', ')}, not '${text}'`);
  return year;
}

/**
 * Microsoft Learn, "Maximum capacity specifications for SQL Server": 32,767 databases an instance, 4 of them system
 * databases.
 */
function isDatabaseCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= 32_763;
}

/** The generator has 32 bits: two larger seeds could be the same to it. */
function isSeed(value: number): boolean {
  return Number.isInteger(value) && value <= 0xffff_ffff;
}

function readNumber(name: string, text: string | undefined, isFit: (value: number) => boolean): number {
  const value = Number(text);
  if (text === undefined || text.trim() === '' || value < 0 || !isFit(value))
    throw new Error(`--${name} cannot be '${text ?? ''}'`);
  return value;
}

function readTls(text: string | undefined): TlsMode {
  if (text !== 'off' && text !== 'optional' && text !== 'required')
    throw new Error(`--tls is off, optional or required, not '${text ?? ''}'`);
  return text;
}
