import { ofTests, type Stage } from '../checks/stages';
import { installDelta, installJdbc } from './java-client';
import { installKerberos } from './kerberos';
import { installPython } from './python-client';
import { installSqlToolsService } from './sql-tools-service';

/** A Python, and which readers of `lake_readers.py` it can run. */
interface LakeReaders {
  readonly readers: readonly string[];
  readonly python: string;
  readonly jars: readonly string[];
}

/**
 * Two releases of Spark with Delta Lake, DuckDB, delta-rs and pandas, to read a lake. Each Spark has a Python of its
 * own.
 * @throws Refusal if they cannot be installed.
 */
export async function installLakeReaders(): Promise<readonly LakeReaders[]> {
  return [
    {
      readers: ['duckdb', 'delta-rs', 'pandas', 'spark'],
      jars: await installDelta('4.0'),
      python: await installPython('lake'),
    },
    { readers: ['spark'], jars: await installDelta('3.5'), python: await installPython('spark-3.5') },
  ];
}

/**
 * The clients of `test/clients/clients.test.ts`, each by its name, the domain of `kerberos.test.ts` and the readers of
 * `lake.test.ts`. All were written by others. One that cannot be installed is skipped, with its reason.
 */
export const clientStages: readonly Stage[] = [
  ofClient('pytds', () => installPython('pytds')),
  ofClient('mssql-python', () => installPython('mssql-python')),
  ofClient('mssql-jdbc', installJdbc),
  ofClient('sql-tools-service', installSqlToolsService),
  ofClient('kerberos', installKerberos),
  ofClient('lake', installLakeReaders),
];

/** A second program, in Python, that computes every figure of docs/evidence.md. */
export function auditStage(env: NodeJS.ProcessEnv): Stage {
  return {
    ...ofTests('audit', { files: ['test/audit/*.test.ts'], env }),
    prepare: () => installPython('audit'),
  };
}

/** @param install throws a Refusal if the client cannot be installed on this machine */
function ofClient(name: string, install: () => Promise<unknown>): Stage {
  const file = name === 'lake' || name === 'kerberos' ? name : 'clients';
  return {
    ...ofTests(name, { files: [`test/clients/${file}.test.ts`], env: { CLIENT: name } }),
    prepare: install,
  };
}
