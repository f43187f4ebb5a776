import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLeashed } from '../processes/leashed';
import { installTsqlCheck } from './install';

/** A grammar of Microsoft's parser: 110 is SQL Server 2012, 150 is SQL Server 2019. */
export type GrammarLevel = 110 | 150;

/** A T-SQL text and its name for reports. May hold several batches separated by GO. */
export interface NamedText {
  readonly name: string;
  readonly sql: string;
}

/** One error of Microsoft's parser. Line and column count from 1. */
interface TsqlSyntaxError {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly number: number;
  readonly message: string;
}

/**
 * Parses texts with Microsoft's own parser and gives every error. The parser knows only the grammar: not whether a name
 * exists, nor the range of an option.
 * @throws Refusal if the parser cannot be installed (see installTsqlCheck).
 */
export async function checkSyntax(
  texts: readonly NamedText[],
  level: GrammarLevel,
): Promise<TsqlSyntaxError[]> {
  const lines = await runTsqlCheck(String(level), texts);
  return lines.map(([name = '', line, column, number, ...message]) => {
    return {
      name,
      line: Number(line),
      column: Number(column),
      number: Number(number),
      message: message.join(' '),
    };
  });
}

/**
 * One name in a script. Its kind is 'object', 'column' ("sys.databases/name"; "a|b" if it may belong to either),
 * 'function', 'event', ... (see Names.cs).
 */
export interface ScriptName {
  /** The text that contains it. */
  readonly script: string;
  readonly kind: string;
  readonly name: string;
  readonly line: number;
  /**
   * In a string that the script executes. The server reads it only then, so the script may have checked the version
   * before.
   */
  readonly isExecuted: boolean;
}

/**
 * The names in T-SQL texts, by Microsoft's own parser: catalog objects and their columns, functions, events, actions,
 * targets, options. Names inside a string are found if the string is a statement by itself.
 * @throws Refusal if the parser cannot be installed (see installTsqlCheck); Error for a text that does not parse
 */
export async function listNames(texts: readonly NamedText[]): Promise<ScriptName[]> {
  const names = (await runTsqlCheck('names', texts)).map(
    ([script = '', kind = '', name = '', line = '', executed = '']) => ({
      script,
      kind,
      name,
      line: Number(line),
      isExecuted: executed === 'executed',
    }),
  );
  const wrong = names.find(({ kind }) => kind === 'error');
  if (wrong !== undefined) throw new Error(`${wrong.script}, line ${wrong.line}: ${wrong.name}`);
  return names;
}

/** One node of a text's syntax tree: its kind, and its value if it is a name, a number or a text. */
export interface ScriptNode {
  readonly kind: string;
  readonly value: string;
}

/**
 * What each of the T-SQL texts consists of, by Microsoft's own parser, in its order. Constants that are joined count as
 * one text, and a text that is a script of several statements is taken apart as well.
 * @throws Refusal if the parser cannot be installed (see installTsqlCheck); Error for a text that does not parse
 */
export async function listNodes(texts: readonly string[]): Promise<readonly (readonly ScriptNode[])[]> {
  const nodes: ScriptNode[][] = texts.map(() => []);
  const numbered = texts.map((sql, at) => ({ name: String(at), sql }));
  for (const [at = '', kind = '', value = ''] of await runTsqlCheck('shape', numbered)) {
    const read = String.fromCharCode(...(value.match(/.{4}/g) ?? []).map((unit) => parseInt(unit, 16)));
    if (kind === 'error') throw new Error(`text ${at} does not parse: ${read}`);
    nodes[Number(at)]?.push({ kind, value: read });
  }
  return nodes;
}

/**
 * Runs the checker over texts and gives its lines, split at tabs; the first cell is the text's name.
 * @param mode a grammar level, 'names' or 'shape'
 */
async function runTsqlCheck(
  mode: string,
  texts: readonly NamedText[],
): Promise<readonly (readonly string[])[]> {
  const program = await installTsqlCheck();
  const folder = mkdtempSync(join(tmpdir(), 'cph-sql-'));
  try {
    const files = texts.map((_, index) => `${index}.sql`);
    texts.forEach(({ sql }, index) => writeFileSync(join(folder, `${index}.sql`), sql));
    const env = { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };
    const { exitCode, output } = await runLeashed(program, [mode, ...files], { cwd: folder, env });
    if (exitCode !== 0) throw new Error(`the T-SQL parser ended with ${exitCode}: ${output}`);
    const lines = output.split('\n').filter((line) => line !== '');
    return lines.map((line) => {
      const [file = '', ...cells] = line.split('\t');
      return [texts[parseInt(file, 10)]?.name ?? file, ...cells];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
