import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { Refusal } from './fail';
import { runLeashed } from './processes/leashed';

const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
let isUpdated = false;

/** Whether this is a Debian (or a descendant) and we are root. */
export function mayInstallDebianPackages(): boolean {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0;
}

/**
 * Installs Debian packages if this is a Debian and we are root, and says so in one line. Gives whether they are
 * installed now.
 */
export async function installDebianPackages(names: readonly string[], why: string): Promise<boolean> {
  if (!mayInstallDebianPackages()) return false;
  console.log(`Installing ${why} (apt-get install --no-install-recommends ${names.join(' ')}) ...`);
  await updateLists();
  const { exitCode } = await runLeashed(
    'apt-get',
    ['install', '-q', '-y', '--no-install-recommends', ...names],
    { env },
  );
  return exitCode === 0;
}

async function updateLists(): Promise<void> {
  if (!isUpdated) isUpdated = (await runLeashed('apt-get', ['update', '-q'], { env })).exitCode === 0;
}

/**
 * Unpacks Debian packages into a folder: nothing is installed, and no service begins. If this is no Debian or we are
 * not root, gives false.
 */
export async function unpackDebianPackages(names: readonly string[], folder: string): Promise<boolean> {
  if (!mayInstallDebianPackages()) return false;
  await updateLists();
  mkdirSync(folder, { recursive: true });
  const { exitCode } = await runLeashed('apt-get', ['download', '-q', ...names], { cwd: folder, env });
  if (exitCode !== 0) return false;
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.deb')))
    if ((await runLeashed('dpkg', ['-x', file, '.'], { cwd: folder })).exitCode !== 0) return false;
  return true;
}

/** Whether a program is installed and runs. */
export async function answers(program: string, args: readonly string[]): Promise<boolean> {
  return (await runLeashed(program, args)).exitCode === 0;
}

/**
 * Installs a program from its Debian package if it is missing.
 * @throws Refusal in one sentence that says what to install.
 */
export async function requireProgram(
  program: string,
  args: readonly string[],
  debianPackage: string,
  why: string,
): Promise<void> {
  if (await answers(program, args)) return;
  if ((await installDebianPackages([debianPackage], why)) && (await answers(program, args))) return;
  throw new Refusal(
    `${why} needs ${program}: install it (Debian: apt-get install ${debianPackage}) and run it again.`,
  );
}

/** The last line of a program's output, which says why it failed. */
export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
