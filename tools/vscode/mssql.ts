import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installSqlToolsService, type InstalledService } from '../clients/sql-tools-service';
import { Refusal } from '../fail';
import { installNewestVsCode } from './server';

/** The variable that names a VSIX of VS Code's SQL Server extension. */
const mssqlVariable = 'MSSQL_VSIX';
/**
 * The variable that names a folder with a SQL Tools Service for it; by default the service of
 * `npm run test:long -- clients`.
 */
const serviceVariable = 'SQLTOOLSSERVICE';

/** The programs that the extension looks for and starts. */
const programs = ['MicrosoftSqlToolsServiceLayer', 'SqlToolsResourceProviderService'] as const;
const helpTimeoutMs = 20_000;

/**
 * The VSIX that the environment names.
 * @throws Refusal if it names none, or one that does not exist: then nothing can be run
 */
export function findMssqlVsix(env: NodeJS.ProcessEnv): string {
  const file = env[mssqlVariable];
  if (!file)
    throw new Refusal(
      `Not run: set ${mssqlVariable} to a VSIX of VS Code's SQL Server extension. None can be downloaded.`,
    );
  const needed = [file, ...(env[serviceVariable] ? [join(env[serviceVariable], programs[0])] : [])];
  for (const one of needed) if (!existsSync(one)) throw new Refusal(`Not run: ${one} is not there.`);
  return file;
}

/** Installs what the named extension needs. @throws Refusal as findMssqlVsix, and if something cannot be installed */
export async function installMssql(env: NodeJS.ProcessEnv) {
  const vsix = findMssqlVsix(env);
  const named = env[serviceVariable];
  const service = named ? { program: join(named, programs[0]), env: {} } : await installSqlToolsService();
  return {
    // The extension needs a newer VS Code than the other tests.
    editor: await installNewestVsCode(),
    vsix,
    env: service.env,
    /** Puts the service where the installed extension looks before it downloads one. */
    completeExtensions: (folder: string) => placeService(folder, service),
  };
}

/**
 * In the place where an offline VSIX has it: `sqltoolsservice/<version>/<platform>`. An extension with its own service
 * keeps that.
 */
async function placeService(extensions: string, service: InstalledService): Promise<void> {
  const name = readdirSync(extensions).find((one) => one.startsWith('ms-mssql.mssql-'));
  if (name === undefined) throw new Refusal(`Not run: the VSIX in ${mssqlVariable} is not ms-mssql.mssql.`);
  const extension = join(extensions, name);
  if (existsSync(join(extension, 'sqltoolsservice'))) return;
  const [, version] =
    /\bversion:\s*"(\d+\.\d+\.\d{8}\.\d+)"/.exec(
      readFileSync(join(extension, 'dist', 'extension.js'), 'utf8'),
    ) ?? [];
  if (version === undefined)
    throw new Refusal('Not run: the extension does not say which version of SQL Tools Service it looks for.');
  const folder = join(extension, 'sqltoolsservice', version, process.platform === 'darwin' ? 'OSX' : 'Linux');
  mkdirSync(folder, { recursive: true });
  for (const program of programs) {
    const launcher = await writeLauncher(join(dirname(service.program), program), service.env);
    writeFileSync(join(folder, program), launcher, { mode: 0o755 });
  }
}

/** A service that does not know today's arguments gets a bridge (old-service.js). */
async function writeLauncher(program: string, env: NodeJS.ProcessEnv): Promise<string> {
  const help = await readHelp(program, env);
  const known: readonly string[] = help.match(/--[a-z-]+/g) ?? [];
  const isOld = known.includes('--log-file') && !known.includes('--parallel-message-processing');
  const before = isOld
    ? `'${process.execPath}' '${join(__dirname, 'old-service.js')}' '${program}' '${known.join(',')}'`
    : `'${program}'`;
  return `#!/bin/sh\nexec ${before} "$@"\n`;
}

/** A service of 2020 prints its help and crashes. */
function readHelp(program: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: helpTimeoutMs };
    execFile(program, ['--help'], options, (_error, stdout) => resolve(stdout));
  });
}
