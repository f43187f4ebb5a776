import type { SqlColumn, SqlValue } from './handler';
import type { ByteWriter } from './byte-writer';
import { columnTypeOf } from './column-types';
import type { ColumnType } from './column-types';

const nullableFlag = 0x01;
const updatabilityUnknown = 0x08;

/** The columns of one result set: their description, and rows of them. */
export class RowFormat {
  private readonly types: readonly ColumnType[];

  constructor(private readonly columns: readonly SqlColumn[]) {
    this.types = columns.map((column) => columnTypeOf(column.type, column.nullable));
  }

  /** COLMETADATA. */
  writeColumns(writer: ByteWriter): void {
    writer.u8(0x81).u16(this.columns.length);
    this.columns.forEach((column, index) => {
      // No user type.
      writer.u32(0).u16(updatabilityUnknown | (column.nullable ? nullableFlag : 0));
      this.types[index]?.writeInfo(writer);
      writer.shortText(column.name);
    });
  }

  /** ROW, or NBCROW for a row with NULLs. Writes the whole row or, on an error, none of it. */
  writeRow(writer: ByteWriter, row: readonly SqlValue[]): void {
    if (row.length !== this.types.length)
      throw new TypeError(`a row of ${row.length} values in a result set of ${this.types.length} columns`);
    const start = writer.length;
    try {
      if (row.includes(null)) writer.u8(0xd2).raw(nullBitmap(row));
      else writer.u8(0xd1);
      this.types.forEach((type, index) => this.writeCell(writer, type, index, row[index] ?? null));
    } catch (error) {
      writer.truncate(start);
      throw error;
    }
  }

  private writeCell(writer: ByteWriter, type: ColumnType, index: number, value: SqlValue): void {
    const column = this.columns[index] as SqlColumn;
    if (value === null && !column.nullable)
      throw new TypeError(`NULL in column ${column.name}, which is described as NOT NULL`);
    if (value !== null) type.writeValue(writer, value);
  }
}

function nullBitmap(row: readonly SqlValue[]): Buffer {
  const bitmap = Buffer.alloc(Math.ceil(row.length / 8));
  row.forEach((value, index) => {
    if (value === null) bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7));
  });
  return bitmap;
}
