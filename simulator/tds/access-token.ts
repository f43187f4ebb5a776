/**
 * Logins by Microsoft Entra access token: the feature FEDAUTH of LOGIN7 holds it as a security token (MS-TDS 2.2.6.4
 * and 3.3.5.5).
 */
import { SqlError } from './handler';
import { ByteReader, ProtocolError } from './byte-reader';
import type { Feature } from './login7';

export const fedAuth = { feature: 0x02, securityToken: 0x01 } as const;

/**
 * The token; undefined if the client did not ask for such a login.
 * @throws SqlError 18456 if the server would have to send the client to fetch a token: not modelled
 * @throws ProtocolError if the client does not echo that the server knows tokens (3.3.5.5: the server must end the
 * connection)
 */
export function readAccessToken(features: readonly Feature[] | undefined): string | undefined {
  const asked = features?.find(({ id }) => id === fedAuth.feature);
  if (asked === undefined) return undefined;
  const reader = new ByteReader(asked.data);
  const options = reader.u8();
  if (options >> 1 !== fedAuth.securityToken)
    throw new SqlError(18_456, 'Login failed: only ready access tokens are modelled.', 14);
  if ((options & 1) === 0) throw new ProtocolError('a login by token that does not echo FEDAUTHREQUIRED');
  return reader.take(reader.u32()).toString('utf16le');
}
