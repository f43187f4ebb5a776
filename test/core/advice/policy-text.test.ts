import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describeProblems, readPolicy } from '../../../src/core/advice/policy-text';
import { forAll } from '../../for-all';

const schema = JSON.parse(
  readFileSync(join(__dirname, '..', '..', '..', 'media', 'checkpoint-policy.schema.json'), 'utf8'),
) as object;
const ajv = new Ajv({ strict: true, keywords: ['defaultSnippets'] });
addFormats(ajv);
const isValid = ajv.compile(schema);

const read = (file: unknown) => readPolicy(JSON.stringify(file));
const problemsOf = (file: unknown): readonly string[] => describeProblems(read(file).problems);

const target = { database: '*', targetSeconds: 60 };
const exception = { database: 'Vendor', reason: 'They forbid it' };

describe('A policy file', () => {
  it('gives targets and exceptions as they stand, with nothing for what is left out', () => {
    const { policy, problems } = read({
      $schema: 'x',
      version: 1,
      targets: [{ server: 'PROD-*', ...target, mostMbToRedo: 512.5 }, target],
      exceptions: [exception, { ...exception, server: 'A', expires: '2026-12-31' }],
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(policy, {
      targets: [
        { server: 'PROD-*', ...target, mostMbToRedo: 512.5 },
        { server: null, ...target },
      ],
      exceptions: [
        { server: null, ...exception, expires: null },
        { server: 'A', ...exception, expires: '2026-12-31' },
      ],
    });
  });

  it('may be empty, and may begin with a byte order mark', () => {
    assert.deepEqual(readPolicy('\uFEFF{}'), { policy: { targets: [], exceptions: [] }, problems: [] });
  });

  it('that is not JSON says so in one sentence, and wants nothing', () => {
    const { policy, problems } = readPolicy('{ "targets": [ }');
    assert.deepEqual(policy, { targets: [], exceptions: [] });
    assert.match(describeProblems(problems).join(), /^It is not JSON: /);
  });

  const wrong: [string, unknown, string][] = [
    ['a list', [], '[] is not an object with "$schema", "version", "targets", "exceptions".'],
    [
      'a name that nobody knows',
      { target: [] },
      'target: This name is not known here. Known names: "$schema", "version", "targets", "exceptions".',
    ],
    [
      'a later version of the form',
      { version: 2, targets: [target], rules: [] },
      'version: it has version 2, and only versions up to 1 can be read. Use the version that wrote it.',
    ],
    ['targets that are no list', { targets: {} }, 'targets: {} is not a list.'],
    [
      'a target without a database',
      { targets: [{ targetSeconds: 60 }] },
      'targets[0].database: It is missing. It must be a string.',
    ],
    [
      'seconds in quotes',
      { targets: [target, { ...target, targetSeconds: '60' }] },
      'targets[1].targetSeconds: "60" is not a whole number of seconds from 0 (automatic checkpoints) to 3600.',
    ],
    [
      'no megabytes at all',
      { targets: [{ ...target, mostMbToRedo: 0 }] },
      'targets[0].mostMbToRedo: 0 is not a number of megabytes above 0.',
    ],
    [
      'a blank reason',
      { exceptions: [{ database: 'x', reason: ' \n' }] },
      'exceptions[0].reason: " \\n" must be a string that is not empty.',
    ],
    [
      'a day that does not exist',
      { exceptions: [{ ...exception, expires: '2026-02-30' }] },
      'exceptions[0].expires: "2026-02-30" is not a date of the form 2026-12-31.',
    ],
  ];
  for (const [title, file, expected] of wrong)
    it(`names place and value of ${title}, and the schema refuses it too`, () => {
      assert.deepEqual(problemsOf(file), [expected]);
      assert.equal(isValid(file), false);
    });

  it('keeps what is right beside what is wrong', () => {
    const { policy, problems } = read({
      targets: [{ database: 7, targetSeconds: 60 }, target],
      exceptions: exception,
    });
    assert.equal(problems.length, 2);
    assert.deepEqual(policy.targets, [{ server: null, ...target }]);
  });

  it('holds an exception whose end or reason cannot be read without an end: to leave a database alone does no harm', () => {
    const { policy } = read({
      exceptions: [
        { ...exception, expires: 'soon' },
        { database: 'A', reason: 1 },
        { ...exception, expire: '2020-01-01' },
      ],
    });
    assert.deepEqual(policy.exceptions, [
      { server: null, ...exception, expires: null },
      { server: null, database: 'A', reason: 'Its reason could not be read.', expires: null },
      { server: null, ...exception, expires: null },
    ]);
  });

  it('takes no target of which a part cannot be read: a misspelt server would make it one for every server', () => {
    assert.deepEqual(read({ targets: [{ servr: 'DEV', ...target }] }).policy.targets, []);
  });

  it('is accepted exactly where the schema accepts it', () => {
    const text = fc.constantFrom<unknown>(
      ...[
        'x',
        '',
        ' ',
        '2026-12-31',
        '2026-02-29',
        '2024-02-29',
        '31.12.2026',
        '2026-12-31T00:00:00Z',
        'a*',
        7,
        null,
        true,
      ],
    );
    const seconds = fc.constantFrom<unknown>(0, 60, 3600, 3601, -1, 1.5, 60.0, '60', null);
    const megabytes = fc.constantFrom<unknown>(1, 0.5, 2000, 0, -1, '500 MB', null);
    const entry = (names: Record<string, fc.Arbitrary<unknown>>) =>
      fc.record({ ...names, extra: text }, { requiredKeys: [] });
    const some = (one: fc.Arbitrary<unknown>) =>
      fc.oneof({ weight: 8, arbitrary: fc.array(one, { maxLength: 2 }) }, { weight: 1, arbitrary: text });
    const file = fc.record(
      {
        $schema: text,
        targets: some(
          entry({ server: text, database: text, targetSeconds: seconds, mostMbToRedo: megabytes }),
        ),
        exceptions: some(
          fc.oneof(entry({ server: text, database: text, reason: text, expires: text }), text),
        ),
      },
      { requiredKeys: [] },
    );
    const met = { accepted: 0, refused: 0 };
    forAll(file, 500, (one) => {
      const accepted = problemsOf(one).length === 0;
      met[accepted ? 'accepted' : 'refused']++;
      assert.equal(accepted, isValid(one), JSON.stringify(one));
    });
    assert.ok(met.accepted > 5 && met.refused > 50, JSON.stringify(met));
  });
});

describe('A policy file of which an exception may be lost', () => {
  const hidden = (text: string): readonly string[] =>
    readPolicy(text)
      .problems.filter(({ mayHide }) => mayHide === true)
      .map(({ place, sentence }) => `${place}: ${sentence}`);

  it('says so wherever that can be: broken, another form, a name that is not known, a database that cannot be read', () => {
    for (const text of [
      '{"exceptions":[{"database":"Pay","reason":"no"}],}',
      '',
      '[]',
      '{"exceptions":{"database":"Pay","reason":"no"}}',
      '{"Exceptions":[{"database":"Pay","reason":"no"}]}',
      '{"exceptions":["Pay"]}',
      '{"exceptions":[{"databse":"Pay","reason":"no"}]}',
    ])
      assert.ok(hidden(text).length > 0, text);
  });

  it('is not one with a fault in a target, a reason or a date: the database is known there', () => {
    for (const file of [
      { targets: 7 },
      { targets: [{ database: 3 }] },
      { exceptions: [{ database: 'x', reason: 1, expires: 'soon' }] },
    ]) {
      assert.ok(problemsOf(file).length > 0);
      assert.deepEqual(hidden(JSON.stringify(file)), []);
    }
  });

  it('names what stands twice in one object, also written otherwise, and not what stands in two', () => {
    assert.match(
      hidden('{"exceptions":[{"database":"Pay","reason":"no"}],"exceptions":[]}')[0] ?? '',
      /"exceptions" appears twice/,
    );
    assert.match(
      hidden('{"exceptions":[{"database":"a","d\\u0061tabase":"b","reason":"[{,\\""}]}')[0] ?? '',
      /"database" appears twice/,
    );
    assert.deepEqual(
      hidden(
        '{"exceptions":[{"database":"a","reason":"a"},{"database":"database","reason":","}],"targets":[]}',
      ),
      [],
    );
  });

  it('is read up to a length and a number of entries, and says what is over', () => {
    assert.match(
      hidden(`{"$schema":"${'x'.repeat(1_000_000)}"}`)[0] ?? '',
      /1,000,014 characters\. At most 1,000,000/,
    );
    const exceptions = Array.from({ length: 5001 }, () => exception);
    assert.match(hidden(JSON.stringify({ exceptions }))[0] ?? '', /5,001 entries\. At most 5,000/);
    assert.deepEqual(hidden(JSON.stringify({ exceptions: exceptions.slice(1) })), []);
  });

  it('is read up to a depth, and says what is deeper', () => {
    const nest = (levels: number): string => `{"targets":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    assert.match(hidden(nest(101))[0] ?? '', /: It is nested 101 levels deep\. At most 100 are read\.$/);
    assert.match(hidden(nest(400_000))[0] ?? '', /nested 400,000 levels/);
    assert.deepEqual(hidden(nest(100)), []);
    assert.match(readPolicy(nest(100)).problems[0]?.place ?? '', /^targets\[0\]$/);
  });
});
