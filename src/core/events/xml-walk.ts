/**
 * A walk over the tags of one small XML text, such as an event row. It never builds a tree and never guesses. Text that
 * is not well formed is refused, so that a half-written row, or text in CDATA that looks like markup, is not taken for
 * something else. It differs from an XML library in two things on purpose. Characters that XML 1.0 forbids are let
 * through if no one reads them: they occur in names and cannot change the structure. Declarations, processing
 * instructions and document types are refused: event rows have none (docs/facts.md, SQL Server 3). It runs once for
 * every event, so it works with positions and makes a string only if one is asked for. The text is first copied into
 * bytes, one for each character, because a byte is looked at in a tenth of the time. All characters beyond ASCII become
 * the same byte: none of them is structure.
 */
import { BEYOND_ASCII, isBlank, NAME_REST, skipBlanks, skipName, XmlBytes } from './xml-bytes';
import { measureReference } from './xml-reference';
import { XmlTag } from './xml-tag';

export interface XmlVisitor {
  /** An element opens; the root has depth 1. `tag` is valid only during the call. */
  open(depth: number, tag: XmlTag): void;
  /**
   * Characters of the element at `depth`: `text.slice(from, to)`. Entities still have to be decoded, except in CDATA.
   */
  characters(depth: number, from: number, to: number, isCdata: boolean): void;
  close(depth: number): void;
}

/** Why a text is not well formed, and at which character. `isTruncated`: it ends too early. */
interface XmlProblem {
  readonly isTruncated: boolean;
  readonly at: number;
  readonly message: string;
}

/**
 * Walks the whole text. null if it is one well-formed element, else the first problem; the visitor may have been called
 * before that.
 */
export function walkXml(text: string, visitor: XmlVisitor): XmlProblem | null {
  return walk.run(text, visitor);
}

const LESS = 60;
const GREATER = 62;
const SLASH = 47;
const EQUAL = 61;
const QUOTE = 39;
const DOUBLE_QUOTE = 34;
const AMPERSAND = 38;
const EXCLAMATION = 33;
const QUESTION = 63;
const CLOSE_BRACKET = 93;

const IDLE: XmlVisitor = { open: () => undefined, characters: () => undefined, close: () => undefined };

class XmlWalk {
  private text = '';
  private readonly buffer = new XmlBytes();
  /** One byte a character, and a 0 after the last one. */
  private bytes = this.buffer.short;
  private visitor: XmlVisitor = IDLE;
  private at = 0;
  private depth = 0;
  private isRootClosed = false;
  /** There is no entity and no "]]>", so text and values need no look at each character. */
  private isSimple = true;
  private problem: XmlProblem | null = null;
  /** Where the names of the open elements begin and end. Entries beyond twice the depth are left over. */
  private readonly names: number[] = [];
  private readonly tag = new XmlTag();

  run(text: string, visitor: XmlVisitor): XmlProblem | null {
    this.text = this.tag.text = text;
    this.bytes = this.tag.bytes = this.buffer.copy(text);
    this.visitor = visitor;
    this.at = this.depth = 0;
    this.isRootClosed = false;
    this.isSimple = !text.includes('&') && !text.includes(']]>');
    this.problem = null;
    while (this.at < text.length && this.problem === null) {
      if (this.bytes[this.at] === LESS) this.readMarkup();
      else this.readCharacters();
    }
    if (this.problem === null && !this.isRootClosed) {
      this.truncated(this.depth === 0 ? 'there is no element' : `<${this.openName()}> is not closed`);
    }
    // Nothing of a row is kept after its walk.
    this.text = this.tag.text = '';
    this.bytes = this.tag.bytes = this.buffer.short;
    this.visitor = IDLE;
    return this.problem;
  }

  private readMarkup(): void {
    const next = this.bytes[this.at + 1];
    if (next === SLASH) this.readEndTag();
    else if (next === EXCLAMATION) this.readDeclaration();
    else if (next === QUESTION) this.refuse('a processing instruction does not belong here');
    else this.readStartTag();
  }

