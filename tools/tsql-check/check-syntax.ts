import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLeashed } from '../processes/leashed';
import { installTsqlCheck } from './install';

/** A grammar of Microsoft's parser: 110 is SQL Server 2012, 150 is SQL Server 2019. */
export type GrammarLevel = 110 | 120 | 130 | 140 | 150;

/** A T-SQL text and the name to report it by. May hold several batches separated by GO. */
export interface NamedText {
  readonly name: string;
  readonly sql: string;
}

/** One thing that Microsoft's parser objects to. Line and column count from 1. */
export interface TsqlSyntaxError {
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
  const program = await installTsqlCheck();
  const folder = mkdtempSync(join(tmpdir(), 'cph-sql-'));
  try {
    const files = texts.map((_, index) => `${index}.sql`);
    texts.forEach(({ sql }, index) => writeFileSync(join(folder, `${index}.sql`), sql));
    const env = { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };
    const { exitCode, output } = await runLeashed(program, [String(level), ...files], { cwd: folder, env });
    if (exitCode !== 0) throw new Error(`the T-SQL parser ended with ${exitCode}: ${output}`);
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => readError(line, texts));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readError(line: string, texts: readonly NamedText[]): TsqlSyntaxError {
  const [file = '', atLine, atColumn, number, ...message] = line.split('\t');
  const name = texts[parseInt(file, 10)]?.name ?? file;
  return { name, line: Number(atLine), column: Number(atColumn), number: Number(number), message: message.join(' ') };
}
