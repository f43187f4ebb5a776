import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { reviewTemplates } from '../../src/texts';
import { otherKinds } from '../core/script/other-scripts';

/** Batches of a file, without its comments. */
function listBatches(text: string): readonly string[] {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split(/^GO$/m)
    .map((batch) => batch.trim())
    .filter((batch) => batch !== '');
}

const typed = "N'<server_name, sysname, TYPE THE SERVER NAME HERE>'";
const lab = path.resolve(__dirname, '../../sql/lab');
const experiments = ['scan-cost', 'write-size', 'throttled-checkpoint'];
const readLab = (name: string): string => fs.readFileSync(path.join(lab, `${name}.sql`), 'utf8');

describe('The files that a person reviews and runs, beside the switch', () => {
  const programs = otherKinds.map((name) => ({
    name,
    program: reviewTemplates[name].slice(reviewTemplates[name].indexOf('*/\n') + 3),
  }));
  it('are one batch that sets what it needs of the window once, and first', () => {
    for (const { name, program } of programs) {
      assert.ok(program.startsWith('SET NOCOUNT ON; SET ROWCOUNT 0; SET IMPLICIT_TRANSACTIONS OFF;'), name);
      assert.equal([...program.matchAll(/\bSET [A-Z_]+ (ON|OFF|0);/g)].length, 3, name);
      assert.doesNotMatch(program, /^GO$|NOEXEC|@@SERVERNAME/im, name);
    }
  });

  it('end in an error where something failed, but only behind the one table', () => {
    for (const { name, program } of programs) {
      const tables = [...program.matchAll(/^SELECT (?!@|TOP)/gm)];
      assert.equal(tables.length, 1, name);
      if (!program.includes("N'FAILED")) continue;
      assert.match(
        program.slice(tables[0]?.index),
        /\nIF @\w+ (> 0|= 1|LIKE N'FAILED%') RAISERROR\(N'[^']*', 16, 1, @\w+\);/,
        name,
      );
    }
  });
});

describe('The files of sql/lab', () => {
  it('are the experiments, a second window, and a page about them that says what was never executed', () => {
    assert.deepEqual(
      fs.readdirSync(lab).sort(),
      ['README.md', ...[...experiments, 'throttled-checkpoint-watch'].map((name) => `${name}.sql`)].sort(),
    );
    assert.match(fs.readFileSync(path.join(lab, 'README.md'), 'utf8'), /was never executed by us/);
  });

  for (const name of [...experiments, 'throttled-checkpoint-watch'])
    it(`refuse implicit transactions and pin the options of the window in every batch: ${name}`, () => {
      const batches = listBatches(readLab(name)).slice(0, -1);
      assert.ok(batches[0]?.includes('(@@OPTIONS & 2) = 2'));
      for (const batch of batches)
        for (const option of [
          'QUOTED_IDENTIFIER ON',
          'ANSI_NULLS ON',
          'ANSI_WARNINGS ON',
          'CONCAT_NULL_YIELDS_NULL ON',
          'XACT_ABORT OFF',
        ])
          assert.ok(batch.includes(`SET ${option};`), option);
    });

  for (const name of experiments) {
    const text = readLab(name);
    const code = listBatches(text);

    it(`say in the first line that they are not for production, and what they need of disk and time: ${name}`, () => {
      assert.match(text, /^Purpose: {2}Not for production\./m);
      assert.match(text, /^Needs: .*disk: .*time: /m);
      assert.match(text, /^PRINT N'PUBLISHED /m);
    });

    it(`refuse by default, outside of a test server, and where their database is there: ${name}`, () => {
      const [guard = ''] = code;
      assert.match(guard, /<this_is_a_test_server, nvarchar\(3\), NO>' <> N'YES'/);
      for (const reason of [
        typed,
        '@@TRANCOUNT > 0',
        'IS_SRVROLEMEMBER',
        'replica_id IS NOT NULL',
        '> 5 THEN',
        'DB_ID(N',
        'EngineEdition',
      ])
        assert.ok(guard.includes(reason), reason);
      assert.match(guard, /SET NOEXEC ON;\s+END;$/);
      const [, setUp = ''] = code;
      for (const reason of [
        typed,
        "NO>' = N'YES'",
        '@@TRANCOUNT = 0',
        '(@@OPTIONS & 2) = 0',
        "IS_SRVROLEMEMBER(N'sysadmin') = 1",
        'd.replica_id IS NOT NULL',
        '<= 5',
        ') IS NULL',
        'BETWEEN 1 AND 4',
      ])
        assert.ok(setUp.slice(0, setUp.indexOf('CREATE DATABASE')).includes(reason), `once more: ${reason}`);
      assert.equal(code.at(-1), 'SET NOEXEC OFF;');
    });

    it(`create, change and remove one database of their own and no other: ${name}`, () => {
      const named = new Set(
        [...text.matchAll(/(?:CREATE|ALTER|DROP) DATABASE \[(\w+)\]/g)].map((match) => match[1]),
      );
      assert.equal(named.size, 1);
      assert.match([...named][0] ?? '', /^CheckpointHealthLab\w+$/);
      assert.deepEqual([...text.matchAll(/(?:CREATE|ALTER|DROP) DATABASE (?!\[)/g)], []);
      const there = new Set([...text.matchAll(/N'\[(\w+)\]\.sys\.sp_executesql'/g)].map((match) => match[1]));
      assert.deepEqual([...there], [...named]);
    });

    it(`remove it after an error too, and only the one that they created: ${name}`, () => {
      const removing = code.at(-2) ?? '';
      const isOwn = /d\.create_date = l\.created/;
      assert.match(removing, isOwn);
      assert.ok(removing.search(isOwn) < removing.indexOf('DROP DATABASE'));
      const experiment = code.at(-3) ?? '';
      assert.match(experiment, /l\.is_ready = 1/);
      assert.match(experiment, /BEGIN TRY[\s\S]+END TRY\s+BEGIN CATCH/);
      // Everything that is done in the database stands within TRY.
      assert.ok(experiment.indexOf('EXECUTE @there') > experiment.indexOf('BEGIN TRY'));
      assert.ok(experiment.lastIndexOf('EXECUTE @there') < experiment.indexOf('END TRY'));
    });
  }
});
