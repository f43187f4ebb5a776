import assert from 'node:assert/strict';
import { type Facts, notObservable, observed } from '../../../src/core/advice/facts';
import { planCheckpoints } from '../../../src/core/advice/checkpoint-plan';
import { describeTopology } from '../../../src/core/script/before-failover';
import {
  checkRecoveryInterval,
  warnOfRecoveryInterval,
  writeRecoveryInterval,
} from '../../../src/core/script/recovery-interval';
import { writeModelTarget } from '../../../src/core/script/model-target';
import {
  checkCheckpointSeconds,
  writeThrottledCheckpoint,
} from '../../../src/core/script/throttled-checkpoint';
import { writeScanCost } from '../../../src/core/script/scan-cost';
import { reviewTemplates } from '../../../src/texts';
import { databaseOf, factsOf, serverOf } from '../advice/facts-of';
import { commandNames, hostileNames, unseenNames } from './hostile-names';
import {
  listNames,
  listOtherScripts,
  otherExamples,
  otherKinds,
  otherOrigin,
  writeExample,
} from './other-scripts';

const facts = factsOf([
  ...hostileNames.map((name, i) => databaseOf({ databaseId: 10 + i, name })),
  databaseOf({ databaseId: 89, name: 'x\r\nGO\n$(y)' }),
  databaseOf({ databaseId: 90, isReadOnly: true, name: "'*/" }),
]);
const scripts = listOtherScripts(facts);
const planOf = (given: Facts, basis = 'none', databaseIds: readonly number[] | null = null) =>
  planCheckpoints(databaseIds, given, () => ({ estimatedMs: null, basis }));

/** Lines of the text, and of the program in it: without heading and list. */
function measure(text: string): {
  readonly heading: number;
  readonly program: number;
  readonly longest: number;
  readonly toStatement: number;
} {
  const lines = text.trimEnd().split('\n');
  const heading = lines.findIndex((line) => line.endsWith('*/')) + 1;
  const guard = lines.findIndex((line) => line.startsWith('/* Guard:'));
  const insert = lines.findIndex((line) => line.startsWith('INSERT @list'));
  const statement = lines.findIndex(
    (line, at) =>
      at > guard && /CHECKPOINT(?: \{seconds\})?;'|^ *ALTER DATABASE|sp_configure N'recovery/.test(line),
  );
  const list = insert < 0 ? 0 : lines.indexOf('', insert) - insert;
  return {
    heading,
    program: lines.length - heading - list,
    longest: Math.max(...lines.map(({ length }) => length)),
    toStatement: statement - guard,
  };
}

