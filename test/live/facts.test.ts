import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { facts } from './facts/facts';
import type { Observation } from './observation';
import { observe } from './observe';
import { readSettings } from './settings';
import { skip } from './skip';
import { type LiveTarget, openTarget } from './target';
import { root } from '../../tools/packages';
import type { Fact, Judgement } from './facts/judgement';

const settings = readSettings(process.env);
const where = settings.kind === 'simulator' ? 'the simulator' : 'SQL Server';

describe(`The facts that the product takes into account, on ${where}`, function () {
  this.timeout(900_000);
  let target: LiveTarget;
  let observed: Observation;
  const judged: Judged[] = [];

  before(async () => {
    target = await openTarget(settings);
    observed = await observe(target);
  });

  after(async () => {
    await target?.dispose();
    if (observed !== undefined)
      console.log(
        `      written to ${writeReport(`${settings.kind.replace(' ', '-')}-${observed.productVersion}`, where, observed, judged)}`,
      );
  });

  for (const fact of facts)
    it(`${fact.id}: ${fact.statement}`, function () {
      const judgement = fact.judge(observed);
      judged.push({ fact, judgement });
      if (judgement.verdict === 'not observable') skip(this, judgement.saw);
      assert.equal(judgement.verdict, 'holds', judgement.saw);
    });
});

/** One line of the report. */
interface Judged {
  readonly fact: Fact;
  readonly judgement: Judgement;
}

/** Writes `artifacts/live/<name>.md`: what was seen of each fact, and on what. Gives the file. */
function writeReport(name: string, target: string, observed: Observation, judged: readonly Judged[]): string {
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
