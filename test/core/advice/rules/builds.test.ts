import assert from 'node:assert/strict';
import { buildFixes, buildRules } from '../../../../src/core/advice/rules/builds';
import { notObservable, observed } from '../../../../src/core/advice/facts';
import { databaseOf, factsOf, serverOf } from '../facts-of';

/** The rules that find something, or 'unseen'. */
function findMissing(productVersion: string, more: Parameters<typeof serverOf>[0] = {}): readonly string[] {
  const facts = factsOf([], { server: serverOf({ productVersion, ...more }) });
  return buildRules.flatMap((rule) => {
    const answer = rule.ask(facts);
    return answer.kind === 'nothing' ? [] : [answer.kind === 'found' ? rule.rule : 'unseen'];
  });
}

const [first, second, cluster] = [
  'dirty-page-list-kb4040276',
  'dirty-page-list-kb4497928',
  'cluster-2014-kb3166902',
] as const;

describe('Builds without a fix', () => {
  const cases: [string, string, readonly string[]][] = [
    ['a version that is no number, though every object has it', 'constructor.0.1601.5', []],
    ['2016 RTM', '13.0.1601.5', [first, second]],
    ['the last 2016 build before the fix of RTM', '13.0.2212.99', [first, second]],
    ['CU8 for 2016', '13.0.2213.0', [second]],
    ['2016 SP1, whose numbers are higher and whose fixes are fewer', '13.0.4001.0', [first, second]],
    ['2016 SP1 CU4', '13.0.4446.0', [first, second]],
    ['2016 SP1 CU5', '13.0.4451.0', [second]],
    ['2016 SP2', '13.0.5026.0', [second]],
    ['2016 SP2 CU7', '13.0.5337.0', []],
    ['2017 RTM', '14.0.1000.169', [first, second]],
    ['a security update of 2017 RTM', '14.0.2042.3', [first, second]],
    ['2017 CU1', '14.0.3006.16', [second]],
    ['2017 CU15', '14.0.3162.1', [second]],
    ['2017 CU16', '14.0.3223.3', []],
    ['2019, which is not affected', '15.0.2000.5', []],
    ['2012', '11.0.7001.0', []],
  ];
  for (const [title, build, expected] of cases)
    it(`are told of ${title}, ${build}`, () => assert.deepEqual(findMissing(build), expected));

  it('are not told of Azure services, which report a version of their own', () => {
    for (const engineEdition of [5, 8, 11, 12]) {
      assert.deepEqual(findMissing('12.0.2000.8', { engineEdition, isClustered: true }), []);
      assert.deepEqual(findMissing('13.0.1601.5', { engineEdition }), []);
    }
  });

  it('are told on Linux where the fix is for Linux too', () => {
    assert.deepEqual(findMissing('14.0.1000.169', { pathSeparator: '/' }), [second]);
    assert.deepEqual(findMissing('14.0.1000.169', { pathSeparator: '\\' }), [first, second]);
  });

  it('of 2014 are told for failover cluster instances only, and only inform: the fixed build is not verified', () => {
    assert.deepEqual(findMissing('12.0.2000.8', { isClustered: true }), [cluster]);
    assert.deepEqual(findMissing('12.0.2000.8', { isClustered: false }), []);
    assert.deepEqual(findMissing('12.0.2000.8', { isClustered: null }), ['unseen']);
    const rule = buildRules.find((one) => one.rule === cluster);
    const answer = rule?.ask(
      factsOf([], { server: serverOf({ productVersion: '12.0.2000.8', isClustered: true }) }),
    );
    assert.equal(rule?.severity, 'inform');
    assert.match(
      answer?.kind === 'found' ? answer.sentence : '',
      /We have not verified which build has .*\. This one is 12\.0\.2000\.8/,
    );
  });

  it('are unseen where the version is no build number, never passed', () => {
    assert.deepEqual(findMissing('13.x'), ['unseen', 'unseen']);
  });

  it('name the build that is there, and those that have the fix', () => {
    const answer = buildRules[0]?.ask(factsOf([], { server: serverOf({ productVersion: '13.0.1601.5' }) }));
    assert.match(
      answer?.kind === 'found' ? answer.sentence : '',
      /^KB4040276 is not in this build, 13\.0\.1601\.5\. It came with 13\.0\.2213\.0 \(2016 CU8\) or 13\.0\.4451\.0 \(2016 SP1 CU5\)\. /,
    );
  });

  it('decide nothing: both texts name tempdb, which a switch leaves as it is', () => {
    assert.deepEqual([...new Set(buildRules.map(({ severity }) => severity))], ['inform']);
  });

  it('name the page that lists the fixed build, wherever one is named', () => {
    for (const { fixed, sources, rule } of buildFixes)
      if (Object.values(fixed).some((branches) => branches.length > 0))
        assert.ok(
          sources.some(({ url, tag }) => url !== null && tag === 'D'),
          rule,
        );
  });

  const tempdbCases: [string, number | null, readonly number[] | null, RegExp][] = [
    [
      '60 s',
      60,
      [],
      / indirect checkpoints of tempdb can end in a non-yielding scheduler\. tempdb has 60 seconds now\.$/,
    ],
    [
      '60 s and flags that are not seen',
      60,
      null,
      /tempdb has 60 seconds now\. Whether trace flag 3468 .* cannot be seen\.$/,
    ],
    ['0', 0, [], /tempdb has target recovery time 0 now\.$/],
    ['60 s and trace flag 3468', 60, [3468], /Here trace flag 3468 turns them off\.$/],
    ['a target that is not seen', null, [], /The target recovery time of tempdb cannot be seen\.$/],
  ];
  for (const [title, targetSeconds, flags, expected] of tempdbCases)
    it(`ask what tempdb itself has: ${title}`, () => {
      const answer = buildRules[0]?.ask(
        factsOf([databaseOf({ databaseId: 2, name: 'tempdb', targetSeconds })], {
          server: serverOf({ productVersion: '13.0.1601.5' }),
          traceFlags: flags === null ? notObservable('no permission') : observed(flags),
        }),
      );
      assert.ok(answer?.kind === 'found');
      assert.match(answer.sentence, expected);
      assert.match(
        answer.remedy ?? '',
        /A switch leaves tempdb as it is, so it need not wait for this\. .*DP_LIST/,
      );
    });
});
