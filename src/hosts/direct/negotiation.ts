/**
 * A login as yourself: the operating system makes the tokens that show a server who you are, by Kerberos, or on Windows
 * by NTLM (MS-TDS 3.2.5.5; docs/facts.md, Hosts 4).
 */

/** Why no token could be made, or the server's was not good. Nothing was sent to the server but for `unproven`. */
export type NegotiationFailure =
  /** Koffi is not there: this package of ours is not the one for this kind of computer. */
  | 'noNative'
  /** The operating system has no Kerberos. */
  | 'noLibrary'
  | 'noTicket'
  | 'expired'
  | 'unknownService'
  | 'noController'
  | 'clock'
  /** The domain refused the user. */
  | 'denied'
  /** The server's token does not prove that it is the service. */
  | 'unproven'
  | 'other';

export class NegotiationError extends Error {
  constructor(
    readonly kind: NegotiationFailure,
    /** In the words of the operating system. */
    message: string,
    /** The service whose ticket was asked for. */
    readonly service = '',
  ) {
    super(message);
  }
}

/** To whom the tokens are for, and what they may be. */
export interface Peer {
  /** As the connection was opened to it. */
  readonly host: string;
  readonly port: number;
  /** The SPN if it is not that of host and port. */
  readonly service: string | undefined;
  /** What ties the tokens to this TLS connection (RFC 5929, `tls-unique:` and its value); null: nothing. */
  readonly binding: Buffer | null;
  /** Whether Windows may prove the user by NTLM where Kerberos does not come about. */
  readonly mayUseNtlm: boolean;
}

/** One login. It asks a domain controller, so each step may take seconds. */
export interface Negotiation {
  /**
   * @param token what the server sent; null: nothing yet
   * @returns what to send to it; empty: nothing
   * @throws NegotiationError
   */
  next(token: Buffer | null): Promise<Buffer>;
  close(): Promise<void>;
}

/** The first part of the name under which SQL Server is known to a domain: `MSSQLSvc/sql01.contoso.com:1433`. */
export const SERVICE_CLASS = 'MSSQLSvc';
