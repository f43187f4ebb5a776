/** T-SQL to DuckDB by two programs of others: @polyglot-sql/sdk in this process, sqlglot in one of Python. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dialect, init, transpile } from '@polyglot-sql/sdk';
import { installPython } from '../../tools/clients/python-client';
import { runLeashed } from '../../tools/processes/leashed';
import type { Translator } from './gaps';

export type Translation = { readonly sql: string } | { readonly refusal: string };
type Translate = (texts: readonly string[]) => Promise<readonly Translation[]>;

const translateByPolyglot: Translate = (texts) =>
  Promise.resolve(
    texts.map((text): Translation => {
      const { success, sql, error } = transpile(text, Dialect.TSQL, Dialect.DuckDB);
      return success && sql?.length === 1 ? { sql: sql[0] as string } : { refusal: error ?? `${sql?.length ?? 0} statements` };
    }),
  );

const PROGRAM = `
import json, sys, logging
import sqlglot
logging.disable(logging.CRITICAL)
answers = []
for text in json.load(open(sys.argv[1])):
    try:
        statements = sqlglot.transpile(text, read="tsql", write="duckdb")
        answers.append({"sql": statements[0]} if len(statements) == 1 else {"refusal": "%d statements" % len(statements)})
    except Exception as error:
        answers.append({"refusal": str(error)})
print(json.dumps(answers))
`;

function translateBySqlglot(python: string): Translate {
  return async (texts) => {
    const folder = mkdtempSync(join(tmpdir(), 'sql-rows-'));
    try {
      const [program, input] = [join(folder, 'translate.py'), join(folder, 'texts.json')];
      writeFileSync(program, PROGRAM);
      writeFileSync(input, JSON.stringify(texts));
      const { exitCode, output } = await runLeashed(python, [program, input]);
      if (exitCode !== 0) throw new Error(`sqlglot ended with ${exitCode}: ${output}`);
      return JSON.parse(output) as Translation[];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

/** @throws Refusal where this machine cannot have it */
export async function prepareTranslator(translator: Translator): Promise<Translate> {
  if (translator === 'sqlglot') return translateBySqlglot(await installPython('sqlglot'));
  await init();
  return translateByPolyglot;
}
