/** An access token of Microsoft Entra by the Azure CLI, whose login is used and never kept. */
import { execFile } from 'node:child_process';

export const TOKEN_VARIABLE = 'CHECKPOINT_HEALTH_TOKEN';
const RESOURCE = 'https://database.windows.net/';
const TIMEOUT_MS = 60_000;
const HOW_ELSE = `Set ${TOKEN_VARIABLE} to an access token for ${RESOURCE}`;

/** Uses only the token of what `az` prints. @param tenant undefined: the login's @throws Error with one sentence */
export function askAzureCli(tenant: string | undefined): Promise<string> {
  const args = ['account', 'get-access-token', '--resource', RESOURCE];
  if (tenant !== undefined) args.push('--tenant', tenant);
  args.push('--query', 'accessToken', '--output', 'tsv');
  return new Promise((resolve, reject) => {
    execFile('az', args, { timeout: TIMEOUT_MS, windowsHide: true, encoding: 'utf8' }, (error, printed) => {
      const token = printed.trim();
      if (error === null && /^\S+$/.test(token)) return resolve(token);
      // What it printed may hold secrets.
      const why = `Run az account get-access-token --resource ${RESOURCE} to see why`;
      const isMissing = (error as NodeJS.ErrnoException | null)?.code === 'ENOENT';
      const missing = `${HOW_ELSE}, or install the Azure CLI (on Windows, set the variable) and run az login.`;
      reject(new Error(isMissing ? missing : `The Azure CLI gave no access token. ${why}. Or: ${HOW_ELSE}.`));
    });
  });
}
