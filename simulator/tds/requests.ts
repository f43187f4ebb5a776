import type { Parameter, Request } from './handler';
import { notModelled } from './messages';
import { ByteReader, ProtocolError } from './byte-reader';
import { readTypedValue } from './parameter-values';

/** Procedures that clients may call by number (MS-TDS 2.2.6.6). */
const wellKnownProcedures: Readonly<Record<number, string>> = {
  1: 'sp_cursor',
  2: 'sp_cursoropen',
  3: 'sp_cursorprepare',
  4: 'sp_cursorexecute',
  5: 'sp_cursorprepexec',
  6: 'sp_cursorunprepare',
  7: 'sp_cursorfetch',
  8: 'sp_cursoroption',
  9: 'sp_cursorclose',
  10: 'sp_executesql',
  11: 'sp_prepare',
  12: 'sp_execute',
  13: 'sp_prepexec',
  14: 'sp_prepexecrpc',
  15: 'sp_unprepare',
};

const outputFlag = 0x01;

/** Skips the headers of requests (transaction, query notification, trace); their lengths must be valid. */
function skipHeaders(reader: ByteReader): void {
  const total = reader.u32();
  if (total < 4) throw new ProtocolError(`request headers of ${total} bytes`);
  reader.take(total - 4);
}

export function readBatch(body: Buffer): Request {
  const reader = new ByteReader(body);
  skipHeaders(reader);
  return { kind: 'batch', sql: reader.text(reader.remaining >> 1) };
}

/** A procedure call. @throws ProtocolError, SqlError as readTypedValue does, and for several calls in one message. */
export function readProcedureCall(body: Buffer): Request {
  const reader = new ByteReader(body);
  skipHeaders(reader);
  const procedure = readProcedureName(reader);
  reader.u16();
  const parameters: Parameter[] = [];
  while (reader.remaining > 0 && !isSeparator(reader.peek())) parameters.push(readParameter(reader));
  // A separator may also follow the only call.
  if (reader.remaining > 1) throw notModelled('several procedure calls in one message');
  return { kind: 'procedure', procedure, parameters };
}

/** A parameter begins with the length of its name, at most 128; 0x80, 0xFE and 0xFF end the call instead. */
function isSeparator(byte: number | undefined): boolean {
  return byte === 0x80 || byte === 0xff || byte === 0xfe;
}

function readProcedureName(reader: ByteReader): string {
  const length = reader.u16();
  if (length !== 0xffff) return reader.text(length);
  const id = reader.u16();
  const name = wellKnownProcedures[id];
  if (name === undefined) throw new ProtocolError(`no procedure has the number ${id}`);
  return name;
}

function readParameter(reader: ByteReader): Parameter {
  const name = reader.shortText();
  const output = (reader.u8() & outputFlag) !== 0;
  return { name, output, ...readTypedValue(reader) };
}
