import { runTsqlCheck } from './run';
import type { NamedText } from './check-syntax';

/** One thing that a script names: of the kind 'object', 'column' ("sys.databases/name"; "a|b" where it may belong to either), 'function', 'event', ... (see Names.cs). */
export interface ScriptName {
  /** The text in which it stands. */
  readonly script: string;
  readonly kind: string;
  readonly name: string;
  readonly line: number;
  /** In a string that the script executes: the server looks at it only then, so the script may have asked for the version before. */
  readonly isExecuted: boolean;
}

/**
 * What T-SQL texts name, by Microsoft's own parser: catalog objects and their columns, functions, events, actions, targets, options.
 * Names inside of a string are seen where the string is a statement by itself.
 * @throws Refusal where the parser cannot be installed (see installTsqlCheck); Error for a text that does not parse
 */
export async function listNames(texts: readonly NamedText[]): Promise<ScriptName[]> {
  const names = (await runTsqlCheck('names', texts)).map(([script = '', kind = '', name = '', line = '', executed = '']) => ({
    script,
    kind,
    name,
    line: Number(line),
    isExecuted: executed === 'executed',
  }));
  const wrong = names.find(({ kind }) => kind === 'error');
  if (wrong !== undefined) throw new Error(`${wrong.script}, line ${wrong.line}: ${wrong.name}`);
  return names;
}
