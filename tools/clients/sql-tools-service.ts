import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../fail';
import { installDebianPackages } from '../programs';
import { unpackPython } from './python-client';

export interface InstalledService {
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The SQL Tools Service of 2020 from mssql-cli, the only one in a package registry. Its .NET needs libssl 1.1, which is
 * in MySQL's connector, and ICU: without ICU it runs, but Object Explorer does not.
 * @throws Refusal if it cannot be fetched.
 */
export async function installSqlToolsService(): Promise<InstalledService> {
  const packages = await unpackPython('sql-tools-service');
  const program = join(packages, 'mssqlcli', 'mssqltoolsservice', 'bin', 'MicrosoftSqlToolsServiceLayer');
  if (!existsSync(program)) throw new Error(`the mssql-cli package has no ${program}`);
  chmodSync(program, 0o755);
  const icu = await requireIcu();
  const libraries = join(packages, 'mysql', 'vendor');
  return {
    program,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: libraries,
      DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '0',
      CLR_ICU_VERSION_OVERRIDE: icu,
      // Otherwise a service that is ended leaves its debugger's pipes in the temporary folder.
      COMPlus_EnableDiagnostics: '0',
    },
  };
}

/** The version of this machine's ICU. A .NET of 2020 only looks for older ones unless it is told. */
async function requireIcu(): Promise<string> {
  const found = findIcu();
  if (found !== undefined) return found;
  await installDebianPackages(['libicu72'], 'ICU, for SQL Tools Service');
  const installed = findIcu();
  if (installed === undefined)
    throw new Refusal(
      'SQL Tools Service needs ICU: install it (Debian: apt-get install libicu72) and run it again.',
    );
  return installed;
}

function findIcu(): string | undefined {
  const folders = ['/usr/lib/x86_64-linux-gnu', '/usr/lib64', '/usr/lib'].filter((folder) =>
    existsSync(folder),
  );
  const versions = folders
    .flatMap((folder) => readdirSync(folder))
    .map((name) => /^libicuuc\.so\.(\d+\.\d+)$/.exec(name)?.[1]);
  return versions.find((version) => version !== undefined);
}
