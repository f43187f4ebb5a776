import { decodeXml } from './xml-reference';

/** Numbers kept for each attribute: where its name and its value begin and end. */
const WIDTH = 4;
/**
 * A tag with more attributes, which no event has, looks its names up: comparing each with all would take the square of
 * their number.
 */
const FEW = 16;
const LESS_THAN_BLANK = 32;
const AMPERSAND = 38;

/** One start tag, as positions in its text. A string is made only of what is asked for. */
export class XmlTag {
  text = '';
  /** One byte a character of the text. */
  bytes = new Uint8Array(0);
  private nameFrom = 0;
  /** The position after the name. */
  nameTo = 0;
  private count = 0;
  private readonly positions: number[] = [];
  /** The names, if there are more than a few. */
  private readonly names = new Set<string>();

  get name(): string {
    return this.text.slice(this.nameFrom, this.nameTo);
  }

  isNamed(name: string): boolean {
    return this.nameTo - this.nameFrom === name.length && this.isAt(name, this.nameFrom);
  }

  /** The decoded value of an attribute; null if there is none. */
  attribute(name: string): string | null {
    const i = this.find(name);
    if (i < 0) return null;
    const [from, to] = [this.positions[i + 2] as number, this.positions[i + 3] as number];
    const raw = this.text.slice(from, to);
    return this.isPlain(from, to) ? raw : decodeXml(raw.replace(/[\t\r\n]/g, ' '));
  }

  /** Where the value of an attribute begins and ends in the text, undecoded; null if there is none. */
  spanOf(name: string): readonly [number, number] | null {
    const i = this.find(name);
    return i < 0 ? null : [this.positions[i + 2] as number, this.positions[i + 3] as number];
  }

  /** Whether an attribute has this value, which is plain text. */
  isAttribute(name: string, value: string): boolean {
    const i = this.find(name);
    if (i < 0) return false;
    const from = this.positions[i + 2] ?? 0;
    const length = (this.positions[i + 3] ?? 0) - from;
    // An encoded value is longer than its text.
    return length === value.length
      ? this.isAt(value, from)
      : length > value.length && this.attribute(name) === value;
  }

  /** Starts over with the next tag. */
  reset(nameFrom: number, nameTo: number): void {
    this.nameFrom = nameFrom;
    this.nameTo = nameTo;
    this.count = 0;
  }

  /** False if the tag has the name already. */
  add(nameFrom: number, nameTo: number, valueFrom: number, valueTo: number): boolean {
    if (this.has(nameFrom, nameTo)) return false;
    const { positions } = this;
    const i = this.count++ * WIDTH;
    positions[i] = nameFrom;
    positions[i + 1] = nameTo;
    positions[i + 2] = valueFrom;
    positions[i + 3] = valueTo;
    return true;
  }

  private has(nameFrom: number, nameTo: number): boolean {
    const { positions, count } = this;
    if (count >= FEW) return this.hasAmongMany(this.text.slice(nameFrom, nameTo));
    for (let i = 0; i < count * WIDTH; i += WIDTH) {
      const other = positions[i] ?? 0;
      const length = (positions[i + 1] ?? 0) - other;
      if (length !== nameTo - nameFrom || this.bytes[other] !== this.bytes[nameFrom]) continue;
      if (this.text.startsWith(this.text.slice(other, other + length), nameFrom)) return true;
    }
    return false;
  }

  /** Remembers the name too. */
  private hasAmongMany(name: string): boolean {
    const { positions, names } = this;
    if (this.count === FEW) {
      names.clear();
      for (let i = 0; i < FEW * WIDTH; i += WIDTH) names.add(this.text.slice(positions[i], positions[i + 1]));
    }
    const isKnown = names.has(name);
    names.add(name);
    return isKnown;
  }

  private find(name: string): number {
    for (let i = 0; i < this.count * WIDTH; i += WIDTH) {
      const from = this.positions[i] ?? 0;
      if ((this.positions[i + 1] ?? 0) - from === name.length && this.isAt(name, from)) return i;
    }
    return -1;
  }

  /** Whether this ASCII text is at that position. */
  private isAt(name: string, from: number): boolean {
    for (let i = 0; i < name.length; i++) if (this.bytes[from + i] !== name.charCodeAt(i)) return false;
    return true;
  }

  /** No entity, and no white space but blanks. */
  private isPlain(from: number, to: number): boolean {
    const { bytes } = this;
    for (let i = from; i < to; i++)
      if (bytes[i] === AMPERSAND || (bytes[i] as number) < LESS_THAN_BLANK) return false;
    return true;
  }
}
