import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { reviewTemplates } from '../../src/texts';

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

describe('The files that a person reviews and runs', () => {
  for (const [name, template] of Object.entries(reviewTemplates)) {
    const batches = listBatches(template);
    const [guard = '', ...others] = batches;

    it(`stop on another server and in a transaction, every batch, and leave the session usable: ${name}`, () => {
      assert.ok(guard.includes(`CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) = ${typed}`), 'unless equal');
      assert.match(guard, /@@TRANCOUNT (= 0|> 0)/);
      assert.ok([...guard.matchAll(/SET NOEXEC ON;/g)].length >= 2);
      assert.equal(batches.at(-1), 'SET NOEXEC OFF;');
      assert.doesNotMatch(guard, /\b(EXEC|EXECUTE|ALTER|CHECKPOINT)\b/);
      assert.doesNotMatch(template, /@@SERVERNAME/i);
    });

    it(`ask for the server and the transaction once more where they do something: ${name}`, () => {
      const working = others.filter((batch) => /\bEXECUTE\s+(sys\.sp_configure|@procedure)|ALTER DATABASE/.test(batch));
      assert.ok(working.length > 0);
      for (const batch of working) assert.ok(batch.includes(typed) && batch.includes('@@TRANCOUNT'), name);
    });

    it(`tell what was done as it is done: ${name}`, () => {
      assert.ok(others.some((batch) => /RAISERROR\(N'%s', 0, 1, @outcome\) WITH NOWAIT/.test(batch)));
      for (const word of ['LEFT ALONE', 'FAILED']) assert.ok(template.includes(`N'${word}`), word);
    });
  }
});

describe('The files of sql/lab', () => {
  it('are the experiments, a second window, and a page about them that says what was never executed', () => {
    assert.deepEqual(
      fs.readdirSync(lab).sort(),
      ['README.md', ...[...experiments, 'throttled-checkpoint-watch'].map((name) => `${name}.sql`)].sort(),
    );
    assert.match(fs.readFileSync(path.join(lab, 'README.md'), 'utf8'), /was never executed by us/);
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
      for (const reason of [typed, '@@TRANCOUNT > 0', 'IS_SRVROLEMEMBER', 'replica_id IS NOT NULL', '> 5 THEN', 'DB_ID(N', 'EngineEdition'])
        assert.ok(guard.includes(reason), reason);
      assert.match(guard, /SET NOEXEC ON;\s+END;$/);
      assert.equal(code.at(-1), 'SET NOEXEC OFF;');
    });

    it(`create, change and remove one database of their own and no other: ${name}`, () => {
      const named = new Set([...text.matchAll(/(?:CREATE|ALTER|DROP) DATABASE \[(\w+)\]/g)].map((match) => match[1]));
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
