import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/packages';
import type { Fact, Judgement } from './facts/judgement';
import type { Observation } from './observation';

/** One line of the report. */
export interface Judged {
  readonly fact: Fact;
  readonly judgement: Judgement;
}

/** Writes `artifacts/live/<name>.md`: what was seen of each fact, and on what. Gives the file. */
export function writeReport(name: string, target: string, observed: Observation, judged: readonly Judged[]): string {
  const cell = (text: string): string => text.replace(/\|/g, '\\|').replace(/\s+/g, ' ');
  const lines = judged.map(
    ({ fact, judgement }) => `| ${fact.id} | ${judgement.verdict} | ${cell(fact.statement)} | ${cell(judgement.saw)} | ${fact.source} |`,
  );
  const text = [
    `# Facts, looked at on ${target}`,
    '',
    target === 'the simulator'
      ? 'This run proves that the tests work. It says nothing about SQL Server.'
      : `SQL Server ${observed.productVersion} (${observed.productLevel}), engine edition ${observed.engineEdition}, ${observed.utcOffsetMinutes} minutes from UTC.`,
    '',
    '| fact | verdict | statement | seen | from |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
  const folder = join(root, 'artifacts', 'live');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.md`);
  writeFileSync(file, text);
  return file;
}
