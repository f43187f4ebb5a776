import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CollectOptions, runCollect } from '../../../cli/src/commands/collect';
import { readDataFiles } from '../../../src/lake/data-files';
import { Lake } from '../../../src/lake/lake';
import { openFleet, type SimulatedFleet } from './simulated-fleet';

let fleet: SimulatedFleet;

async function collect(more: Partial<CollectOptions> = {}): Promise<number> {
  const options = {
    ...fleet.options,
    lake: join(fleet.folder, 'lake'),
    concurrency: 4,
    samples: false,
    errorLogHours: 0,
    serverSeconds: 60,
  };
  return runCollect({ ...options, logInAgain: false, tryAll: false, ...more }, fleet.output);
}

async function listOutcomes(): Promise<readonly unknown[]> {
  const lake = await Lake.open(join(fleet.folder, 'lake'));
  const { outcome = [] } = await readDataFiles(lake.folder, 'runs', [...(await lake.table('runs')).files.values()]);
  return outcome;
}

const countLogins = (): readonly number[] => fleet.simulators.map(({ server }) => server.ledger.logins.length);

describe('Collecting from a server that refused the login', function () {
  this.timeout(60_000);
  afterEach(() => fleet.dispose());

  it('sends the login again only if it is told to', async () => {
    fleet = await openFleet(1, { password: 'wr0ng-Secret' });
    assert.equal(await collect(), 4);
    assert.equal(await collect(), 4);
    assert.deepEqual(countLogins(), [1]);
    assert.deepEqual(await listOutcomes(), ['login refused', 'login refused']);
    assert.match(fleet.said.error, /S0: login refused\. It was refused before, at .* collect --log-in-again tries it once more/);
    process.env.CHECKPOINT_HEALTH_PASSWORD = fleet.simulators[0]!.administrator.password;
    assert.equal(await collect(), 4, 'nobody can tell that the password is another one');
    assert.equal(await collect({ logInAgain: true }), 0);
    assert.equal(await collect(), 0);
  });

  it('does not remember against one server that another refused the same login', async () => {
    fleet = await openFleet(2, { user: 'CONTOSO\\svc-monitor', password: 'wr0ng-Secret' });
    const file = fleet.options.servers!;
    const servers = JSON.parse(readFileSync(file, 'utf8')) as object[];
    writeFileSync(file, JSON.stringify(servers.map((each) => ({ ...each, authentication: 'windows' }))));
    assert.equal(await collect({ concurrency: 1 }), 4);
    assert.deepEqual(countLogins(), [1, 0]);
    assert.deepEqual([...(await listOutcomes())].sort(), ['held back', 'login refused']);
    assert.match(fleet.said.error, /A Windows login needs its name .* Kerberos/);
    process.env.CHECKPOINT_HEALTH_PASSWORD = fleet.simulators[0]!.administrator.password;
    assert.equal(await collect({ concurrency: 1 }), 3);
    assert.equal(countLogins()[0], 1);
    assert.ok(countLogins()[1]! >= 1, 'the other server is asked');
  });
});

describe('Collecting from a server that is not there', function () {
  this.timeout(60_000);
  afterEach(() => fleet.dispose());

  it('leaves it alone in the next run, unless it is told to try all', async () => {
    fleet = await openFleet(1);
    const file = fleet.options.servers!;
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole.replace(/"port":\d+/, '"port":1'));
    await collect();
    writeFileSync(file, whole);
    assert.equal(await collect(), 4);
    assert.equal(await collect({ tryAll: true }), 0);
    assert.equal(await collect(), 0);
    assert.deepEqual((await listOutcomes()).slice(0, 2), ['not reached', 'held back']);
  });
});

describe('Secrets', function () {
  this.timeout(60_000);
  afterEach(() => fleet.dispose());

  it('are in no output, no file of the lake and no file of the configuration, whether the login is good or refused', async () => {
    fleet = await openFleet(1);
    const { password } = fleet.simulators[0]!.administrator;
    await collect();
    process.env.CHECKPOINT_HEALTH_PASSWORD = 'canary-of-a-password';
    await collect({ logInAgain: true });
    process.env.CHECKPOINT_HEALTH_TOKEN = 'canary-of-a-token';
    writeFileSync(
      fleet.options.servers!,
      readFileSync(fleet.options.servers!, 'utf8').replace('"name"', '"authentication":"entra","name"'),
    );
    await collect({ logInAgain: true });
    delete process.env.CHECKPOINT_HEALTH_TOKEN;
    const bin = join(fleet.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'az'), '#!/bin/sh\necho canary-of-az\necho canary-of-az >&2\n', { mode: 0o755 });
    process.env.PATH = `${bin}:${process.env.PATH}`;
    await collect({ logInAgain: true });
    writeFileSync(join(bin, 'az'), '#!/bin/sh\necho canary-of-az is broken\necho canary-of-az >&2\nexit 1\n');
    await collect({ logInAgain: true });
    assert.match(fleet.said.error, /The Azure CLI gave no access token/);
    const secrets = [password, 'canary-of-a-password', 'canary-of-a-token', 'canary-of-az'];
    const files = listFiles(fleet.folder).filter((path) => !path.startsWith(bin));
    assert.ok(files.length > 5);
    // Parquet may pack what it holds, so rows are searched as rows too.
    const lake = await Lake.open(join(fleet.folder, 'lake'));
    const rows = await Promise.all(
      (['runs', 'facts', 'answers', 'collector'] as const).map(async (name) =>
        readDataFiles(lake.folder, name, [...(await lake.table(name)).files.values()]),
      ),
    );
    const values = rows.flatMap((table) => Object.values(table).flat());
    const texts = values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value))).join('\n');
    assert.match(texts, /"refusal":\{"account"/, 'states are searched');
    assert.match(texts, /The Azure CLI gave no access token/, 'reasons are searched');
    for (const secret of secrets) {
      assert.ok(!texts.includes(secret), secret);
      assert.ok(!`${fleet.said.out}${fleet.said.error}`.includes(secret), secret);
      for (const path of files) assert.ok(!readFileSync(path).includes(secret), `${secret} in ${path}`);
    }
  });
});

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? listFiles(path) : [path]));
}
