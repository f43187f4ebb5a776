/**
 * The one way to our own driver. Whatever named the server, its rules are asked before each connection: before a name
 * is looked up and a secret is asked for.
 */
import { explainWhole, MOST_CONNECT_SECONDS } from '../core/bounds';
import { joinSentences, t } from '../core/language';
import { createDirectAccess, type DirectAccess } from '../hosts/direct/access';
import type { OwnServer, ServerAccess } from '../hosts/host';
import { type ConnectionRules, explainForbidden, guardAccess, trustsAny } from './connection-rules';
import { mayTakeToken, readHost } from './address';

/** What differs from one program to the other. */
export interface Gate {
  /** What an administrator forbids now. */
  readonly rules: () => ConnectionRules;
  /** How the user names a host as one that may get tokens, as one sentence. */
  readonly howToName: string;
}

/**
 * The server by our own driver. Its `open` throws ConnectionError `permissionDenied` where a rule forbids it; nothing
 * was sent or asked for then.
 */
export function passGate(access: DirectAccess, { rules, howToName }: Gate): ServerAccess {
  const server = withinBounds(access.server);
  return guardAccess(
    createDirectAccess({ ...access, server, mayUseNtlm: () => rules().allowNtlm }),
    () => explainForbidden(server, rules()) ?? explainToken(server, howToName),
  );
}

/** The server without a connect time-out that none can be: lists kept before there were bounds may have one. */
function withinBounds({ connectTimeoutSeconds, ...server }: OwnServer): OwnServer {
  if (explainWhole(connectTimeoutSeconds, { least: 1, most: MOST_CONNECT_SECONDS }) !== null) return server;
  return { ...server, connectTimeoutSeconds: Number(connectTimeoutSeconds) };
}

/** Why no token may go there, in one or two sentences; null if one may, or if the login is another one. */
function explainToken(server: OwnServer, howToName: string): string | null {
  if (server.authentication !== 'entra') return null;
  const host = readHost(server.server);
  if (trustsAny(server))
    return t(
      'No token was sent: {0} is trusted without a check of its certificate, and a Microsoft Entra token requires one.',
      host,
    );
  if (mayTakeToken(server)) return null;
  return joinSentences(
    t('No token was sent: {0} is not an Azure host, and you did not allow it to get your token.', host),
    howToName,
  );
}
