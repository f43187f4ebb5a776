/** The three ways in which our own driver logs in: a SQL login, a Windows login by NTLM, a token of Microsoft Entra that the host fetched. */
import { createHmac, randomBytes } from 'node:crypto';
import type { ConnectionConfiguration } from 'tedious';
import { type Authentication, ConnectionError } from '../host';

type DriverLogin = NonNullable<ConnectionConfiguration['authentication']>;

/** For messages: "login dba", "Windows login CONTOSO\ann", "Microsoft Entra account ann@contoso.com". */
export function describeLogin(authentication: Authentication, user: string): string {
  if (authentication === 'sql') return `login ${user}`;
  if (authentication === 'windows') return `Windows login ${user}`;
  return user === '' ? 'the Microsoft Entra account that you signed in with' : `Microsoft Entra account ${user}`;
}

/**
 * The login as the driver takes it.
 * @param secret the password, or the access token
 * @throws ConnectionError `loginFailed` for a Windows login without its domain
 */
export function createDriverLogin(authentication: Authentication, user: string, secret: string): DriverLogin {
  if (authentication === 'entra') return { type: 'azure-active-directory-access-token', options: { token: secret } };
  if (authentication === 'sql') return { type: 'default', options: { userName: user, password: secret } };
  const { domain, name } = splitWindowsLogin(user);
  return { type: 'ntlm', options: { domain, userName: name, password: secret } };
}

/** `DOMAIN\user`; `user@contoso.com` is a name of its own and leaves the domain empty (MS-NLMP 2.2.1.3, DomainName and UserName). */
function splitWindowsLogin(user: string): { readonly domain: string; readonly name: string } {
  const [, domain, name] = /^([^\\]+)\\([^\\]+)$/.exec(user) ?? [];
  if (domain !== undefined && name !== undefined) return { domain, name };
  if (/^[^@\\]+@[^@\\]+$/.test(user)) return { domain: '', name: user };
  throw new ConnectionError('loginFailed', `${user} is not a Windows login: write it as DOMAIN\\user in Edit Server.`);
}

/** Made when the window is opened, and known to nobody: marks of secrets say nothing outside of it. */
const key = randomBytes(32);

/** Tells one password from another without being one. */
export function markSecret(secret: string): string {
  return createHmac('sha256', key).update(secret, 'utf8').digest('hex');
}
