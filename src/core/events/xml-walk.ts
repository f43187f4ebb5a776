/**
 * A walk over the tags of one small XML text, such as an event row. It never builds a tree and never guesses. Text that
 * is not well formed is refused, so that a half-written row, or text in CDATA that looks like markup, is not taken for
 * something else. It differs from an XML library in two things on purpose. Characters that XML 1.0 forbids are let
 * through if no one reads them: they occur in names and cannot change the structure. Declarations, processing
 * instructions and document types are refused: event rows have none (docs/facts.md, SQL Server 3).
 */
export interface XmlVisitor {
  /** An element opens; the root has depth 1. `tag` is valid only during the call. */
  open(depth: number, tag: XmlTag): void;
  /** Characters of the element at `depth`: `text.slice(from, to)`. Entities are still encoded, except in CDATA. */
  characters(depth: number, from: number, to: number, isCdata: boolean): void;
  close(depth: number): void;
}

/** Why a text is not well formed, and at which character. `isTruncated`: it ends too early. */
interface XmlProblem {
  readonly isTruncated: boolean;
  readonly at: number;
  readonly message: string;
}

/** Everything beyond ASCII may stand in a name. */
const NAME = /[A-Za-z_:\x80-\uffff][\w:.\-\x80-\uffff]*/y;
const NOT_BLANK = /[^ \t\r\n]/;
/** What may not stand in the value of an attribute, and in text. */
const NO_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);)/;
const NO_TEXT = new RegExp(`${NO_REFERENCE.source}|]]>`);

/**
 * Walks the whole text. null if it is one well-formed element, else the first problem; the visitor may have been called
 * before that.
 */
export function walkXml(text: string, visitor: XmlVisitor): XmlProblem | null {
  return new XmlWalk(text, visitor).run();
}

/** One sentence in English. */
export function describeXmlProblem({ at, message }: XmlProblem): string {
  return `Character ${at + 1}: ${message}.`;
}

/** One start tag. */
export class XmlTag {
  name = '';
  /** Position of its "<". */
  at = 0;
  /** Where the value of each attribute begins, after its quote. */
  readonly values = new Map<string, number>();

  constructor(private readonly text: string) {}

  /** The decoded value of an attribute; null if there is none. */
  attribute(name: string): string | null {
    const span = this.spanOf(name);
    return span && decodeXml(this.text.slice(span.from, span.to).replace(/[\t\r\n]/g, ' '));
  }

  /** Where the value of an attribute begins and ends in the text, undecoded; null if there is none. */
  spanOf(name: string): { readonly from: number; readonly to: number } | null {
    const from = this.values.get(name);
    if (from === undefined) return null;
    return { from, to: this.text.indexOf(this.text.charAt(from - 1), from) };
  }
}

class XmlWalk {
  private at = 0;
  private isRootClosed = false;
  private readonly tag: XmlTag;
  /** The names of the open elements. */
  private readonly names: string[] = [];
  /** There is no entity and no "]]>", so text and values need no look at each character. */
  private readonly isSimple: boolean;
  private problem: XmlProblem | null = null;

  constructor(
    private readonly text: string,
    private readonly visitor: XmlVisitor,
  ) {
    this.tag = new XmlTag(text);
    this.isSimple = !text.includes('&') && !text.includes(']]>');
  }

  run(): XmlProblem | null {
    const { text, names } = this;
    while (this.at < text.length && this.problem === null) {
      if (text[this.at] === '<') this.readMarkup();
      else this.readCharacters();
    }
    if (!this.isRootClosed)
      this.truncated(names.length === 0 ? 'there is no element' : `${this.openTag()} is not closed`);
    return this.problem;
  }

  private readMarkup(): void {
    const next = this.text[this.at + 1];
    if (next === '/') this.readEndTag();
    else if (next === '!') this.readDeclaration();
    else if (next === '?') this.refuse(this.at, 'a processing instruction does not belong here');
    else this.readStartTag();
  }

  /** Reads text up to the next tag. Outside the root only white space may stand. */
  private readCharacters(): void {
    const { at: from, names } = this;
    const to = this.findTag();
    if (names.length === 0) {
      const outside = this.text.slice(from, to).search(NOT_BLANK);
      if (outside >= 0) return this.refuse(from + outside, 'text stands outside the element');
    } else if (!this.isPlain(from, to, NO_TEXT)) return;
    else this.visitor.characters(names.length, from, to, false);
    this.at = to;
  }

  private readStartTag(): void {
    if (this.isRootClosed) return this.refuse(this.at, 'a second element follows the first');
    const { tag } = this;
    tag.at = this.at++;
    tag.name = this.takeName();
    if (tag.name === '') return this.refuse(this.at, 'a name is missing');
    tag.values.clear();
    this.readAttributes();
    if (this.problem !== null) return;
    const isEmpty = this.text[this.at] === '/';
    if (isEmpty) this.at++;
    if (this.text[this.at] !== '>') return this.refuse(this.at, 'a start tag does not end');
    this.at++;
    this.names.push(tag.name);
    this.visitor.open(this.names.length, tag);
    if (isEmpty) this.close();
  }

