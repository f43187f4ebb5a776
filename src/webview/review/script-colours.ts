/** T-SQL in the colours of the editor, as far as a reader of a preview needs them: comments, texts and words of the language. */
export interface ScriptPiece {
  readonly kind: 'plain' | 'comment' | 'string' | 'keyword';
  readonly text: string;
}

const KEYWORDS =
  'ALTER|AND|AS|BEGIN|BY|CASE|CATCH|CLOSE|CURSOR|DATABASE|DECLARE|DEFAULT|ELSE|END|EXEC|EXECUTE|EXISTS|FETCH|FROM|GO|IF|IN|INSERT|INTO|IS|JOIN|LOCAL|NEXT|NOT|NOWAIT|NULL|OFF|ON|OPEN|OR|ORDER|PRIMARY|KEY|PRINT|RAISERROR|RETURN|SELECT|SET|TABLE|THEN|TOP|TRY|UPDATE|VALUES|WAITFOR|WHEN|WHERE|WHILE|WITH';
const TOKEN = new RegExp(String.raw`(/\*)|(--.*$)|(N?'(?:[^']|'')*'?)|\b(${KEYWORDS})\b`, 'i');

/** Each line in pieces whose texts are together the line. A comment may go over many lines. */
export function colourScript(lines: readonly string[]): readonly (readonly ScriptPiece[])[] {
  let isComment = false;
  return lines.map((line) => {
    const pieces: ScriptPiece[] = [];
    let rest = line;
    while (rest !== '') {
      const match = isComment ? null : TOKEN.exec(rest);
      if (!isComment && match === null) {
        pieces.push({ kind: 'plain', text: rest });
        break;
      }
      const before = match?.index ?? 0;
      if (before > 0) pieces.push({ kind: 'plain', text: rest.slice(0, before) });
      const opens = match?.[1] !== undefined;
      if (isComment || opens) {
        const end = rest.indexOf('*/', before + (opens ? 2 : 0));
        isComment = end < 0;
        const to = end < 0 ? rest.length : end + 2;
        pieces.push({ kind: 'comment', text: rest.slice(before, to) });
        rest = rest.slice(to);
      } else {
        const text = match?.[0] ?? '';
        pieces.push({ kind: match?.[2] !== undefined ? 'comment' : match?.[3] !== undefined ? 'string' : 'keyword', text });
        rest = rest.slice(before + text.length);
      }
    }
    return pieces;
  });
}
