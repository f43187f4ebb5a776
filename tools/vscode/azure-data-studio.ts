import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../fail';
import type { Editor } from './server';

/**
 * The variable that names the folder of a built Azure Data Studio server: out/server-main.js, product.json, and its
 * Node as the program `node`.
 */
const azureDataStudioVariable = 'AZURE_DATA_STUDIO';

/**
 * The Azure Data Studio server that the environment names.
 * @throws Refusal if it names none, or if the folder contains none: then nothing can be run
 */
export function findAzureDataStudio(env: NodeJS.ProcessEnv): Editor {
  const folder = env[azureDataStudioVariable];
  if (!folder)
    throw new Refusal(
      `Not run: set ${azureDataStudioVariable} to a folder with a built server of Azure Data Studio (out/server-main.js, and its Node as the program node). None can be downloaded.`,
    );
  const [node, program] = [join(folder, 'node'), join(folder, 'out', 'server-main.js')];
  for (const file of [node, program])
    if (!existsSync(file))
      throw new Refusal(`Not run: ${azureDataStudioVariable} is ${folder}, and ${file} is not there.`);
  return { node, program, env: isRunFromSources(folder) ? { VSCODE_DEV: '1', NODE_ENV: 'development' } : {} };
}

/** Only a packaged build knows its commit. One that was only compiled must be told that it runs from sources. */
function isRunFromSources(folder: string): boolean {
  return (
    (JSON.parse(readFileSync(join(folder, 'product.json'), 'utf8')) as { commit?: string }).commit ===
    undefined
  );
}
