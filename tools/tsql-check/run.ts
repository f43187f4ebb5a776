import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLeashed } from '../processes/leashed';
import type { NamedText } from './check-syntax';
import { installTsqlCheck } from './install';

/** Runs the checker over texts and gives its lines, cut at tabs; the first cell is the text's name. @param mode a grammar level, or 'names' */
export async function runTsqlCheck(mode: string, texts: readonly NamedText[]): Promise<readonly (readonly string[])[]> {
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
