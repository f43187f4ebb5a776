/**
 * A walk over the tags of one small XML text, as event rows hold it. It never builds a tree and never guesses: text that is not well
 * formed is refused, so that a half-written row or markup-like text inside CDATA can not be taken for something else.
 * Two deliberate differences from an XML library: characters that XML 1.0 forbids are let through where no one reads them (they occur in
 * names and can not change the structure), and declarations, processing instructions and document types are refused (event rows have none:
 * docs/facts.md, SQL Server 3).
 */
export interface XmlVisitor {
  /** An element opens; the root has depth 1. `attributes` is valid only during the call. */
  open(depth: number, name: string, attributes: XmlAttributes): void;
  /** Characters of the element at `depth`, `text.slice(from, to)`; entities are still to be decoded unless they stand in CDATA. */
  characters(depth: number, from: number, to: number, isCdata: boolean): void;
  close(depth: number): void;
}

/** Why a text is not well formed, and at which character. `isTruncated`: it ends where more had to come. */
export interface XmlProblem {
  readonly isTruncated: boolean;
  readonly at: number;
  readonly message: string;
}

/** The attributes of one start tag. */
export class XmlAttributes {
  private readonly items: string[] = [];

  clear(): void {
    this.items.length = 0;
  }

  /** False where the name stands there already. */
  add(name: string, rawValue: string): boolean {
    for (let i = 0; i < this.items.length; i += 2) if (this.items[i] === name) return false;
    this.items.push(name, rawValue);
    return true;
  }

  /** The decoded value, or null where there is no such attribute. */
  get(name: string): string | null {
    for (let i = 0; i < this.items.length; i += 2) {
      if (this.items[i] === name) return decodeXml((this.items[i + 1] ?? '').replace(/[\t\r\n]/g, ' '));
    }
    return null;
  }
}

const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const REFERENCE = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|([a-z]+));/g;

/** Replaces the five named entities and character references; what is no character becomes U+FFFD. */
export function decodeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (_, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return PREDEFINED[name] ?? '\uFFFD';
    const code = hex !== undefined ? parseInt(hex, 16) : parseInt(decimal ?? '', 10);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\uFFFD';
  });
}

/** Walks the whole text; null where it is one well-formed element, else the first problem. The visitor may have been called before it. */
export function walkXml(text: string, visitor: XmlVisitor): XmlProblem | null {
  return new XmlWalk(text, visitor).walk();
}

const enum Code {
  Tab = 9,
  LineFeed = 10,
  Return = 13,
  Space = 32,
  Exclamation = 33,
  DoubleQuote = 34,
  Ampersand = 38,
  Quote = 39,
  Slash = 47,
  Less = 60,
  Equal = 61,
  Greater = 62,
  Question = 63,
  CloseBracket = 93,
}

const NAME_START = 1;
const NAME_REST = 2;
/** Which ASCII characters may start or continue a name; everything beyond ASCII may. */
const NAME_CLASS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z_:]/.test(character)) return NAME_START | NAME_REST;
  return /[0-9.-]/.test(character) ? NAME_REST : 0;
});

class XmlWalk {
  private at = 0;
  private depth = 0;
  private isRootClosed = false;
  private readonly names: string[] = [];
  private readonly attributes = new XmlAttributes();
  private problem: XmlProblem | null = null;

  constructor(
    private readonly text: string,
    private readonly visitor: XmlVisitor,
  ) {}

  walk(): XmlProblem | null {
    while (this.at < this.text.length && this.problem === null) {
      if (this.text.charCodeAt(this.at) === Code.Less) this.readMarkup();
      else this.readCharacters();
    }
    if (this.problem === null && !this.isRootClosed)
      this.truncated(this.depth === 0 ? 'there is no element' : `<${this.openName()}> is not closed`);
    return this.problem;
  }

  private readMarkup(): void {
    const next = this.text.charCodeAt(this.at + 1);
    if (next === Code.Slash) this.readEndTag();
    else if (next === Code.Exclamation) this.readDeclaration();
    else if (next === Code.Question) this.refuse('a processing instruction does not belong here');
    else this.readStartTag();
  }

  /** Text up to the next tag. Outside the root only white space may stand. */
  private readCharacters(): void {
    const from = this.at;
    const { text } = this;
    let brackets = 0;
    while (this.at < text.length && this.problem === null) {
      const code = text.charCodeAt(this.at);
      if (code === Code.Less) break;
      if (this.depth === 0 && !isSpace(code)) return this.refuse('text stands outside the element');
      if (code === Code.Greater && brackets >= 2) return this.refuse('"]]>" stands in text');
      brackets = code === Code.CloseBracket ? brackets + 1 : 0;
      if (code === Code.Ampersand) this.skipReference();
      else this.at++;
    }
    if (this.depth > 0 && this.problem === null) this.visitor.characters(this.depth, from, this.at, false);
  }

