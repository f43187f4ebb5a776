import assert from 'node:assert/strict';
import { notObservable, observed } from '../../../src/core/advice/facts';
import { planCheckpoints } from '../../../src/core/advice/checkpoint-plan';
import { describeTopology } from '../../../src/core/script/before-failover';
import { checkRecoveryInterval, warnOfRecoveryInterval, writeRecoveryInterval } from '../../../src/core/script/recovery-interval';
import { writeModelTarget } from '../../../src/core/script/model-target';
import { checkCheckpointSeconds, writeThrottledCheckpoint } from '../../../src/core/script/throttled-checkpoint';
import { writeScanCost } from '../../../src/core/script/scan-cost';
import { reviewTemplates } from '../../../src/texts';
import { databaseOf, factsOf, serverOf } from '../advice/facts-of';
import { hostileNames } from './hostile-names';
import { listOtherScripts, otherOrigin } from './other-scripts';

const facts = factsOf([
  ...hostileNames.map((name, i) => databaseOf({ databaseId: 10 + i, name })),
  databaseOf({ databaseId: 89, name: 'x\r\nGO\n$(y)' }),
  databaseOf({ databaseId: 90, isReadOnly: true, name: "'*/" }),
]);
const scripts = listOtherScripts(facts);

describe('The scripts beside the switch', () => {
  it('are cut at their own GO only, and hold no sqlcmd variable, whatever a database or the evidence is called', () => {
    for (const { title, text } of scripts) {
      const marks = text.match(/^GO$/gm)?.length ?? 0;
      assert.ok(marks >= 3 && marks <= 4, title);
      assert.doesNotMatch(text, /\$\(/, title);
      assert.doesNotMatch(text, /^SHUTDOWN|^DROP/m, title);
    }
  });

  it('begin with a comment that is closed by its own mark, and leave no parameter of the template but the one for a person', () => {
    for (const { title, text } of scripts) {
      const end = text.indexOf('*/');
      assert.ok(text.startsWith('/* ') && text.slice(end + 2).startsWith('\n/*\nName:'), title);
      assert.doesNotMatch(text, /TYPE (THE SERVER|A DATABASE) NAME HERE/, title);
      assert.match(text, /Evidence: it's \/ \* not \* \/ measured/, title);
    }
  });

  it('name the server as a literal in each guard', () => {
    for (const { title, text } of scripts) assert.ok((text.match(/= N'SQL''07\\\*\/'|<> N'SQL''07\\\*\/'/g)?.length ?? 0) >= 2, title);
  });

  it('come with a rollback twin exactly where there is something to undo', () => {
    const kinds = scripts.map(({ kind }) => kind);
    assert.deepEqual(kinds, ['change', 'change', 'change', 'analysis', 'change', 'rollback', 'change', 'rollback']);
    for (const { title, text } of scripts.filter(({ kind }) => kind === 'rollback')) assert.match(text, /^\/\* ROLLBACK: /, title);
  });

  it('promise of a rollback only what it can know: the value, not who set it', () => {
    for (const { title, text } of scripts.filter(({ kind }) => kind === 'rollback'))
      assert.match(
        text,
        /Restores the value wherever the one found is (32767|60), whoever set it: run it only where the change reported CHANGED\./,
        title,
      );
  });

  it('are ASCII outside of their comments, the name of the server too', () => {
    const named = { ...otherOrigin, serverName: 'MÜNCHEN' };
    const plan = planCheckpoints(null, facts, () => ({ estimatedMs: null, basis: 'für 🚀' }));
    const written = [...scripts, ...writeThrottledCheckpoint(plan, 5, named, reviewTemplates.checkpointThrottled)];
    for (const { title, text } of written) assert.match(text.replace(/\/\*[\s\S]*?\*\//g, ''), /^[\n -~]*$/, title);
    assert.match(written.at(-1)?.text ?? '', /= N'M' \+ CONVERT\(nvarchar\(1\), 0xDC00\) \+ N'NCHEN'\nBEGIN/);
  });

  it('say what was left out and why', () => {
    assert.match(scripts[0]?.text ?? '', /Left out \(1\):\n \* {3}'\* \/ is read-only\./);
  });
});

describe('A checkpoint before a failover', () => {
  it('promises nothing for an availability group, and a shorter restart for a cluster instance', () => {
    const inGroup = factsOf([databaseOf({ databaseId: 5, inAvailabilityGroup: true })]);
    assert.match(
      describeTopology(inGroup).join('\n'),
      /It cannot promise: a shorter failover of an availability group \(1 database here\)/,
    );
    const cluster = describeTopology(factsOf([], { server: serverOf({ isClustered: true }) })).join('\n');
    assert.match(
      cluster,
      /^It can shorten: a planned failover of this cluster instance, which checkpoints every database while .*\nIt can also shorten an unplanned one/,
    );
    assert.doesNotMatch(cluster, /cannot promise/);
    assert.match(
      describeTopology(factsOf([], { server: serverOf({ isClustered: null }) })).join('\n'),
      /cluster instance was not observable/,
    );
  });

  it('is written with the number of databases without an estimate beside the sum of the others', () => {
    const [first, second] = scripts.map(({ text }) => text);
    assert.match(first ?? '', /Estimate: 8\.9 s for 1 database, the median of what was measured of each\.\n/);
    assert.match(second ?? '', /Estimate: 8\.1 s for 6 databases, the median .* of each; 2 databases without an estimate on top\./);
  });
});

describe('The recovery interval', () => {
  const write = (minutes: number, given = facts): string =>
    writeRecoveryInterval(minutes, given, otherOrigin, reviewTemplates.setRecoveryInterval)[0]?.text ?? '';

  it('takes 0 to 32767 minutes and nothing else', () => {
    for (const minutes of [0, 1, 60, 32_767]) assert.equal(checkRecoveryInterval(minutes), null);
    for (const minutes of [-1, 1.5, 32_768, NaN]) assert.match(checkRecoveryInterval(minutes) ?? '', /0 to 32767/);
  });

  it('is warned of above an hour, and where it turns automatic checkpoints off', () => {
    assert.equal(warnOfRecoveryInterval(60), null);
    assert.match(warnOfRecoveryInterval(61) ?? '', /WITH OVERRIDE/);
    assert.match(warnOfRecoveryInterval(32_767) ?? '', /turns automatic checkpoints off/);
    assert.match(write(32_767), /Warning: 32767 effectively turns/);
  });

  it('says which databases it affects: those with a target of 0 only', () => {
    const given = factsOf([databaseOf({ databaseId: 5 }), databaseOf({ databaseId: 6, targetSeconds: 60 })]);
    assert.match(write(5, given), /target recovery time of 0 only: 1 here.* 1 database with indirect checkpoints is not affected/);
  });

  it('names what waits for RECONFIGURE, or says that this was not observable', () => {
    const pending = [{ name: 'max degree of parallelism', configured: 4, inUse: 8 }];
    const settings = observed({ showsAdvancedOptions: true, pending });
    assert.match(
      write(5, factsOf([], { settings: settings as never })),
      /The script will stop as things are: .* max degree of parallelism \(8 in use, 4 set\)/,
    );
    assert.match(
      write(5, factsOf([], { settings: notObservable('no permission') })),
      /was not observable: no permission\. The script asks itself\./,
    );
  });

  it('is not written where there is nothing to change, or nothing that could be restored', () => {
    assert.throws(() => write(0), /is 0 already/);
    assert.throws(() => write(5, factsOf([], { server: serverOf({ recoveryIntervalMinutes: null }) })), /no script that could restore it/);
  });
});

describe('Other refusals', () => {
  const plan = planCheckpoints(null, facts, () => ({ estimatedMs: null, basis: 'none' }));
  const { checkpointThrottled, measureScanCost, setModelTargetRecoveryTime } = reviewTemplates;

  it('keep a throttled checkpoint to whole seconds of a day at most', () => {
    for (const seconds of [0, 0.5, -1, 86_401, NaN]) {
      assert.notEqual(checkCheckpointSeconds(seconds), null);
      assert.throws(() => writeThrottledCheckpoint(plan, seconds, otherOrigin, checkpointThrottled));
    }
  });

  it('keep a measurement to databases that are scanned, and to a number of times that means something', () => {
    const indirect = planCheckpoints([5], factsOf([databaseOf({ databaseId: 5, targetSeconds: 60 })]), () => ({
      estimatedMs: null,
      basis: '',
    }));
    assert.throws(() => writeScanCost(indirect, 5, facts, otherOrigin, measureScanCost), /do not scan/);
    for (const times of [1, 101, 2.5])
      assert.throws(() => writeScanCost(plan, times, facts, otherOrigin, measureScanCost), /from 2 to 100/);
  });

  it('write no script for a model that has the value, or does not show one', () => {
    const write = (modelTargetSeconds: number | null): unknown =>
      writeModelTarget(60, factsOf([], { server: serverOf({ modelTargetSeconds }) }), otherOrigin, setModelTargetRecoveryTime);
    assert.throws(() => write(60), /60 seconds already/);
    assert.throws(() => write(null), /cannot be seen/);
  });
});
