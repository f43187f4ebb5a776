/** Names that stand twice in one object of a JSON text: JSON.parse keeps the last one and says nothing. */

/** The repeated names in the order of the text, as they are read; `json` must be a text that JSON.parse takes. Takes time in proportion to its length. */
export function findRepeatedKeys(json: string): readonly string[] {
  const repeated: string[] = [];
  /** Names of each open object so far; null: a list. */
  const open: (Set<string> | null)[] = [];
  let mayBeName = false;
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;
  for (const [token] of json.matchAll(tokens)) {
    const names = open[open.length - 1] ?? null;
    if (token.startsWith('"')) {
      if (mayBeName && names !== null) {
        const name = JSON.parse(token) as string;
        if (names.has(name)) repeated.push(name);
        names.add(name);
      }
      mayBeName = false;
    } else if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : null);
      mayBeName = true;
    } else if (token === '}' || token === ']') {
      open.pop();
      mayBeName = false;
    } else mayBeName = token === ',';
  }
  return repeated;
}