  /** Reads text up to the next tag. Outside the root only white space may stand. */
  private readCharacters(): void {
    const { text, bytes, depth } = this;
    const from = this.at;
    if (this.isSimple && depth > 0) {
      this.at = this.findByte(LESS, from);
      return this.visitor.characters(depth, from, this.at, false);
    }
    let at = from;
    let brackets = 0;
    while (at < text.length) {
      const code = bytes[at] as number;
      if (code === LESS) break;
      if (depth === 0 && !isBlank(code)) return this.refuseAt(at, 'text stands outside the element');
      if (code === GREATER && brackets >= 2) return this.refuseAt(at, '"]]>" stands in text');
      brackets = code === CLOSE_BRACKET ? brackets + 1 : 0;
      const length = code === AMPERSAND ? this.measureReferenceAt(at) : 1;
      if (length === 0) return;
      at += length;
    }
    this.at = at;
    if (depth > 0) this.visitor.characters(depth, from, at, false);
  }

  private readStartTag(): void {
    if (this.isRootClosed) return this.refuse('a second element follows the first');
    const { bytes, tag } = this;
    const nameFrom = this.at + 1;
    const nameTo = skipName(bytes, nameFrom);
    if (nameTo === nameFrom) return this.refuseAt(nameTo, 'a name is missing');
    tag.reset(nameFrom, nameTo);
    this.at = nameTo;
    this.readAttributes();
    if (this.problem !== null) return;
    const isEmpty = this.codeHere() === SLASH;
    if (isEmpty) this.at++;
    if (this.codeHere() !== GREATER) return this.refuseAt(this.at, 'a start tag does not end');
    this.at++;
    this.names[this.depth * 2] = nameFrom;
    this.names[this.depth * 2 + 1] = nameTo;
    this.depth++;
    this.visitor.open(this.depth, tag);
    if (isEmpty) this.close();
  }

  /** Reads attributes, each after a blank, up to the end of the tag. */
  private readAttributes(): void {
    if (this.codeHere() === GREATER) return;
    const tagEnd = this.findByte(LESS, this.at);
    while (this.problem === null) {
      const behindBlanks = skipBlanks(this.bytes, this.at);
      const isSpaced = behindBlanks > this.at;
      this.at = behindBlanks;
      const code = this.codeHere();
      if (code === GREATER || code === SLASH || !isSpaced) return;
      this.readAttribute(tagEnd);
    }
  }

  /** @param tagEnd position of the next "<", which no value may reach */
  private readAttribute(tagEnd: number): void {
    const { text, bytes } = this;
    const nameFrom = this.at;
    const nameTo = skipName(bytes, nameFrom);
    if (nameTo === nameFrom) return this.refuseAt(nameTo, 'an attribute has no name');
    this.at = skipBlanks(bytes, nameTo);
    if (this.codeHere() !== EQUAL) return this.refuseAt(this.at, 'an attribute has no value');
    this.at = skipBlanks(bytes, this.at + 1);
    const quote = this.codeHere();
    if (quote !== DOUBLE_QUOTE && quote !== QUOTE)
      return this.refuseAt(this.at, 'the value of an attribute is not quoted');
    const from = this.at + 1;
    const found = this.findByte(quote, from, tagEnd);
    const to = found < tagEnd ? found : text.indexOf(quote === QUOTE ? "'" : '"', from);
    if (!this.isSimple && !this.checkReferences(from, to < 0 ? tagEnd : Math.min(to, tagEnd))) return;
    if (to < 0 && tagEnd === text.length) return this.truncated('an attribute is not closed');
    if (to < 0 || to > tagEnd) return this.refuseAt(tagEnd, '"<" stands in an attribute');
    if (!this.tag.add(nameFrom, nameTo, from, to)) {
      return this.refuseAt(nameFrom, `attribute ${text.slice(nameFrom, nameTo)} stands twice`);
    }
    this.at = to + 1;
  }

