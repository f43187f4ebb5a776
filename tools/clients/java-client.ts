import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../fail';
import { runLeashed } from '../processes/leashed';
import { lastLine, requireProgram } from '../programs';
import { clientsFolder } from './python-client';

interface Jar {
  readonly artifact: string;
  readonly file: string;
  readonly sha256: string;
}

const jdbc: Jar = {
  artifact: 'com.microsoft.sqlserver:mssql-jdbc:12.8.1.jre11',
  file: 'mssql-jdbc-12.8.1.jre11.jar',
  sha256: 'e6933c0711e598a224060e52ed31392f720a4a7664e85d8ae37c52a85b67ebb0',
};

/** By the release of Spark that it goes with: that of requirements-lake.txt and that of requirements-spark-3.5.txt. */
const delta = {
  '4.0': [
    {
      artifact: 'io.delta:delta-spark_2.13:4.0.1',
      file: 'delta-spark_2.13-4.0.1.jar',
      sha256: 'a1e76860b19fe1e6b205a4ea7a9099a2f9575d39bb71d49b3e679b299d0efb91',
    },
    {
      artifact: 'io.delta:delta-storage:4.0.1',
      file: 'delta-storage-4.0.1.jar',
      sha256: 'ecc42c5aaa51c423312d9e4e48aa4a12b34740bf2c37de0e8f279277ec3d12e4',
    },
  ],
  '3.5': [
    {
      artifact: 'io.delta:delta-spark_2.12:3.3.2',
      file: 'delta-spark_2.12-3.3.2.jar',
      sha256: '4e92085d5d794cf949c50bb665b91384857cad58680c2d0bfc9c7ad353e98e85',
    },
    {
      artifact: 'io.delta:delta-storage:3.3.2',
      file: 'delta-storage-3.3.2.jar',
      sha256: 'c096975a2ca97ccc9b4005aa5cce16c9ac3903139d340da6665b66ace67d7c36',
    },
  ],
} as const satisfies Readonly<Record<string, readonly Jar[]>>;

/**
 * Fetches Microsoft's JDBC driver once with Maven, pinned and checked by its hash. Gives the jar.
 * @throws Refusal if it cannot be fetched: it needs a JDK of 17 or newer and Maven.
 */
export function installJdbc(): Promise<string> {
  return fetchJar('mssql-jdbc', "Microsoft's JDBC driver", jdbc);
}

/**
 * Fetches Delta Lake for one release of Spark, in the same way. Gives the jars.
 * @throws Refusal if it cannot be fetched: it needs a JDK of 17 or newer and Maven.
 */
export async function installDelta(spark: keyof typeof delta): Promise<readonly string[]> {
  const jars: string[] = [];
  for (const jar of delta[spark]) jars.push(await fetchJar('delta', 'Delta Lake for Spark', jar));
  return jars;
}

async function fetchJar(name: string, purpose: string, { artifact, file, sha256 }: Jar): Promise<string> {
  await requireProgram('javac', ['-version'], 'openjdk-17-jdk-headless', purpose);
  const folder = join(clientsFolder, name);
  const jar = join(folder, file);
  if (existsSync(jar)) return jar;
  await requireProgram('mvn', ['--version'], 'maven', purpose);
  const part = join(folder, 'part');
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const args = [
    '--quiet',
    '--batch-mode',
    '--strict-checksums',
    'dependency:copy',
    `-Dartifact=${artifact}`,
    `-DoutputDirectory=${part}`,
  ];
  const { exitCode, output } = await runLeashed('mvn', args, { cwd: folder });
  if (exitCode !== 0)
    throw new Refusal(`Maven could not fetch ${artifact} (${lastLine(output)}): check the network.`);
  const fetched = join(part, file);
  const hash = createHash('sha256').update(readFileSync(fetched)).digest('hex');
  if (hash !== sha256) throw new Error(`${file} is not the file that was tried: its SHA-256 is ${hash}`);
  renameSync(fetched, jar);
  rmSync(part, { recursive: true, force: true });
  return jar;
}