  private readStartTag(): void {
    if (this.isRootClosed) return this.refuse('a second element follows the first');
    this.at++;
    const name = this.readName();
    this.attributes.clear();
    let isSpaced = this.skipSpace();
    while (this.problem === null) {
      const code = this.text.charCodeAt(this.at);
      if (code === Code.Greater || code === Code.Slash) break;
      if (!isSpaced) return this.refuseHere(`<${name}> goes on without a blank`);
      this.readAttribute();
      isSpaced = this.skipSpace();
    }
    if (this.problem !== null) return;
    const isEmpty = this.text.charCodeAt(this.at) === Code.Slash;
    if (isEmpty) this.at++;
    if (this.text.charCodeAt(this.at) !== Code.Greater) return this.refuseHere(`<${name}> does not end`);
    this.at++;
    this.open(name);
    if (isEmpty) this.close();
  }

  private readEndTag(): void {
    const start = this.at;
    this.at += 2;
    const name = this.readName();
    this.skipSpace();
    if (this.problem !== null) return;
    if (this.text.charCodeAt(this.at) !== Code.Greater) return this.refuseHere(`</${name} does not end`);
    if (this.depth === 0 || name !== this.openName()) {
      this.at = start;
      return this.refuse(this.depth === 0 ? `</${name}> closes nothing` : `</${name}> closes <${this.openName()}>`);
    }
    this.at++;
    this.close();
  }

  /** CDATA and comments. */
  private readDeclaration(): void {
    const { text } = this;
    if (text.startsWith('<![CDATA[', this.at)) {
      if (this.depth === 0) return this.refuse('CDATA stands outside the element');
      const end = text.indexOf(']]>', this.at + 9);
      if (end < 0) return this.truncated('CDATA is not closed');
      this.visitor.characters(this.depth, this.at + 9, end, true);
      this.at = end + 3;
    } else if (text.startsWith('<!--', this.at)) {
      const end = text.indexOf('--', this.at + 4);
      if (end < 0 || end + 2 >= text.length) return this.truncated('a comment is not closed');
      if (text.charCodeAt(end + 2) !== Code.Greater) return this.refuse('a comment contains "--"');
      this.at = end + 3;
    } else if ('<![CDATA['.startsWith(text.slice(this.at)) || '<!--'.startsWith(text.slice(this.at))) {
      this.truncated('a tag is not closed');
    } else this.refuse('a declaration does not belong here');
  }

  private readAttribute(): void {
    const { text } = this;
    const name = this.readName();
    this.skipSpace();
    if (this.problem === null && text.charCodeAt(this.at) !== Code.Equal) return this.refuseHere(`attribute ${name} has no value`);
    this.at++;
    this.skipSpace();
    if (this.problem !== null) return;
    const quote = text.charCodeAt(this.at);
    if (quote !== Code.DoubleQuote && quote !== Code.Quote) return this.refuseHere(`the value of attribute ${name} is not quoted`);
    const from = ++this.at;
    while (this.at < text.length && this.problem === null) {
      const code = text.charCodeAt(this.at);
      if (code === quote) break;
      if (code === Code.Less) return this.refuse(`"<" stands in attribute ${name}`);
      if (code === Code.Ampersand) this.skipReference();
      else this.at++;
    }
    if (this.problem !== null) return;
    if (this.at >= text.length) return this.truncated(`attribute ${name} is not closed`);
    if (!this.attributes.add(name, text.slice(from, this.at))) return this.refuse(`attribute ${name} stands twice`);
    this.at++;
  }

  private readName(): string {
    const from = this.at;
    const { text } = this;
    while (this.at < text.length) {
      const code = text.charCodeAt(this.at);
      if (code < 128 && !((NAME_CLASS[code] ?? 0) & (this.at === from ? NAME_START : NAME_REST))) break;
      this.at++;
    }
    if (this.at === from) this.refuseHere('a name is missing');
    return text.slice(from, this.at);
  }

  /** `&name;` of the five, `&#n;` or `&#xh;`. */
  private skipReference(): void {
    REFERENCE_HERE.lastIndex = this.at;
    const found = REFERENCE_HERE.exec(this.text);
    if (found !== null) this.at += found[0].length;
    else if (/^&[#a-zA-Z0-9]*$/.test(this.text.slice(this.at, this.at + 16)) && this.at + 16 > this.text.length)
      this.truncated('an entity is not closed');
    else this.refuse('"&" begins no known entity');
  }

  private skipSpace(): boolean {
    const from = this.at;
    while (isSpace(this.text.charCodeAt(this.at))) this.at++;
    return this.at > from;
  }

  private open(name: string): void {
    this.names.push(name);
    this.depth++;
    this.visitor.open(this.depth, name, this.attributes);
  }

  private close(): void {
    this.visitor.close(this.depth);
    this.names.pop();
    this.depth--;
    if (this.depth === 0) this.isRootClosed = true;
  }

  private openName(): string {
    return this.names[this.depth - 1] ?? '';
  }

  private refuse(message: string): void {
    this.problem ??= { isTruncated: false, at: this.at, message };
  }

  /** At the text's end the same fault is a truncation. */
  private refuseHere(message: string): void {
    if (this.at >= this.text.length) this.truncated('the text ends within a tag');
    else this.refuse(message);
  }

  private truncated(message: string): void {
    this.problem ??= { isTruncated: true, at: this.text.length, message };
  }
}

const REFERENCE_HERE = /&(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);/y;

function isSpace(code: number): boolean {
  return code === Code.Space || code === Code.LineFeed || code === Code.Return || code === Code.Tab;
}
