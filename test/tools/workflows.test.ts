import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { parts } from '../../tools/checks/parts';
import { root } from '../../tools/packages';

const github = join(root, '.github');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly 'timeout-minutes'?: number;
  readonly permissions?: object;
  /** Another workflow of ours, instead of steps. */
  readonly uses?: string;
  readonly steps?: readonly Step[];
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown>> };
}
interface Workflow {
  readonly permissions: unknown;
  readonly concurrency: { readonly group: string };
  readonly jobs: Readonly<Record<string, Job>>;
}

/** The files of a folder as values; one that is not well-formed fails. */
function readAll<T>(folder: string): Map<string, T> {
  const files = readdirSync(join(github, folder)).filter((name) => name.endsWith('.yml'));
  return new Map(
    files.map((name) => {
      const document = parseDocument(readFileSync(join(github, folder, name), 'utf8'));
      assert.deepEqual([...document.errors, ...document.warnings], [], name);
      return [name, document.toJS() as T];
    }),
  );
}

/** The scripts of package.json that a text starts: `npm test`, `npm run lint`. */
function listScripts(text: string): readonly string[] {
  return [...text.matchAll(/\bnpm (?:run (?:-s |--silent )?)?([\w:-]+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !['ci', 'audit', 'outdated'].includes(name));
}

describe('The workflows', () => {
  const workflows = readAll<Workflow>('workflows');
  const jobs = [...workflows].flatMap(([name, { jobs: own }]) =>
    Object.entries(own).map(([id, job]) => ({ name: `${name} ${id}`, ...job, steps: job.steps ?? [] })),
  );

  it('use every action at one commit, which nobody can move, with its version beside it', () => {
    const folder = join(github, 'workflows');
    const uses = readdirSync(folder).flatMap(
      (name) => readFileSync(join(folder, name), 'utf8').match(/^.*\buses:.*$/gm) ?? [],
    );
    assert.ok(uses.length > 0);
    for (const line of uses)
      assert.match(
        line,
        /\buses: ([\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/workflows\/\w+\.yml)$/,
      );
  });

  it('start only scripts that package.json has', () => {
    const started = jobs.flatMap(({ steps }) => steps.flatMap(({ run = '' }) => listScripts(run)));
    started.push(...listScripts(readFileSync(join(root, '.ci', 'run'), 'utf8')));
    assert.ok(
      started.includes('test') && started.includes('test:live') && started.includes('sbom'),
      started.join(),
    );
    assert.deepEqual(
      started.filter((name) => !(name in scripts)),
      [],
    );
  });

  it('may read the code and nothing else, but for the one job that makes a release', () => {
    for (const [name, { permissions, concurrency }] of workflows) {
      assert.deepEqual(permissions, { contents: 'read' }, name);
      assert.ok(concurrency.group.includes('github.ref'), name);
    }
    const more = jobs.filter(({ permissions }) => permissions !== undefined);
    assert.deepEqual(
      more.map(({ name, permissions }) => [name, permissions]),
      [['release.yml release', { contents: 'write', 'id-token': 'write', attestations: 'write' }]],
    );
    assert.deepEqual(
      listScripts(more[0]?.steps.map(({ run = '' }) => run).join('\n') ?? ''),
      [],
      'it runs no code of a package',
    );
  });

  it('fail for a package with a known vulnerability that is high or critical', () => {
    const audits = jobs
      .filter(({ name }) => name === 'Known vulnerabilities of packages')
      .flatMap(({ steps }) => steps.map(({ run }) => run));
    assert.ok(audits.includes('npm audit --audit-level=high'), audits.join());
  });

  it('run every part of the long tests, each night and before a release', () => {
    const { jobs: own } = workflows.get('long.yml')!;
    assert.deepEqual(own['part']?.strategy?.matrix['part'], Object.keys(parts));
    assert.equal(workflows.get('release.yml')!.jobs['long']?.uses, './.github/workflows/long.yml');
  });

  it('release only what a second build gives byte for byte, with its packages and with where it was built', () => {
    const steps = jobs.filter(({ name }) => name.startsWith('release.yml ')).flatMap((job) => job.steps);
    const runs = steps.map(({ run = '' }) => run).join('\n');
    for (const part of [
      'npm run package\ncmp first.vsix artifacts/checkpoint-health.vsix',
      'npm run sbom',
      'sha256sum --check',
    ])
      assert.ok(runs.includes(part), part);
    const attested = steps.filter(({ uses = '' }) => uses.startsWith('actions/attest@'));
    assert.deepEqual(
      attested.map(({ with: inputs }) => Object.keys(inputs ?? {})),
      [['subject-path'], ['subject-path', 'sbom-path'], ['subject-path', 'sbom-path']],
    );
  });

  it('publish in each gallery the package that was attested, each with its own secret and no other', () => {
    const { steps } = jobs.find(({ name }) => name === 'release.yml gallery')!;
    const runs = steps.map(({ run = '' }) => run).join('\n');
    assert.match(runs, /sha256sum --check SHA256SUMS/);
    assert.match(runs, /npx --yes \$\{\{ matrix\.publish \}\} release\/checkpoint-health-\*\.vsix/);
    assert.doesNotMatch(runs, /npm (ci|run|test)/);
    const secrets = jobs.flatMap((job) => job.steps.flatMap(({ env = {} }) => Object.values(env)));
    const named = secrets.flatMap((value) => String(value).match(/secrets\.\w+/g) ?? []);
    assert.deepEqual(
      named.filter((name) => /_PAT$/.test(name)),
      ['secrets.VSCE_PAT', 'secrets.OVSX_PAT'],
    );
  });

  it('end by themselves, and put nothing that somebody else wrote into a shell', () => {
    for (const job of jobs) {
      assert.ok(job.uses !== undefined || (job['timeout-minutes'] ?? 0) > 0, job.name);
      for (const { run = '' } of job.steps)
        assert.doesNotMatch(run, /\$\{\{\s*(github\.(event|head_ref|ref_name)|inputs)/, job.name);
    }
  });
});

describe('The scripts of package.json', () => {
  it('mean the same in every shell: Windows has another one', () => {
    for (const [name, script] of Object.entries(scripts))
      assert.doesNotMatch(script, /'|\$|^\w+=|[`;]/, name);
  });
});
