import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createProgram } from '../../cli/src/commands/program';
import { readServerFile } from '../../cli/src/servers/server-file';
import { root } from '../../tools/packages';
import { valuesOf } from '../core/values-of';
import { makeFolder } from '../temporary-folder';

const folder = join(root, 'examples');
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

function listFiles(below = ''): readonly string[] {
  return readdirSync(join(folder, below)).flatMap((name) => {
    const path = below === '' ? name : `${below}/${name}`;
    return statSync(join(folder, path)).isDirectory() ? listFiles(path) : [path];
  });
}

describe('The examples', () => {
  it('are each named in their README', () => {
    const readme = read('README.md');
    for (const path of listFiles().filter((each) => each !== 'README.md'))
      assert.ok(
        readme.includes(path.endsWith('.timer') ? path.replace('.timer', '.service`, `.timer') : path),
        path,
      );
  });

  it('give commands and options that the program has', () => {
    const program = createProgram(() => undefined);
    const lines = listFiles().flatMap((path) =>
      [
        ...read(path).matchAll(
          /(?:^|[\s;"'])(?:\S*[\\/])?checkpoint-health(?:\.js)?"? (?=(?:--\w+ )|[a-z]+ --|compact)([^'\n`]*)/g,
        ),
      ].map(([, line = '']) => ({ path, words: line.split(/\s+/) })),
    );
    assert.equal(new Set(lines.map(({ path }) => path)).size, 6);
    for (const { path, words } of lines) {
      const command = program.commands.find((each) => words.includes(each.name()));
      assert.ok(command !== undefined, `${path}: ${words.join(' ')}`);
      const known = new Set([...program.options, ...command.options].map(({ long }) => long));
      for (const word of words.filter((each) => each.startsWith('--')))
        assert.ok(known.has(word), `${path}: ${command.name()} ${word}`);
    }
  });

  it('have a list of servers that can be read', () => {
    const servers = readServerFile(read('servers.json'), {
      authentication: 'sql',
      user: '',
      trustServerCertificate: false,
    });
    assert.deepEqual(valuesOf(servers, 'name'), ['SQL01', 'SQL02']);
  });

  it('have lines for cron with five fields, no % that cron would cut at, and a command that sh can read', () => {
    const jobs = read('cron/checkpoint-health')
      .split('\n')
      .filter((line) => line !== '' && !/^(#|\w+=)/.test(line));
    assert.equal(jobs.length, 2);
    const bounds = [59, 23, 31, 12, 7] as const;
    for (const job of jobs) {
      const [, fields = '', command = ''] = /^((?:\S+ ){5})(.*)$/.exec(job) ?? [];
      for (const [at, field] of fields.trim().split(' ').entries()) {
        const [, number, step] = /^(?:\*|(\d+))(?:\/(\d+))?$/.exec(field) ?? assert.fail(`${job}: ${field}`);
        for (const each of [number, step]) assert.ok(Number(each ?? 0) <= (bounds[at] as number), field);
      }
      assert.doesNotMatch(command, /%/);
      assert.equal(spawnSync('sh', ['-n', '-c', command]).status, 0, command);
    }
  });

  it('have units that systemd accepts', function () {
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) return this.skip();
    const units = listFiles('systemd').map((path) => join(folder, path));
    const good = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
    assert.deepEqual([good.status, good.stderr.trim()], [0, '']);
    const trial = makeFolder();
    writeFileSync(
      join(trial, 'bad.timer'),
      read('systemd/checkpoint-health.timer').replace('*:0/15', 'every now and then'),
    );
    const bad = spawnSync('systemd-analyze', ['verify', join(trial, 'bad.timer')], { encoding: 'utf8' });
    assert.match(bad.stderr, /every now and then/);
  });

  it('have a workflow that is YAML, with each action at one commit and its version beside it', () => {
    const text = read('github/collect.yml');
    const { jobs } = parse(text) as {
      jobs: Record<string, { steps: readonly { uses?: string; run?: string }[] }>;
    };
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    assert.ok(steps.some(({ run }) => run?.includes('collect --servers')));
    const used = [...text.matchAll(/uses: (.*)/g)].map(([, use = '']) => use);
    assert.equal(used.length, 2);
    for (const use of used) assert.match(use, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('hold no secret', () => {
    for (const path of listFiles())
      assert.doesNotMatch(read(path), /PASSWORD\s*[=:]\s*['"]?(?!\$|\.\.\.|'?\.)\w/, path);
  });
});