describe('The scripts beside the switch', () => {
  const ordinary = factsOf(
    Array.from({ length: 308 }, (_, at) => databaseOf({ databaseId: 5 + at, name: `WSS_Content_${at}` })),
  );
  for (const [of, given] of [
    ['308 databases', ordinary],
    ['hostile names', facts],
    [
      'names that nobody sees',
      factsOf(
        [...unseenNames, '\u202e'.repeat(128), "'".repeat(128)].map((name, at) =>
          databaseOf({ databaseId: 5 + at, name }),
        ),
      ),
    ],
  ] as const)
    it(`keep to what a tired colleague reads, for ${of}: a heading of 12 lines, a short program, the statement in sight, no line over 140 characters`, () => {
      for (const kind of otherKinds)
        for (const { title, text } of writeExample(kind, given)) {
          const { heading, program, longest, toStatement } = measure(text);
          assert.ok(
            heading <= 12 && program <= otherExamples[kind].mostLines && longest <= 140,
            `${title}: ${heading}, ${program}, ${longest}`,
          );
          assert.ok(
            toStatement > 0 && toStatement <= 45,
            `${title}: ${toStatement} lines from the guard to the statement`,
          );
        }
    });

  it('keep to 12 lines of heading with all that can stand in one', () => {
    const pending = Array.from({ length: 9 }, (_, at) => ({
      name: `a server option of the longest name ${at}`,
      configured: 32_767,
      inUse: 0,
    }));
    const states = ['OFFLINE', 'RESTORING', 'SUSPECT', 'RECOVERY_PENDING'].map((state, at) =>
      databaseOf({ databaseId: 20 + at, state }),
    );
    const given = factsOf([...states, databaseOf({ databaseId: 5, inAvailabilityGroup: true })], {
      server: serverOf({ isClustered: true }),
      settings: observed({ pending }) as never,
      roles: observed(
        new Map([[5, { databaseId: 5, role: 'PRIMARY', groupName: 'AG', primaryReplica: null }]]),
      ),
    });
    const origin = { ...otherOrigin, evidence: 'The checkpoint task is never free. '.repeat(7).trim() };
    for (const { title, text } of listOtherScripts(given, 1, origin)) {
      const { heading, longest } = measure(text);
      assert.ok(heading <= 12 && longest <= 140, `${title}: ${heading} lines, ${longest}`);
    }
  });

  it('have one line a database where its name lets them, however many there are, and no list of more than 1,000 rows', () => {
    const many = factsOf(
      Array.from({ length: 2_300 }, (_, at) => databaseOf({ databaseId: 5 + at, name: `Shop ${at}` })),
    );
    const [script] = listOtherScripts(many, 1);
    const pieces = (script?.text ?? '').split(/^INSERT @list .* VALUES$/m).slice(1);
    assert.deepEqual(
      pieces.map((piece) => listNames(piece).length),
      [1_000, 1_000, 300],
    );
    for (const piece of pieces)
      assert.equal(
        piece
          .slice(0, piece.search(/;( \/\*.*)?$/m))
          .trim()
          .split('\n').length,
        listNames(piece).length,
      );
  });

  it('list exactly the databases that were chosen, whatever they are called, and say how a name reads that is written in bytes', () => {
    const names = [...hostileNames, ...unseenNames, ...commandNames, '\ud83d', '🚀'.repeat(64)];
    const given = factsOf(names.map((name, at) => databaseOf({ databaseId: 5 + at, name })));
    for (const { title, text } of listOtherScripts(given, 1).slice(0, 2))
      assert.deepEqual([...listNames(text)].sort(), [...names].sort(), title);
    assert.match(
      listOtherScripts(given, 1)[0]?.text ?? '',
      /\/\* reads: \{U\+1F680\} Lagerbestand \{U\+1F4E6\}; seen: /,
    );
  });

  it('say what they rest on', () => {
    const evidence = scripts.map(({ text }) => /Evidence: (.*)/.exec(text)?.[1] ?? '');
    assert.match(evidence[0] ?? '', /^8\.9 s for 1 database, by the median measured for each\.$/);
    assert.match(
      evidence[1] ?? '',
      /^8\.1 s for 6 databases, by the median .* for each; 2 databases without an estimate on top\.$/,
    );
    assert.match(evidence[3] ?? '', /^this instance may use 262,144 MB of 393,216 MB of memory\.$/);
    for (const at of [2, 4, 6]) assert.match(evidence[at] ?? '', /^it's \/ \* not \* \/ measured/);
  });

  it('come with a rollback twin exactly where there is something to undo, which promises what it can know: the value, not who set it', () => {
    for (const kind of otherKinds) {
      const written = writeExample(kind, facts);
      assert.deepEqual(
        written.map((script) => script.kind),
        otherExamples[kind].kinds,
      );
      const asked = Object.values<unknown>(otherExamples[kind].request([]));
      for (const { title, text } of written.filter((script) => script.kind === 'rollback')) {
        const [, value] =
          /^\/\* ROLLBACK: [^]*Restores: the value wherever the one found is (\d+), even if another person set it/.exec(
            text,
          ) ?? assert.fail(title);
        assert.ok(asked.includes(Number(value)), title);
      }
    }
  });

  it('are ASCII outside of their comments, the name of the server too, which is one literal, and hold no GO and no sqlcmd variable', () => {
    for (const { title, text } of scripts) {
      assert.ok(text.includes("<> N'SQL''07\\*/'\nBEGIN"), title);
      assert.doesNotMatch(text, /^\s*GO\s*$|\$\(/im, title);
    }
    const named = { ...otherOrigin, serverName: 'MÜNCHEN' };
    const template = reviewTemplates['throttled checkpoint'];
    const written = [...scripts, ...writeThrottledCheckpoint(planOf(facts, 'für 🚀'), 5, named, template)];
    for (const { title, text } of written)
      assert.match(text.replace(/\/\*[\s\S]*?\*\//g, ''), /^[\n -~]*$/, title);
    assert.match(
      written.at(-1)?.text ?? '',
      /<> N'M' \+ CONVERT\(nvarchar\(1\), 0xDC00\) \+ N'NCHEN'\nBEGIN/,
    );
  });

  it('say what was left out, by kind and number', () => {
    assert.match(scripts[0]?.text ?? '', /^ {3}Left out: 1 \(read-only\)\.$/m);
    const states = ['OFFLINE', 'OFFLINE', 'RESTORING', 'SUSPECT', 'RECOVERY_PENDING', 'OFFLINE'];
    const given = factsOf([
      ...states.map((state, at) => databaseOf({ databaseId: 20 + at, state })),
      databaseOf({ databaseId: 5 }),
    ]);
    assert.match(
      listOtherScripts(given)[0]?.text ?? '',
      /Left out: 3 \(offline\), 1 \(restoring\), 1 \(suspect\), 1 \(other reasons\)\.\n/,
    );
    assert.doesNotMatch(listOtherScripts(ordinary)[0]?.text ?? '', /Left out/);
  });
});

describe('A checkpoint before a failover', () => {
  const topologyOf = (given: Facts): string =>
    describeTopology(given)
      .map(([label, text]) => `${label}: ${text}`)
      .join('\n');

  it('promises nothing for an availability group, and a shorter restart for a cluster instance', () => {
    const inGroup = factsOf([databaseOf({ databaseId: 5, inAvailabilityGroup: true })]);
    assert.match(
      topologyOf(inGroup),
      /^Availability groups: 1 database here\. It does not shorten the redo of the new primary, .* It may shorten the return of the old primary; not measured\.$/m,
    );
    const clustered = (isClustered: boolean | null): string =>
      topologyOf(factsOf([], { server: serverOf({ isClustered }) }));
    assert.match(
      clustered(true),
      /^Shortens: a planned failover of this cluster instance, .*; and the shutdown itself, and what a crash before it would leave to redo\.$/,
    );
    assert.match(clustered(null), /cluster instance was not observable/);
  });
});

describe('The recovery interval', () => {
  const write = (minutes: number, given = facts): string =>
    writeRecoveryInterval(minutes, given, otherOrigin, reviewTemplates['recovery interval'])[0]?.text ?? '';

  it('takes 0 to 32767 minutes and nothing else', () => {
    for (const minutes of [0, 1, 60, 32_767]) assert.equal(checkRecoveryInterval(minutes), null);
    for (const minutes of [-1, 1.5, 32_768, NaN])
      assert.match(checkRecoveryInterval(minutes) ?? '', /0 to 32767/);
  });

  it('is warned of above an hour, and where it turns automatic checkpoints off', () => {
    assert.equal(warnOfRecoveryInterval(60), null);
    assert.match(warnOfRecoveryInterval(61) ?? '', /WITH OVERRIDE/);
    assert.match(warnOfRecoveryInterval(32_767) ?? '', /turns automatic checkpoints off/);
    assert.match(write(32_767), /Warning: {2}32767 effectively turns/);
  });

  it('says which databases it affects: those with a target of 0 only', () => {
    const given = factsOf([databaseOf({ databaseId: 5 }), databaseOf({ databaseId: 6, targetSeconds: 60 })]);
    assert.match(
      write(5, given),
      /target recovery time of 0 only \(1 here, system databases included\), not the others \(1\)\./,
    );
  });

  it('names what waits for RECONFIGURE, or says that this was not observable', () => {
    const pending = [
      { name: 'max degree of parallelism', configured: 4, inUse: 8, isDynamic: true },
      { name: 'user connections', configured: 100, inUse: 0, isDynamic: false },
    ];
    const settings = observed({ pending }) as never;
    assert.match(
      write(5, factsOf([], { settings })),
      /as things are, it will change nothing: RECONFIGURE would also apply max degree of parallelism \(8 in use, 4 set\)\./,
    );
    assert.match(
      write(5, factsOf([], { settings: notObservable('no permission') })),
      /was not observable: no permission\. The script checks it\./,
    );
  });

  it('is not written where there is nothing to change, or nothing that could be restored', () => {
    assert.throws(() => write(0), /is 0 already/);
    const unseen = factsOf([], { server: serverOf({ recoveryIntervalMinutes: null }) });
    assert.throws(() => write(5, unseen), /no script could restore it/);
  });
});

describe('Other refusals', () => {
  it('keep a throttled checkpoint to whole seconds of a day at most', () => {
    const template = reviewTemplates['throttled checkpoint'];
    for (const seconds of [0, 0.5, -1, 86_401, NaN]) {
      assert.notEqual(checkCheckpointSeconds(seconds), null);
      assert.throws(() => writeThrottledCheckpoint(planOf(facts), seconds, otherOrigin, template));
    }
  });

  it('keep a measurement to databases that are scanned, and to a number of times that means something', () => {
    const write = (plan: ReturnType<typeof planOf>, times: number): unknown =>
      writeScanCost(plan, times, facts, otherOrigin, reviewTemplates['scan cost']);
    const indirect = planOf(factsOf([databaseOf({ databaseId: 5, targetSeconds: 60 })]), '', [5]);
    assert.throws(() => write(indirect, 5), /do not scan/);
    for (const times of [1, 101, 2.5]) assert.throws(() => write(planOf(facts), times), /from 2 to 100/);
  });

  it('write no script for a model that has the value, or does not show one', () => {
    const write = (modelTargetSeconds: number | null): unknown => {
      const given = factsOf([], { server: serverOf({ modelTargetSeconds }) });
      return writeModelTarget(60, given, otherOrigin, reviewTemplates.model);
    };
    assert.throws(() => write(60), /60 seconds already/);
    assert.throws(() => write(null), /cannot see/);
  });
});
