import { existsSync } from 'node:fs';
import { runLeashed } from './processes/leashed';

let isUpdated = false;

/** Whether this is a Debian (or a descendant) and we are root. */
export function mayInstallDebianPackages(): boolean {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0;
}

/** Installs Debian packages where this is Debian and we are root, announcing it in one line. Gives whether they are there now. */
export async function installDebianPackages(names: readonly string[], why: string): Promise<boolean> {
  if (!mayInstallDebianPackages()) return false;
  console.log(`Installing ${why} (apt-get install --no-install-recommends ${names.join(' ')}) ...`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (!isUpdated) isUpdated = (await runLeashed('apt-get', ['update', '-q'], { env })).exitCode === 0;
  const { exitCode } = await runLeashed('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...names], { env });
  return exitCode === 0;
}
