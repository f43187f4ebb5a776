/** The stand-in as a VSIX. */
import { packageStandIn } from '../stand-in-vsix';

/** @returns the file to install */
export function packageMssqlStandIn(): Promise<string> {
  return packageStandIn({ name: 'mssql', files: ['README.md', 'server.svg'] });
}
