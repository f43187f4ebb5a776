import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../fail';
import { runLeashed } from '../processes/leashed';
import { lastLine, requireProgram } from '../programs';
import { clientsFolder } from './python-client';

const jdbc = { artifact: 'com.microsoft.sqlserver:mssql-jdbc:12.8.1.jre11', file: 'mssql-jdbc-12.8.1.jre11.jar' } as const;
const jdbcSha256 = 'e6933c0711e598a224060e52ed31392f720a4a7664e85d8ae37c52a85b67ebb0';

/**
 * Fetches Microsoft's JDBC driver once with Maven, pinned and checked by its hash. Gives the jar.
 * @throws Refusal if it cannot be fetched: it needs a JDK of 17 or newer and Maven.
 */
export async function installJdbc(): Promise<string> {
  await requireProgram('javac', ['-version'], 'openjdk-17-jdk-headless', "Microsoft's JDBC driver");
  const folder = join(clientsFolder, 'mssql-jdbc');
  const jar = join(folder, jdbc.file);
  if (existsSync(jar)) return jar;
  await requireProgram('mvn', ['--version'], 'maven', "Microsoft's JDBC driver");
  const part = join(folder, 'part');
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const args = [
    '--quiet',
    '--batch-mode',
    '--strict-checksums',
    'dependency:copy',
    `-Dartifact=${jdbc.artifact}`,
    `-DoutputDirectory=${part}`,
  ];
  const { exitCode, output } = await runLeashed('mvn', args, { cwd: folder });
  if (exitCode !== 0) throw new Refusal(`Maven could not fetch ${jdbc.artifact} (${lastLine(output)}): check the network.`);
  const fetched = join(part, jdbc.file);
  const hash = createHash('sha256').update(readFileSync(fetched)).digest('hex');
  if (hash !== jdbcSha256) throw new Error(`${jdbc.file} is not the file that was tried: its SHA-256 is ${hash}`);
  renameSync(fetched, jar);
  rmSync(part, { recursive: true, force: true });
  return jar;
}
