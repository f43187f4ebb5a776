import type { SqlMessage } from './handler';
import type { ByteWriter } from './byte-writer';
import type { Feature } from './login7';
import { collation } from './code-page';

/** Bits of a DONE token's status (MS-TDS 2.2.7.6). */
export const doneStatus = {
  final: 0x00,
  more: 0x01,
  error: 0x02,
  inTransaction: 0x04,
  count: 0x10,
  attention: 0x20,
} as const;

/** Which of the three DONE tokens: of a batch, inside a procedure, or of the procedure itself. */
export const doneToken = { batch: 0xfd, procedure: 0xfe, inProcedure: 0xff } as const;

/** SQL Server's code for SELECT: clients then read the count as a number of rows. */
export const selectCommand = 0xc1;

export function writeDone(
  writer: ByteWriter,
  token: number,
  status: number,
  command = 0,
  rowCount = 0,
): void {
  writer.u8(token).u16(status).u16(command).u64(BigInt(rowCount));
}

/** A token has two bytes for its length, so a longer text is cut. RAISERROR allows only 2,047 characters. */
const longestMessage = 16_000;

/** ERROR or INFO. */
export function writeMessage(
  writer: ByteWriter,
  kind: 'error' | 'info',
  message: SqlMessage,
  serverName: string,
): void {
  writer.u8(kind === 'error' ? 0xaa : 0xab).counted((token) => {
    token.i32(message.number).u8(message.state & 0xff, message.severity & 0xff);
    token
      .longText(message.message.slice(0, longestMessage))
      .shortText(serverName)
      .shortText(message.procedure ?? '')
      .u32(message.line);
  });
}

/** Kinds of ENVCHANGE (MS-TDS 2.2.7.9). */
export const environment = {
  database: 1,
  language: 2,
  packetSize: 4,
  collation: 7,
  begin: 8,
  commit: 9,
  rollback: 10,
  reset: 18,
} as const;

export function writeTextChange(writer: ByteWriter, kind: number, current: string, former: string): void {
  writer.u8(0xe3).counted((token) => token.u8(kind).shortText(current).shortText(former));
}

export function writeBytesChange(
  writer: ByteWriter,
  kind: number,
  current: Uint8Array,
  former: Uint8Array,
): void {
  writer
    .u8(0xe3)
    .counted((token) => token.u8(kind, current.length).raw(current).u8(former.length).raw(former));
}

export function writeCollation(writer: ByteWriter): void {
  writeBytesChange(writer, environment.collation, collation, Buffer.alloc(0));
}

/** LOGINACK. Only its TDS version, 7.4, is big-endian. */
export function writeLoginAck(
  writer: ByteWriter,
  [major, minor, build]: readonly [number, number, number],
): void {
  writer.u8(0xad).counted((token) => {
    token.u8(1, 0x74, 0, 0, 4).shortText('Microsoft SQL Server');
    token.u8(major, minor, build >> 8, build & 0xff);
  });
}

/** FEATUREEXTACK: the accepted features, each with its answer. */
export function writeFeatures(writer: ByteWriter, taken: readonly Feature[]): void {
  writer.u8(0xae);
  for (const { id, data } of taken) writer.u8(id).u32(data.length).raw(data);
  writer.u8(0xff);
}

/** SSPI: an NTLM token for the client. */
export function writeSecurityToken(writer: ByteWriter, token: Buffer): void {
  writer.u8(0xed).u16(token.length).raw(token);
}

export function writeReturnStatus(writer: ByteWriter, value: number): void {
  writer.u8(0x79).i32(value);
}
