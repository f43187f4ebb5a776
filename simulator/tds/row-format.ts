import type { SqlColumn, SqlValue } from './handler';
import type { ByteWriter } from './byte-writer';
import type { TdsVersion } from './login7';
import { columnTypeOf } from './column-types';
import type { ColumnType } from './column-types';
import type { Present } from './scalar-types';

const nullableFlag = 0x01;
const updatabilityUnknown = 0x08;

/** The value for the client: an old client gets a date or time as text, as SQL Server formats it. */
function shownValue(value: Present, column: SqlColumn['type'], version: TdsVersion): Present {
  return version < 73 &&
    typeof value === 'string' &&
    (column.name === 'datetime2' || column.name === 'datetimeoffset')
    ? value.replace('T', ' ').replace(/([+-]\d\d:\d\d)$/, ' $1')
    : value;
}

/** The columns of one result set: their description, and rows of them. */
export class RowFormat {
  private readonly types: readonly ColumnType[];

  constructor(
    private readonly columns: readonly SqlColumn[],
    private readonly version: TdsVersion,
  ) {
    this.types = columns.map((column) => columnTypeOf(column.type, column.nullable, version));
  }

  /** COLMETADATA. */
  writeColumns(writer: ByteWriter): void {
    writer.u8(0x81).u16(this.columns.length);
    this.columns.forEach((column, index) => {
      writeUserType(writer, this.version);
      writer.u16(updatabilityUnknown | (column.nullable ? nullableFlag : 0));
      const type = this.types[index];
      type?.writeInfo(writer);
      if (type?.isLongText) writer.u16(0);
      writer.shortText(column.name);
    });
  }

  /** ROW, or NBCROW for a row with NULLs if the client knows it. Writes the whole row or, on an error, none of it. */
  writeRow(writer: ByteWriter, row: readonly SqlValue[]): void {
    if (row.length !== this.types.length)
      throw new TypeError(`a row of ${row.length} values in a result set of ${this.types.length} columns`);
    const start = writer.length;
    try {
      const compressed = this.version >= 73 && row.includes(null);
      if (compressed) writer.u8(0xd2).raw(nullBitmap(row));
      else writer.u8(0xd1);
      this.types.forEach((type, index) =>
        this.writeCell(writer, type, index, row[index] ?? null, compressed),
      );
    } catch (error) {
      writer.truncate(start);
      throw error;
    }
  }

  private writeCell(
    writer: ByteWriter,
    type: ColumnType,
    index: number,
    value: SqlValue,
    compressed: boolean,
  ): void {
    const column = this.columns[index] as SqlColumn;
    if (value === null && !column.nullable)
      throw new TypeError(`NULL in column ${column.name}, which is described as NOT NULL`);
    if (value !== null) type.writeValue(writer, shownValue(value, column.type, this.version));
    else if (!compressed) type.writeNull(writer);
  }
}

function writeUserType(writer: ByteWriter, version: TdsVersion): void {
  if (version === 71) writer.u16(0);
  else writer.u32(0);
}

function nullBitmap(row: readonly SqlValue[]): Buffer {
  const bitmap = Buffer.alloc(Math.ceil(row.length / 8));
  row.forEach((value, index) => {
    if (value === null) bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7));
  });
  return bitmap;
}
