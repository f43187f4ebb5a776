import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { SHELLS, writeCompletion } from '../../cli/src/commands/completion';
import { createProgram } from '../../cli/src/commands/program';

const program = createProgram(() => undefined);

/** What bash offers for the last of these words. */
function complete(...words: readonly string[]): readonly string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const script = `${writeCompletion('bash', program)}
COMP_WORDS=(checkpoint-health ${line}); COMP_CWORD=${words.length}
_checkpoint_health
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.split('\n').filter((each) => each !== '');
}

describe('Completion in bash', () => {
  before(function () {
    if (spawnSync('bash', ['--version']).status !== 0) this.skip();
  });

  it('offers each command', () => {
    const offered = complete('');
    for (const command of program.commands) assert.ok(offered.includes(command.name()), command.name());
    assert.deepEqual(complete('doc'), ['doctor']);
  });

  it('offers the options of the command that was given, and those of all commands', () => {
    assert.deepEqual(complete('start', '--take'), ['--take-over']);
    assert.deepEqual(complete('collect', '--take'), []);
    assert.deepEqual(complete('--quiet', 'collect', '--try'), ['--try-all']);
    assert.deepEqual(complete('collect', '--q'), ['--quiet']);
  });

  it('offers the values of an option and of an argument, and leaves files to the shell', () => {
    assert.deepEqual(complete('collect', '--authentication', ''), ['sql', 'windows', 'integrated', 'entra']);
    assert.deepEqual(complete('completion', ''), [...SHELLS, ...complete('completion', '--')]);
    assert.deepEqual(complete('collect', '--servers', ''), []);
    assert.deepEqual(complete('collect', '--user', ''), []);
  });
});

describe('Completion', () => {
  it('names every option of every command in every shell', () => {
    for (const shell of SHELLS) {
      const script = writeCompletion(shell, program);
      for (const command of program.commands)
        for (const { long } of command.options) assert.ok(script.includes(long ?? ''), `${shell}: ${long}`);
    }
  });
});