  /** Reads attributes, each after a blank, up to the end of the tag. */
  private readAttributes(): void {
    if (this.text[this.at] === '>') return;
    const tagEnd = this.findTag();
    while (this.problem === null) {
      const from = this.at;
      this.skipBlanks();
      const next = this.text[this.at];
      if (next === '>' || next === '/' || this.at === from) return;
      this.readAttribute(tagEnd);
    }
  }

  /** @param tagEnd position of the next "<", which no value may reach */
  private readAttribute(tagEnd: number): void {
    const { text, at } = this;
    const name = this.takeName();
    if (name === '') return this.refuse(at, 'an attribute has no name');
    this.skipBlanks();
    if (text[this.at] !== '=') return this.refuse(this.at, 'an attribute has no value');
    this.at++;
    this.skipBlanks();
    const quote = text.charAt(this.at);
    if (quote !== '"' && quote !== "'")
      return this.refuse(this.at, 'the value of an attribute is not quoted');
    const from = this.at + 1;
    const to = text.indexOf(quote, from);
    if (!this.isPlain(from, to < 0 ? tagEnd : Math.min(to, tagEnd), NO_REFERENCE)) return;
    if (to < 0 && tagEnd === text.length) return this.truncated('an attribute is not closed');
    if (to < 0 || to > tagEnd) return this.refuse(tagEnd, '"<" stands in an attribute');
    if (this.tag.values.has(name)) return this.refuse(at, `attribute ${name} stands twice`);
    this.tag.values.set(name, from);
    this.at = to + 1;
  }

  private readEndTag(): void {
    this.at += 2;
    const name = this.takeName();
    if (name === '') return this.refuse(this.at, 'a name is missing');
    this.skipBlanks();
    if (this.text[this.at] !== '>') return this.refuse(this.at, 'an end tag does not end');
    if (name !== this.names[this.names.length - 1])
      return this.refuse(
        this.at,
        `</${name}> closes ${this.names.length === 0 ? 'nothing' : this.openTag()}`,
      );
    this.at++;
    this.close();
  }

  /** Reads CDATA and comments. */
  private readDeclaration(): void {
    const { text, at, names } = this;
    if (text.startsWith('<![CDATA[', at)) {
      if (names.length === 0) return this.refuse(at, 'CDATA stands outside the element');
      const end = text.indexOf(']]>', at + 9);
      if (end < 0) return this.truncated('CDATA is not closed');
      this.visitor.characters(names.length, at + 9, end, true);
      this.at = end + 3;
    } else if (text.startsWith('<!--', at)) {
      const end = text.indexOf('--', at + 4);
      if (end < 0 || end + 2 >= text.length) return this.truncated('a comment is not closed');
      if (text[end + 2] !== '>') return this.refuse(at, 'a comment contains "--"');
      this.at = end + 3;
    } else if ('<![CDATA['.startsWith(text.slice(at, at + 9)) || '<!--'.startsWith(text.slice(at, at + 4))) {
      this.truncated('a tag is not closed');
    } else this.refuse(at, 'a declaration does not belong here');
  }

  private close(): void {
    this.visitor.close(this.names.length);
    this.names.pop();
    this.isRootClosed = this.names.length === 0;
  }

  /** The name that begins here, which is skipped; empty if none does. */
  private takeName(): string {
    const from = this.at;
    NAME.lastIndex = from;
    if (NAME.test(this.text)) this.at = NAME.lastIndex;
    return this.text.slice(from, this.at);
  }

  private skipBlanks(): void {
    while (isBlank(this.text.charCodeAt(this.at))) this.at++;
  }

  /** Where the next tag begins, or the end of the text. */
  private findTag(): number {
    const at = this.text.indexOf('<', this.at);
    return at < 0 ? this.text.length : at;
  }

  private openTag(): string {
    return `<${this.names[this.names.length - 1]}>`;
  }

  /** If something between the positions is refused, notes the problem and gives false. */
  private isPlain(from: number, to: number, refused: RegExp): boolean {
    if (this.isSimple) return true;
    const found = this.text.slice(from, to).search(refused);
    if (found < 0) return true;
    const at = from + found;
    if (this.text[at] !== '&') this.refuse(at + 2, '"]]>" stands in text');
    else if (at + 16 > this.text.length && /^&[#a-zA-Z0-9]*$/.test(this.text.slice(at)))
      this.truncated('an entity is not closed');
    else this.refuse(at, '"&" begins no known entity');
    return false;
  }

  /** Notes a problem; at the end of the text it is a truncation. */
  private refuse(at: number, message: string): void {
    if (at >= this.text.length) this.truncated('the text ends within a tag');
    else this.problem ??= { isTruncated: false, at, message };
  }

  private truncated(message: string): void {
    this.problem ??= { isTruncated: true, at: this.text.length, message };
  }
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

const PREDEFINED = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** Replaces the five named entities and character references. A reference to no valid character becomes U+FFFD. */
export function decodeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|([a-z]+));/g,
    (_, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return PREDEFINED.get(name) ?? '\uFFFD';
      const code = hex !== undefined ? parseInt(hex, 16) : parseInt(decimal ?? '', 10);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : '\uFFFD';
    },
  );
}
