import { installDebianPackages } from '../debian';
import { Refusal } from '../fail';
import { runLeashed } from '../processes/leashed';

/** Whether a program is there and runs. */
async function answers(program: string, args: readonly string[]): Promise<boolean> {
  return (await runLeashed(program, args)).exitCode === 0;
}

/**
 * FreeTDS' tsql.
 * @throws Refusal where it is not installed and this is no Debian of which we are root.
 */
export async function installTsql(): Promise<void> {
  await requireProgram('tsql', ['-C'], 'freetds-bin', 'FreeTDS, the client tsql');
}

/**
 * Gets a program from its Debian package unless it is there already.
 * @throws Refusal in one sentence that says what to install.
 */
export async function requireProgram(program: string, args: readonly string[], debianPackage: string, why: string): Promise<void> {
  if (await answers(program, args)) return;
  if ((await installDebianPackages([debianPackage], why)) && (await answers(program, args))) return;
  throw new Refusal(`${why} needs ${program}: install it (Debian: apt-get install ${debianPackage}) and run it again.`);
}
