/** The text of what stands for a string in a script: literals, and the bytes of what is no printable ASCII, joined. */
export function readLiteral(quoted: string): string {
  const parts = quoted.matchAll(/N'((?:[^']|'')*)'|CONVERT\(nvarchar\(\d+\), 0x([\dA-F]+)\)/g);
  return [...parts]
    .map(([, literal, bytes]) => literal?.replace(/''/g, "'") ?? Buffer.from(bytes ?? '', 'hex').toString('utf16le'))
    .join('');
}

const literal = String.raw`(?:N'(?:[^']|'')*'|CONVERT\([^)]*\), 0x[\dA-F]+\))`;
const rows = new RegExp(String.raw`^INSERT @chosen \([^)]*\) VALUES \((${literal}(?: \+ ${literal})*)[,)]`, 'gm');

/** Names of the databases in the list of a script, in its order. */
export function listChosenNames(script: string): readonly string[] {
  return [...script.matchAll(rows)].map(([, name = '']) => readLiteral(name));
}
