import type { EventRow } from './event';

/** Where a row was read. */
export interface RowSource {
  readonly fileName: string | null;
  readonly fileOffset: string | null;
}

/**
 * Gives each buffer of a file a number. Without an activity id, only the buffer tells two events of the same content
 * apart.
 */
export class SourceTable {
  private readonly numbers = new Map<string, number>();
  private readonly sources = new Map<number, RowSource>();
  private lastFileName: string | null = null;
  private lastFileOffset: string | null = null;
  private last = -1;
  private given = 0;

  /** The number of the row's buffer. */
  numberOf({ fileName, fileOffset }: Pick<EventRow, 'fileName' | 'fileOffset'>): number {
    if (this.last >= 0 && fileOffset === this.lastFileOffset && fileName === this.lastFileName)
      return this.last;
    const name = JSON.stringify([fileName ?? '', fileOffset ?? '']);
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.given++;
      this.numbers.set(name, number);
      this.sources.set(number, { fileName, fileOffset });
    }
    this.lastFileName = fileName;
    this.lastFileOffset = fileOffset;
    return (this.last = number);
  }

  sourceOf(number: number): RowSource {
    return this.sources.get(number) ?? { fileName: null, fileOffset: null };
  }

  /** Forgets all buffers but these. */
  keepOnly(numbers: ReadonlySet<number>): void {
    this.last = -1;
    for (const [name, number] of this.numbers) {
      if (numbers.has(number)) continue;
      this.numbers.delete(name);
      this.sources.delete(number);
    }
  }
}
