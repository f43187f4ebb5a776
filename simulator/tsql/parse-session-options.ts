import { notModelled } from './errors';
import type { SqlError } from '../tds/handler';
import { parseInteger } from './parse-declare';
import type { TokenReader } from './token-reader';
import { sqlError } from '../tds/messages';

type OptionParser = (reader: TokenReader) => string;

const onOff: OptionParser = (reader) => reader.expectOneOf('ON', 'OFF');
const size: OptionParser = (reader) => `${parseInteger(reader)} ${reader.expectOneOf('KB', 'MB')}`;

const parsers: Readonly<Record<string, OptionParser>> = {
  MAX_MEMORY: size,
  MAX_EVENT_SIZE: (reader) => {
    throw notModelled('MAX_EVENT_SIZE', reader.line);
  },
  EVENT_RETENTION_MODE: (reader) => {
    const mode = reader.expectOneOf('ALLOW_SINGLE_EVENT_LOSS', 'ALLOW_MULTIPLE_EVENT_LOSS', 'NO_EVENT_LOSS');
    if (mode !== 'ALLOW_SINGLE_EVENT_LOSS') throw notModelled(`EVENT_RETENTION_MODE = ${mode}`, reader.line);
    return mode;
  },
  MAX_DISPATCH_LATENCY: (reader) =>
    reader.take('INFINITE') ? 'INFINITE' : `${parseInteger(reader)} ${reader.expectOneOf('SECONDS')}`,
  MEMORY_PARTITION_MODE: (reader) => {
    const mode = reader.expectOneOf('NONE', 'PER_NODE', 'PER_CPU');
    if (mode !== 'NONE') throw notModelled(`MEMORY_PARTITION_MODE = ${mode}`, reader.line);
    return mode;
  },
  TRACK_CAUSALITY: onOff,
  STARTUP_STATE: onOff,
  MAX_DURATION: (reader) =>
    reader.take('UNLIMITED')
      ? 'UNLIMITED'
      : `${parseInteger(reader)} ${reader.expectOneOf('SECONDS', 'MINUTES', 'HOURS', 'DAYS')}`,
};

export function parseSessionOptions(reader: TokenReader): Readonly<Record<string, string>> {
  return reader.parenthesised(() => {
    const { line } = reader;
    const entries = reader.commaList((): [string, string] => {
      const name = reader.expectOneOf(...Object.keys(parsers));
      reader.expect('=');
      return [name, (parsers[name] as OptionParser)(reader)];
    });
    const twice = entries.find(([name], i) => entries.findIndex(([first]) => first === name) < i);
    if (twice !== undefined) throw optionTwice(twice[0], line);
    return Object.fromEntries(entries);
  });
}

/** Found when the batch is read. It is not published whether the server finds it only when the statement runs. */
function optionTwice(name: string, line: number): SqlError {
  return sqlError(25702, [name], line);
}
