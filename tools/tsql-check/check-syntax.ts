import { runTsqlCheck } from './run';

/** A grammar of Microsoft's parser: 110 is SQL Server 2012, 150 is SQL Server 2019. */
export type GrammarLevel = 110 | 120 | 130 | 140 | 150;

/** A T-SQL text and the name to report it by. May hold several batches separated by GO. */
export interface NamedText {
  readonly name: string;
  readonly sql: string;
}

/** One thing that Microsoft's parser objects to. Line and column count from 1. */
interface TsqlSyntaxError {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly number: number;
  readonly message: string;
}

/**
 * Parses texts with Microsoft's own parser and gives every error. It knows the grammar only: not whether a name exists, nor the range of an option.
 * @throws Refusal where the parser cannot be installed (see installTsqlCheck).
 */
export async function checkSyntax(texts: readonly NamedText[], level: GrammarLevel): Promise<TsqlSyntaxError[]> {
  const lines = await runTsqlCheck(String(level), texts);
  return lines.map(([name = '', line, column, number, ...message]) => {
    return { name, line: Number(line), column: Number(column), number: Number(number), message: message.join(' ') };
  });
}
