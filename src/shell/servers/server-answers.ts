/** The answers to the questions of Add Server and Edit Server. */
import { readHost } from '../../gate/address';
import { takesPassword } from '../../hosts/host';
import { leaveOut, type SavedServer, writeAddress } from './saved-server';

/** Everything that we keep about a server except its id. Without a password, the stored one stays. */
export interface ServerAnswers extends Omit<SavedServer, 'id' | 'port'> {
  readonly password: string | undefined;
}

/** Before anything was asked: encrypted, with the certificate checked. */
export const newAnswers: ServerAnswers = {
  name: '',
  server: '',
  authentication: 'sql',
  user: '',
  password: undefined,
  encrypt: 'mandatory',
  trustServerCertificate: false,
};

/**
 * What we keep of a server, as answers to change; never its password. A separate port is shown in the address, as
 * people write it.
 */
export function answersOf(saved: SavedServer): ServerAnswers {
  return { ...leaveOut(saved, 'id', 'port'), server: writeAddress(saved), password: undefined };
}

/** The server that these answers describe. Drops what does not belong to its kind of login. */
export function describeAnswers(answers: ServerAnswers, id: string): SavedServer {
  const { authentication, encrypt, tenant = '', database = '', tokenHost, asksPassword = false } = answers;
  const isEntra = authentication === 'entra';
  const isIntegrated = authentication === 'integrated';
  return {
    ...leaveOut(answers, 'password', 'serverSpn', 'tenant', 'database', 'tokenHost', 'asksPassword'),
    id,
    ...(isIntegrated && { user: '' }),
    ...(isIntegrated && answers.serverSpn !== undefined && { serverSpn: answers.serverSpn }),
    // A token goes only to a server whose certificate is checked.
    trustServerCertificate: answers.trustServerCertificate && encrypt !== 'strict' && !isEntra,
    ...(tenant !== '' && isEntra && { tenant }),
    ...(tokenHost !== undefined && isEntra && tokenHost === readHost(answers.server) && { tokenHost }),
    ...(asksPassword && takesPassword(answers) && { asksPassword }),
    ...(database !== '' && { database }),
  };
}

/** What is asked, one answer each. */
export type QuestionName =
  | 'address'
  | 'login'
  | 'tenant'
  | 'password'
  | 'keeping'
  | 'database'
  | 'encryption'
  | 'trust'
  | 'name';
