/** An access token of Microsoft Entra by the Azure CLI, whose login is used and never kept. */
import { execFile } from 'node:child_process';

export const TOKEN_VARIABLE = 'CHECKPOINT_HEALTH_TOKEN';
const RESOURCE = 'https://database.windows.net/';
const TIMEOUT_MS = 60_000;
const HOW_ELSE = `Set ${TOKEN_VARIABLE} to an access token for ${RESOURCE}`;

/**
 * Nothing that `az` prints but the token is used, because it may hold secrets.
 * @param tenant undefined: that of the login
 * @throws Error with one sentence
 */
export function askAzureCli(tenant: string | undefined): Promise<string> {
  const which = tenant === undefined ? [] : ['--tenant', tenant];
  const args = [
    'account',
    'get-access-token',
    '--resource',
    RESOURCE,
    ...which,
    '--query',
    'accessToken',
    '--output',
    'tsv',
  ];
  return new Promise((resolve, reject) => {
    execFile('az', args, { timeout: TIMEOUT_MS, windowsHide: true, encoding: 'utf8' }, (error, printed) => {
      const token = printed.trim();
      if (error === null && /^\S+$/.test(token)) return resolve(token);
      const isMissing = (error as NodeJS.ErrnoException | null)?.code === 'ENOENT';
      reject(
        new Error(
          isMissing
            ? `${HOW_ELSE}, or install the Azure CLI (on Windows, set the variable) and run az login.`
            : `The Azure CLI gave no access token. Run az account get-access-token --resource ${RESOURCE} to see why. Or: ${HOW_ELSE}.`,
        ),
      );
    });
  });
}
