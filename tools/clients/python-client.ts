import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installDebianPackages } from '../debian';
import { Refusal } from '../fail';
import { root } from '../packages';
import { runLeashed } from '../processes/leashed';

/** Everything that is fetched for the clients; ignored by git. */
export const clientsFolder = join(root, '.clients');

/**
 * Installs the packages of `requirements-NAME.txt`, pinned and held to their hashes, into an environment of their own, once. Gives its Python.
 * @throws Refusal where they cannot be had.
 */
export async function installPython(name: string): Promise<string> {
  const requirements = join(__dirname, `requirements-${name}.txt`);
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  const folder = join(clientsFolder, name);
  const python = join(folder, 'bin', 'python');
  const stamp = join(folder, 'installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return python;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(clientsFolder, { recursive: true });
  await createEnvironment(folder);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:', '--require-hashes'];
  const { exitCode, output } = await runLeashed(python, [...pip, '-r', requirements]);
  if (exitCode !== 0)
    throw new Refusal(
      `Python's packages for ${name} could not be installed (${lastLine(output)}): they need Linux on x64 and the package index.`,
    );
  writeFileSync(stamp, wanted);
  return python;
}

async function createEnvironment(folder: string): Promise<void> {
  const create = (): ReturnType<typeof runLeashed> => runLeashed('python3', ['-m', 'venv', folder]);
  const first = await create();
  if (first.exitCode === 0) return;
  if ((await installDebianPackages(['python3-venv'], 'Python environments')) && (await create()).exitCode === 0) return;
  throw new Refusal(`python3 -m venv failed (${lastLine(first.output)}): install Python 3.10 or newer with venv (Debian: python3-venv).`);
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
