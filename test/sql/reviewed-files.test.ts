import assert from 'node:assert/strict';
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
const { setTargetRecoveryTime, ...others } = reviewTemplates;

describe('The files that a person reviews and runs, beside the switch', () => {
  const programs = Object.entries(others).map(([name, template]) => ({ name, program: template.slice(template.indexOf('*/\n') + 3) }));
  const guard = `IF @@TRANCOUNT > 0 OR ISNULL(CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')), N'')\n    <> ${typed}\nBEGIN\n    RAISERROR(N'Stopped: `;

  it('are one batch that sets what it needs of the window once, and first', () => {
    for (const { name, program } of programs) {
      assert.ok(program.startsWith('SET NOCOUNT ON; SET ROWCOUNT 0; SET IMPLICIT_TRANSACTIONS OFF;'), name);
      assert.equal([...program.matchAll(/\bSET [A-Z_]+ (ON|OFF|0);/g)].length, 3, name);
      assert.doesNotMatch(program, /^GO$|NOEXEC|@@SERVERNAME/im, name);
    }
  });

  it('have one guard between what the work needs and the work, so that who selects both selects the guard', () => {
    for (const { name, program } of programs) {
      const parts = program.split(guard);
      assert.equal(parts.length, 2, name);
      const [before = '', behind = ''] = parts;
      assert.match(before, /DECLARE @(list table|reviewed int)/, name);
      assert.doesNotMatch(before.replace(/\/\*[\s\S]*?\*\//g, ''), /\b(EXEC|EXECUTE|ALTER|CHECKPOINT|RECONFIGURE)\b/, name);
      assert.match(behind, /^[^']*', 16, 1\);\n {4}RETURN;\nEND;\n/, name);
      assert.match(behind, /@list\b|@reviewed\b/, name);
    }
  });

  it('say what the statement is in one literal', () => {
    const statements = [
      /N'USE \[name\]; CHECKPOINT;'/,
      /N'USE \[name\]; CHECKPOINT \{seconds\};'/,
      /N'USE \[name\]; CHECKPOINT;'/,
      /ALTER DATABASE \[model\] SET TARGET_RECOVERY_TIME = .* SECONDS WITH NO_WAIT;/,
      /EXECUTE sys\.sp_configure N'recovery interval \(min\)', @wanted;/,
    ];
    programs.forEach(({ name, program }, at) => assert.match(program, statements[at] ?? /^$/, name));
  });

  it('end in an error where something failed, but only behind the one table', () => {
    for (const { name, program } of programs) {
      const tables = [...program.matchAll(/^SELECT (?!@|TOP)/gm)];
      assert.equal(tables.length, 1, name);
      if (!program.includes("N'FAILED")) continue;
      assert.match(program.slice(tables[0]?.index), /\nIF @\w+ (> 0|= 1|LIKE N'FAILED%') RAISERROR\(N'[^']*', 16, 1, @\w+\);/, name);
    }
  });
});

describe('The switch that a person reviews and runs', () => {
  it('stops on another server and in a transaction, in their one batch, before anything is looked at', () => {
    const [program = '', ...more] = listBatches(setTargetRecoveryTime);
    assert.deepEqual(more, []);
    assert.match(program, /^SET NOCOUNT ON; SET ROWCOUNT 0; SET IMPLICIT_TRANSACTIONS OFF;\n/);
    const guard = /IF @@TRANCOUNT > 0 OR [^]*?END;/.exec(program)?.[0] ?? '';
    assert.ok(guard.includes("SERVERPROPERTY(N'ServerName')") && guard.includes(`NOT IN (${typed})`), guard);
    assert.match(guard, /RAISERROR\(N'Stopped: [^']*', 16, 1\);\s+RETURN;\s+END;$/);
    assert.doesNotMatch(program.slice(0, program.indexOf(guard)), /\b(EXEC|EXECUTE|ALTER|SELECT|WHILE)\b/);
  });
});
