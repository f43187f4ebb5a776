import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../fail';
import { root } from '../packages';
import { runLeashed } from '../processes/leashed';
import { installDebianPackages, lastLine } from '../programs';

/** Everything that is fetched for the clients; git ignores it. */
export const clientsFolder = join(root, '.clients');

/**
 * Installs the packages of `requirements-NAME.txt` once, pinned and checked by their hashes, into their own
 * environment. Gives its Python.
 * @throws Refusal if they cannot be fetched.
 */
export async function installPython(name: string): Promise<string> {
  return join(await installRequirements(name), 'bin', 'python');
}

/**
 * Fetches packages of which we need the files but not their Python. Takes those for one Python version, whichever is
 * installed here. Gives their folder.
 * @throws Refusal if they cannot be fetched.
 */
export async function unpackPython(name: string): Promise<string> {
  return join(
    await installRequirements(name, ['--python-version', '3.11', '--platform', 'manylinux1_x86_64']),
    'packages',
  );
}

async function installRequirements(name: string, foreign: readonly string[] = []): Promise<string> {
  const requirements = join(__dirname, `requirements-${name}.txt`);
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  const wanted = [hash, ...foreign].join(' ');
  const folder = join(clientsFolder, name);
  const python = join(folder, 'bin', 'python');
  const stamp = join(folder, 'installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(clientsFolder, { recursive: true });
  await createEnvironment(folder);
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--only-binary',
    ':all:',
    '--require-hashes',
  ];
  const target = foreign.length > 0 ? ['--target', join(folder, 'packages'), ...foreign] : [];
  const { exitCode, output } = await runLeashed(python, [...pip, ...target, '-r', requirements]);
  if (exitCode !== 0)
    throw new Refusal(
      `Python's packages for ${name} could not be installed (${lastLine(output)}): they need Linux on x64 and the package index.`,
    );
  writeFileSync(stamp, wanted);
  return folder;
}

async function createEnvironment(folder: string): Promise<void> {
  const create = (): ReturnType<typeof runLeashed> => runLeashed('python3', ['-m', 'venv', folder]);
  const first = await create();
  if (first.exitCode === 0) return;
  if (
    (await installDebianPackages(['python3-venv'], 'Python environments')) &&
    (await create()).exitCode === 0
  )
    return;
  throw new Refusal(
    `python3 -m venv failed (${lastLine(first.output)}): install Python 3.10 or newer with venv (Debian: python3-venv).`,
  );
}
