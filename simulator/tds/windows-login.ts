/** A Windows login between its challenge and the client's answer (MS-TDS 3.3.5.6, "SPNEGO Negotiation State"). */
import { randomBytes } from 'node:crypto';
import type { SessionHost } from './handler';
import type { Login7 } from './login7';
import { isNtlmNegotiate, provesPassword, readNtlmAnswer, writeNtlmChallenge } from './ntlm';

export interface WindowsLogin {
  /** The token to send to the client. */
  readonly challenge: Buffer;
  /** The login: the name that the client gave, and a test whether it knows a password. @throws ProtocolError */
  answer(token: Buffer): Login7;
}

/** The login of a user whose ticket was checked: the domain has vouched, whatever the password is. */
export function vouchFor(login7: Login7, user: string): Login7 {
  return { ...login7, login: { ...login7.login, user, password: '', knows: () => true } };
}

/** undefined if the server takes no such logins, or the client begins with Kerberos or SPNEGO. */
export function challengeWindowsLogin(
  host: SessionHost,
  login7: Login7,
  token: Buffer,
): WindowsLogin | undefined {
  const { windowsDomain } = host;
  if (windowsDomain === undefined || !isNtlmNegotiate(token)) return undefined;
  const nonce = randomBytes(8);
  return {
    challenge: writeNtlmChallenge(nonce, windowsDomain, host.serverName.split('\\')[0] as string),
    answer: (bytes) => {
      const answer = readNtlmAnswer(bytes);
      const knows = (password: string): boolean => provesPassword(answer, nonce, password);
      return {
        ...login7,
        login: { ...login7.login, user: nameLogin(answer, windowsDomain), password: '', knows },
      };
    },
  };
}

/**
 * Without a domain, the name may be `user@contoso.com`. The first label of the suffix is then the short name of the
 * domain: the model's choice.
 */
function nameLogin(
  { domain, user }: { readonly domain: string; readonly user: string },
  windowsDomain: string,
): string {
  const [, name, suffix] = /^([^@]+)@([^.]+)/.exec(user) ?? [];
  if (domain === '' && name !== undefined) return `${suffix}\\${name}`;
  return `${domain === '' ? windowsDomain : domain}\\${user}`;
}
