import type { Parameter, Request } from './handler';
import { SqlError } from './handler';
import { ByteReader, ProtocolError } from './byte-reader';
import type { TdsVersion } from './login7';
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

/** Skips the headers of requests since TDS 7.2 (transaction, query notification, trace); their lengths must be valid. */
function skipHeaders(reader: ByteReader, version: TdsVersion): void {
  if (version === 71) return;
  const total = reader.u32();
  if (total < 4) throw new ProtocolError(`request headers of ${total} bytes`);
  reader.take(total - 4);
}

export function readBatch(body: Buffer, version: TdsVersion): Request {
  const reader = new ByteReader(body);
  skipHeaders(reader, version);
  return { kind: 'batch', sql: reader.text(reader.remaining >> 1) };
}

/** One or more procedure calls in one message. @throws ProtocolError, SqlError as readTypedValue does. */
export function readProcedureCalls(body: Buffer, version: TdsVersion): readonly Request[] {
  const reader = new ByteReader(body);
  skipHeaders(reader, version);
  const calls = [readCall(reader)];
  while (reader.remaining > 0) {
    // The separator of calls; it may also follow the last one.
    reader.u8();
    if (reader.remaining > 0) calls.push(readCall(reader));
  }
  return calls;
}

function readCall(reader: ByteReader): Request {
  const procedure = readProcedureName(reader);
  reader.u16();
  const parameters: Parameter[] = [];
  while (reader.remaining > 0 && !isSeparator(reader.peek())) parameters.push(readParameter(reader));
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

const actions: Readonly<Record<number, 'begin' | 'commit' | 'rollback'>> = { 5: 'begin', 7: 'commit', 8: 'rollback' };

/** A transaction manager request: begin, commit (which may begin the next one at once) or rollback. @throws SqlError for distributed ones and savepoints. */
export function readTransactionRequests(body: Buffer, version: TdsVersion): readonly Request[] {
  const reader = new ByteReader(body);
  skipHeaders(reader, version);
  const code = reader.u16();
  const action = actions[code];
  if (action === undefined)
    throw new SqlError(40_510, `Transaction manager request ${code} is not modelled by this server: it knows begin, commit and rollback.`);
  if (action === 'begin') reader.u8();
  const request: Request = { kind: 'transaction', action, name: readTransactionName(reader) };
  const beginsNext = action !== 'begin' && reader.remaining > 0 && (reader.u8() & 1) !== 0;
  if (!beginsNext) return [request];
  reader.u8();
  return [request, { kind: 'transaction', action: 'begin', name: readTransactionName(reader) }];
}

/** Its length is in bytes. */
function readTransactionName(reader: ByteReader): string {
  return reader.remaining > 0 ? reader.text(reader.u8() >> 1) : '';
}
