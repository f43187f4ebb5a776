import assert from 'node:assert/strict';
import { createProgram } from '../../cli/src/commands/program';
import { readServerFile } from '../../cli/src/servers/server-file';

/** Takes the option, and does nothing. @throws what commander throws, whose message names the option */
function parse(command: string, ...args: readonly string[]): Record<string, unknown> {
  const program = createProgram(() => undefined);
  const chosen = program.commands.find((each) => each.name() === command);
  assert.ok(chosen);
  for (const each of [program, chosen]) each.exitOverride().configureOutput({ writeErr: () => undefined });
  chosen.action(() => undefined);
  program.parse([command, '--lake', 'lake', '--server', 'S', ...args], { from: 'user' });
  return chosen.opts();
}

describe('A number on the command line', () => {
  for (const [command, option, bad, least, most] of [
    ['check', '--server-seconds', '3000000', '1', '86,400'],
    ['check', '--days', '9007199254740991', '1', '3,650'],
    ['check', '--days', '0', '1', '3,650'],
    ['check', '--concurrency', '', '1', '1,000'],
    ['check', '--concurrency', '0x10', '1', '1,000'],
    ['check', '--days', '1e1', '1', '3,650'],
    ['collect', '--error-log-hours', '-1', '0', '8,760'],
    ['collect', '--server-seconds', '1.5', '1', '86,400'],
  ] as const)
    it(`is refused by a sentence that names its bounds: ${command} ${option} ${JSON.stringify(bad)}`, () => {
      assert.throws(() => parse(command, `${option}=${bad}`), {
        message: `error: option '${option} <number>' argument '${bad}' is invalid. Give a whole number from ${least} to ${most}.`,
      });
    });

  it('that is a bound is taken', () => {
    assert.equal(parse('check', '--server-seconds=86400').serverSeconds, 86_400);
    assert.equal(parse('collect', '--error-log-hours=0').errorLogHours, 0);
  });
});

describe('An argument that may hold a password', () => {
  const isRefused = (option: string, value: string) =>
    assert.throws(() => parse('script', '--output', 'O', '--reason', 'r', option, value), {
      message: new RegExp(`^${option}: It may contain a password\\. (?!.*canary)`),
    });

  it('is refused before anything is said or stored, by the name of its option', () => {
    for (const option of ['--lake', '--servers', '--group', '--user', '--token-host', '--policy', '--output'])
      for (const value of ['mssql://sa:canary@h', 'Server=h;User ID=sa;Password=canary', 'sa:canary@h'])
        isRefused(option, value);
    for (const value of ['see mssql://sa:canary@h', 'Server=h;User ID=sa;Password=canary'])
      isRefused('--reason', value);
    for (const value of ['sa/canary', 'sa:canary', 'CORP\\ann%canary']) isRefused('--user', value);
  });

  it('is none if it is a login, a path, a reason or a database as they are', () => {
    for (const [option, value] of [
      ['--user', 'CORP\\ann'],
      ['--user', 'ann@corp.example'],
      ['--output', '/srv/lake:2/ops'],
      ['--group', 'Production/Reports'],
      ['--reason', 'Second pass: 60 s was tested, mail:ann@corp.example'],
      ['--databases', ['secret:ops']],
    ] as const)
      assert.deepEqual(parse('script', '--output', 'O', option, ...[value].flat())[option.slice(2)], value);
    assert.equal(parse('collect', '--lake', 'C:\\ops@corp\\lake')['lake'], 'C:\\ops@corp\\lake');
  });
});

describe('A number in a list of servers', () => {
  const read = (fields: object): unknown =>
    readServerFile(JSON.stringify([{ server: 'S', ...fields }]), {
      authentication: 'sql',
      user: 'u',
      trustServerCertificate: false,
    });

  it('is refused by a sentence that names its bounds', () => {
    for (const connectTimeoutSeconds of [0, -1, 1e10, 1.5, '30'])
      assert.throws(() => read({ connectTimeoutSeconds }), {
        message:
          'Entry 1 of the list of servers, connectTimeoutSeconds: Give a whole number from 1 to 99,999.',
      });
    for (const port of [0, 65_536, '1433'])
      assert.throws(() => read({ port }), {
        message: 'Entry 1 of the list of servers, port: Give a whole number from 1 to 65,535.',
      });
    read({ connectTimeoutSeconds: 99_999, port: 65_535 });
  });
});
