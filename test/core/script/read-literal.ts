/** The text of what stands for a string in a script: literals, and the bytes of what is no printable ASCII, joined. */
export function readLiteral(quoted: string): string {
  const parts = quoted.matchAll(/N'((?:[^']|'')*)'|CONVERT\(nvarchar\(\d+\), 0x([\dA-F]+)\)/g);
  return [...parts]
    .map(
      ([, literal, bytes]) =>
        literal?.replace(/''/g, "'") ?? Buffer.from(bytes ?? '', 'hex').toString('utf16le'),
    )
    .join('');
}

const literal = String.raw`(?:N'(?:[^']|'')*'|CONVERT\([^)]*\), 0x[\dA-F]+\))`;
const listed = new RegExp(String.raw`^ {4}\( *\d+, (${literal}(?:\s+\+ ${literal})*),`, 'gm');

/**
 * Names of the databases in the list of a switch script, in its order; of one without a list, those that its statements
 * name.
 */
export function listSwitched(script: string): readonly string[] {
  if (script.includes('INSERT @list'))
    return [...script.matchAll(listed)].map(([, name = '']) => readLiteral(name));
  return [...script.matchAll(/^ {4}ALTER DATABASE \[((?:[^\]]|\]\])*)\] SET/gm)].map(([, name = '']) =>
    name.replaceAll(']]', ']'),
  );
}