  /** If a "&" between the positions begins no entity, notes the problem and gives false. */
  private checkReferences(from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      if (this.bytes[at] === AMPERSAND && this.measureReferenceAt(at) === 0) return false;
    }
    return true;
  }

  /** The character to read next; 0 at the end. */
  private codeHere(): number {
    return this.bytes[this.at] as number;
  }

  /** The position of the next such byte, or `end` if there is none before it. */
  private findByte(code: number, from: number, end = this.text.length): number {
    const { bytes } = this;
    let at = from;
    while (at < end && bytes[at] !== code) at++;
    return at < end ? at : end;
  }

  private readEndTag(): void {
    const { text, bytes, names, depth } = this;
    const from = this.at + 2;
    const openFrom = names[depth * 2 - 2] ?? 0;
    const length = depth === 0 ? 0 : (names[depth * 2 - 1] ?? 0) - openFrom;
    const isSame = length > 0 && this.isSameText(from, openFrom, length);
    const to = isSame ? skipName(bytes, from + length, NAME_REST) : skipName(bytes, from);
    if (to === from) return this.refuseAt(to, 'a name is missing');
    this.at = skipBlanks(bytes, to);
    if (this.codeHere() !== GREATER) return this.refuseAt(this.at, 'an end tag does not end');
    if (!isSame || to !== from + length) {
      const closed = depth === 0 ? 'nothing' : `<${this.openName()}>`;
      return this.refuse(`</${text.slice(from, to)}> closes ${closed}`);
    }
    this.at++;
    this.close();
  }

  /** Reads CDATA and comments. */
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
      if (text.charCodeAt(end + 2) !== GREATER) return this.refuse('a comment contains "--"');
      this.at = end + 3;
    } else if (
      '<![CDATA['.startsWith(text.slice(this.at, this.at + 9)) ||
      '<!--'.startsWith(text.slice(this.at, this.at + 4))
    ) {
      this.truncated('a tag is not closed');
    } else this.refuse('a declaration does not belong here');
  }

  private close(): void {
    this.visitor.close(this.depth);
    this.depth--;
    if (this.depth === 0) this.isRootClosed = true;
  }

  /** Outside ASCII, equal bytes may be different characters, so the text is compared too. */
  private isSameText(from: number, otherFrom: number, length: number): boolean {
    const { text, bytes } = this;
    for (let i = 0; i < length; i++) {
      const code = bytes[from + i];
      if (code !== bytes[otherFrom + i]) return false;
      if (code === BEYOND_ASCII && text.charCodeAt(from + i) !== text.charCodeAt(otherFrom + i)) return false;
    }
    return true;
  }

  private openName(): string {
    return this.text.slice(this.names[this.depth * 2 - 2], this.names[this.depth * 2 - 1]);
  }

  /** Length of the reference. If there is none, notes the problem and gives 0. */
  private measureReferenceAt(at: number): number {
    const length = measureReference(this.text, at);
    if (length > 0) return length;
    if (length < 0) this.truncated('an entity is not closed');
    else this.refuseAt(at, '"&" begins no known entity');
    return 0;
  }

  private refuse(message: string): void {
    this.problem ??= { isTruncated: false, at: this.at, message };
  }

  /** Notes a problem; at the end of the text it is a truncation. */
  private refuseAt(at: number, message: string): void {
    if (at >= this.text.length) this.truncated('the text ends within a tag');
    else this.problem ??= { isTruncated: false, at, message };
  }

  private truncated(message: string): void {
    this.problem ??= { isTruncated: true, at: this.text.length, message };
  }
}

/** One sentence in English. */
export function describeXmlProblem({ at, message }: XmlProblem): string {
  return `Character ${at + 1}: ${message}.`;
}

/** Used for all texts, one after the other. Making its lists again took a third of the time. */
const walk = new XmlWalk();
