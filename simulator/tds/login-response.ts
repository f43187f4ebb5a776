import { type Session, type SessionHost, SqlError } from './handler';
import { messageOf } from './answer';
import { ProtocolError, ByteReader } from './byte-reader';
import type { ByteWriter } from './byte-writer';
import type { Login7, Feature } from './login7';
import {
  doneStatus,
  doneToken,
  environment,
  writeCollation,
  writeDone,
  writeLoginAck,
  writeMessage,
  writeFeatures,
  writeTextChange,
} from './tokens';
import { sqlError } from './messages';

export interface RefusedLogin {
  readonly errors: readonly SqlError[];
  /** Whether the host failed with an error that SQL Server does not have. */
  readonly isFailure: boolean;
}

/** The session, or the errors of SQL Server: if a database cannot be opened, the failed login follows. */
export function openSession(host: SessionHost, { login, features }: Login7): Session | RefusedLogin {
  try {
    const token = readAccessToken(features);
    return host.login(token === undefined ? login : { ...login, token });
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (!(error instanceof SqlError))
      return { errors: [new SqlError(50_000, `The simulator failed: ${String(error)}`)], isFailure: true };
    return {
      errors: error.number === 4060 ? [error, sqlError(18_456, [login.user])] : [error],
      isFailure: false,
    };
  }
}

/**
 * The error for a Windows login that the domain does not confirm, also if the password is wrong (error 17806 in the log
 * has the reason).
 */
export function untrustedLogin(): SqlError {
  return sqlError(18452);
}

export function refuseLogin(tokens: ByteWriter, errors: readonly SqlError[], serverName: string): void {
  for (const error of errors) writeMessage(tokens, 'error', messageOf(error), serverName);
  writeDone(tokens, doneToken.batch, doneStatus.error);
}

/** Writes all that SQL Server tells about a new session, in its order. */
export function acceptLogin(
  tokens: ByteWriter,
  { packetBytes, features }: Login7,
  session: Session,
  host: SessionHost,
): void {
  const inform = (number: number, state: number, message: string): void =>
    writeMessage(tokens, 'info', { number, state, severity: 0, message, line: 1 }, host.serverName);
  writeTextChange(tokens, environment.database, session.database, 'master');
  inform(5701, 2, `Changed database context to '${session.database}'.`);
  writeCollation(tokens);
  writeTextChange(tokens, environment.language, 'us_english', '');
  inform(5703, 1, 'Changed language setting to us_english.');
  writeLoginAck(tokens, host.version);
  writeTextChange(tokens, environment.packetSize, String(packetBytes), '4096');
  if (features)
    writeFeatures(
      tokens,
      features.filter(({ id }) => id === fedAuth.feature).map(({ id }) => ({ id, data: Buffer.alloc(0) })),
    );
  writeDone(tokens, doneToken.batch, doneStatus.final);
}

const fedAuth = { feature: 0x02, securityToken: 0x01 } as const;

/**
 * The token; undefined if the client did not ask for such a login.
 * @throws SqlError 18456 if the server would have to send the client to fetch a token: not modelled
 * @throws ProtocolError if the client does not echo that the server knows tokens (3.3.5.5: the server must end the
 * connection)
 */
function readAccessToken(features: readonly Feature[] | undefined): string | undefined {
  const asked = features?.find(({ id }) => id === fedAuth.feature);
  if (asked === undefined) return undefined;
  const reader = new ByteReader(asked.data);
  const options = reader.u8();
  if (options >> 1 !== fedAuth.securityToken)
    throw new SqlError(18_456, 'Login failed: only ready access tokens are modelled.', 14);
  if ((options & 1) === 0) throw new ProtocolError('a login by token that does not echo FEDAUTHREQUIRED');
  return reader.take(reader.u32()).toString('utf16le');
}
