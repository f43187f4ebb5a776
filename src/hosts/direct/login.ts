/**
 * The logins of our own driver: a SQL login, a Windows login by NTLM, the login of the person at the computer, and a
 * token of Microsoft Entra that the host fetched.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { ConnectionConfiguration } from 'tedious';
import { type Authentication, ConnectionError } from '../host';
import { t } from '../../core/language';

type DriverLogin = NonNullable<ConnectionConfiguration['authentication']>;

/**
 * The login in the driver's form.
 * @param secret the password, or the access token
 * @param place where a connection is changed
 * @throws ConnectionError `loginFailed` for a Windows login without its domain
 */
export function createDriverLogin(
  authentication: Authentication,
  user: string,
  secret: string,
  place: string,
): DriverLogin {
  if (authentication === 'entra')
    return { type: 'azure-active-directory-access-token', options: { token: secret } };
  if (authentication === 'sql') return { type: 'default', options: { userName: user, password: secret } };
  // What the driver makes of this is replaced by tokens of the operating system (`negotiated-login`).
  if (authentication === 'integrated') return { type: 'ntlm', options: { domain: '' } };
  const { domain, name } = splitWindowsLogin(user, place);
  return { type: 'ntlm', options: { domain, userName: name, password: secret } };
}

/** `DOMAIN\user` or `user@domain`. */
export function isWindowsLogin(user: string): boolean {
  return /^([^\\]+\\[^\\]+|[^@\\]+@[^@\\]+)$/.test(user);
}

/**
 * `DOMAIN\user`; a name such as `user@contoso.com` stays whole, and the domain is empty (MS-NLMP 2.2.1.3, DomainName
 * and UserName).
 */
function splitWindowsLogin(user: string, place: string): { readonly domain: string; readonly name: string } {
  if (!isWindowsLogin(user))
    throw new ConnectionError(
      'loginFailed',
      t('{0} is not a Windows login: write it as DOMAIN\\user in {1}.', user, place),
    );
  const [domain = '', name] = user.split('\\');
  return name === undefined ? { domain: '', name: user } : { domain, name };
}

/** Random, made for this window and never shown, so that marks of secrets mean nothing outside it. */
const key = randomBytes(32);

/** A mark that tells one password from another without revealing it. */
export function markSecret(secret: string): string {
  return createHmac('sha256', key).update(secret, 'utf8').digest('hex');
}
