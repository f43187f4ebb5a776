const PREDEFINED = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));
const REFERENCE = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|([a-z]+));/g;
const REFERENCE_HERE = /&(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);/y;

/** Replaces the five named entities and character references. A reference to no valid character becomes U+FFFD. */
export function decodeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (_, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return PREDEFINED.get(name) ?? '\uFFFD';
    const code = hex !== undefined ? parseInt(hex, 16) : parseInt(decimal ?? '', 10);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
      ? String.fromCodePoint(code)
      : '\uFFFD';
  });
}

/** Length of the reference that begins here; 0 if none does, -1 if the text ends too early to tell. */
export function measureReference(text: string, at: number): number {
  REFERENCE_HERE.lastIndex = at;
  const found = REFERENCE_HERE.exec(text);
  if (found !== null) return found[0].length;
  const isLast = at + 16 > text.length;
  return isLast && /^&[#a-zA-Z0-9]*$/.test(text.slice(at)) ? -1 : 0;
}
