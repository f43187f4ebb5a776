import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../fail';
import { runLeashed } from '../processes/leashed';
import { answers, installDebianPackages, lastLine } from '../programs';
import { hostFolder } from '../vscode/install';

/**
 * Contains Microsoft.SqlServer.TransactSql.ScriptDom 15.0 and a .NET runtime for it. Never committed: Microsoft's terms
 * let us use it, not pass it on.
 */
const wheel = 'mssql-cli==1.0.0';
/** The assemblies that the program is compiled against; all are in the wheel. */
const references = [
  'Microsoft.SqlServer.TransactSql.ScriptDom',
  'System.Private.CoreLib',
  'netstandard',
  'System.Runtime',
  'System.Collections',
  'System.Console',
].concat(['System.Runtime.Extensions', 'System.IO', 'System.Linq', 'System.Text.RegularExpressions']);
const sources = ['Chk.cs', 'Names.cs', 'Shape.cs'].map((name) => join(__dirname, name));

/**
 * Installs the checker into `.host`, once for each state of its source, and gives its program.
 * @throws Refusal if it cannot be installed: it needs Linux on x64, Python with pip, and the C# compiler of Mono.
 */
export async function installTsqlCheck(): Promise<string> {
  const folder = join(hostFolder, `tsql-check-${hashSources()}`);
  const program = join(folder, 'Chk');
  if (existsSync(program)) return program;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Refusal(
      `Microsoft's T-SQL parser comes for Linux on x64 only, and this is ${process.platform} on ${process.arch}.`,
    );
  await obtainPrograms();
  mkdirSync(hostFolder, { recursive: true });
  const part = mkdtempSync(join(hostFolder, 'tsql-check-'));
  try {
    await fetchParser(part);
    await compileChecker(part);
    rmSync(folder, { recursive: true, force: true });
    renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return program;
}

/** Other sources need another checker. */
function hashSources(): string {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(source));
  return hash.digest('hex').slice(0, 12);
}

async function obtainPrograms(): Promise<void> {
  const missing = [
    ...((await answers('python3', ['-m', 'pip', '--version'])) ? [] : ['python3-pip']),
    ...((await answers('mcs', ['--version'])) ? [] : ['mono-mcs']),
  ];
  if (missing.length === 0 || (await installDebianPackages(missing, "what Microsoft's T-SQL parser needs")))
    return;
  throw new Refusal(
    `The T-SQL syntax check needs ${missing.join(' and ')}: install them (Debian: apt-get install ${missing.join(' ')}) and run it again.`,
  );
}

async function fetchParser(folder: string): Promise<void> {
  const platform = ['--no-deps', '--only-binary', ':all:', '--platform', 'manylinux1_x86_64'];
  const { exitCode, output } = await runLeashed('python3', [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--disable-pip-version-check',
    ...platform,
    '-d',
    folder,
    wheel,
  ]);
  if (exitCode !== 0)
    throw new Refusal(
      `Python's package ${wheel} could not be fetched (${lastLine(output)}): check the network or the pip index setting.`,
    );
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.whl'));
  const unpacked = await runLeashed('python3', [
    join(__dirname, 'unpack.py'),
    join(folder, String(file)),
    folder,
  ]);
  if (unpacked.exitCode !== 0) throw new Error(`the parser could not be unpacked: ${unpacked.output}`);
  rmSync(join(folder, String(file)));
}

async function compileChecker(folder: string): Promise<void> {
  const linked = references.map((name) => `-r:${join(folder, `${name}.dll`)}`);
  const { exitCode, output } = await runLeashed('mcs', [
    '-warn:0',
    '-nostdlib',
    '-noconfig',
    `-out:${join(folder, 'Chk.dll')}`,
    ...linked,
    ...sources,
  ]);
  if (exitCode !== 0) throw new Error(`the T-SQL checker did not compile: ${output}`);
}
