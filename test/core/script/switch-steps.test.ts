import assert from 'node:assert/strict';
import { planSwitch as stepPlan } from '../../../src/core/advice/switch-plan';
import { countPauses, planSwitch } from '../finished';
import { writeSwitchScripts } from '../../../src/core/script/switch';
import { DATABASES_A_STEP } from '../../../src/core/steps';
import { reviewTemplates } from '../../../src/texts';
import { databaseOf, factsOf } from '../advice/facts-of';
import { choiceOf, writeSwitch } from './scripts-of';

describe('A switch of thousands of databases', () => {
  const ids = Array.from({ length: 2_000 }, (_, at) => at + 5);
  const facts = factsOf(ids.map((databaseId) => databaseOf({ databaseId })));
  const origin = {
    serverName: 'SQL07',
    readAt: '2026-03-02 09:00:00 UTC+1',
    evidence: 'nothing was measured.',
  };

  it('is planned and written in steps of a few hundred databases, to the same scripts as at once', () => {
    const planned = countPauses(stepPlan(choiceOf(ids), facts, () => 'why', {}));
    assert.deepEqual(
      planned.value,
      planSwitch(choiceOf(ids), facts, () => 'why'),
    );
    assert.ok(planned.pauses >= ids.length / DATABASES_A_STEP);
    const written = countPauses(writeSwitchScripts(planned.value, origin, reviewTemplates.switch));
    assert.deepEqual(written.value, writeSwitch(planned.value, origin));
    // The rows of the switch and of its rollback twin, and those of the record.
    assert.ok(written.pauses >= (3 * ids.length) / DATABASES_A_STEP);
  });

  it('is written in such steps for a replica that has the primaries too', () => {
    const plan = planSwitch(choiceOf(ids), facts, () => 'why');
    const there = { ...plan, steps: [], elsewhere: [{ primary: 'SQL08', steps: plan.steps }] };
    const written = countPauses(writeSwitchScripts(there, origin, reviewTemplates.switch));
    assert.equal(written.value.scripts.length, 2);
    assert.ok(written.pauses >= (2 * ids.length) / DATABASES_A_STEP);
  });
});
