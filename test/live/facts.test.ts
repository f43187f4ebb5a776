import assert from 'node:assert/strict';
import { facts } from './facts/facts';
import type { Observation } from './observation';
import { observe } from './observe';
import { type Judged, writeReport } from './report';
import { readSettings } from './settings';
import { skip } from './skip';
import { type LiveTarget, openTarget } from './target';

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
