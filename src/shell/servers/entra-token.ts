/**
 * Access tokens of Microsoft Entra for SQL Server, from the account that the editor is signed in with. We keep none,
 * because the editor renews them.
 */
import type { AuthenticationGetSessionOptions, AuthenticationSession } from 'vscode';
import { t } from '../../core/language';
import { redact } from '../kit/log';
import { readHost } from '../../gate/address';
import type { SavedServer } from './saved-server';

/** The part of vscode.authentication that is used. */
export interface EditorSignIn {
  getSession(
    providerId: string,
    scopes: readonly string[],
    options: AuthenticationGetSessionOptions,
  ): PromiseLike<AuthenticationSession | undefined>;
}

type Account = AuthenticationSession['account'];

interface Cloud {
  readonly provider: 'microsoft' | 'microsoft-sovereign-cloud';
  readonly resource: string;
}

/**
 * Scopes and providers of vscode-mssql, from @microsoft/vscode-azext-azureauth 5.1 (getSessionFromVSCode). Not tried
 * with the sovereign clouds.
 */
const publicCloud: Cloud = { provider: 'microsoft', resource: 'https://database.windows.net/' };
const sovereignClouds = new Map<string, Cloud>(
  Object.entries({
    '.database.usgovcloudapi.net': {
      provider: 'microsoft-sovereign-cloud',
      resource: 'https://database.usgovcloudapi.net/',
    },
    '.database.chinacloudapi.cn': {
      provider: 'microsoft-sovereign-cloud',
      resource: 'https://database.chinacloudapi.cn/',
    },
  }),
);

/**
 * Signs in if no account is signed in. That asks the user, so it happens only if `mayAsk`.
 * @returns undefined if the user did not want to sign in, or would have to be asked Whether the server may get the
 * token is for the gate to say.
 * @throws Error with one sentence: the editor cannot sign in, or another account is signed in
 */
export async function fetchEntraToken(
  signIn: EditorSignIn,
  server: Pick<SavedServer, 'server' | 'user' | 'tenant'>,
  mayAsk: boolean,
): Promise<string | undefined> {
  const { provider, resource } = findCloud(server.server);
  const scopes = [
    `${resource}.default`,
    ...(server.tenant === undefined ? [] : [`VSCODE_TENANT:${server.tenant}`]),
  ];
  try {
    const account = await findAccount(signIn, provider, server.user);
    const asking = mayAsk ? { createIfNone: true } : { silent: true };
    const session = await signIn.getSession(provider, scopes, { ...asking, ...(account && { account }) });
    if (session === undefined || isMeant(session.account, server.user)) return session?.accessToken;
    if (!mayAsk) return undefined;
    // The account used last is not the one that the server was set up for: let the user choose.
    const chosen = await signIn.getSession(provider, scopes, {
      createIfNone: true,
      clearSessionPreference: true,
    });
    if (chosen === undefined || isMeant(chosen.account, server.user)) return chosen?.accessToken;
    throw new WrongAccount(
      t(
        'You signed in as {0}, but this server was set up for {1}. Choose the account in Edit Server.',
        chosen.account.label,
        server.user,
      ),
    );
  } catch (error) {
    if (error instanceof WrongAccount) throw error;
    return explain(error);
  }
}

class WrongAccount extends Error {}

function findCloud(address: string): Cloud {
  const host = readHost(address);
  const [, cloud] = [...sovereignClouds].find(([suffix]) => host.endsWith(suffix)) ?? [];
  return cloud ?? publicCloud;
}

function isMeant({ label }: Account, user: string): boolean {
  return user === '' || label.toLowerCase() === user.toLowerCase();
}

/** Newer editors (VS Code 1.92) list the accounts that are signed in, and accept one of them. */
async function findAccount(
  signIn: EditorSignIn,
  provider: string,
  user: string,
): Promise<Account | undefined> {
  const { getAccounts } = signIn as { getAccounts?: (provider: string) => PromiseLike<readonly Account[]> };
  if (user === '' || getAccounts === undefined) return undefined;
  return (await getAccounts.call(signIn, provider)).find((account) => isMeant(account, user));
}

/** Reads the messages of VS Code's MainThreadAuthentication and AuthenticationService. */
function explain(error: unknown): undefined {
  const message = error instanceof Error ? error.message : String(error);
  if (/did not consent|cancell?ed/i.test(message)) return undefined;
  if (/no authentication provider|waiting for authentication provider/i.test(message))
    throw new Error(
      t(
        'This editor cannot sign in to Microsoft Entra. Choose a SQL login or a Windows login in Edit Server.',
      ),
    );
  throw new Error(
    t('Could not sign in to Microsoft Entra: {0}.', redact(message).replace(/(?<![.\s])[.\s]+$/, '')),
  );
}
