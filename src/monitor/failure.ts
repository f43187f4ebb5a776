import { ConnectionError } from '../hosts/host';

/** A refused login or certificate is not tried again by itself: repeated attempts lock accounts, and only the user can mend it. */
export function mayRetry(error: unknown): boolean {
  return !(error instanceof ConnectionError && (error.reason === 'loginFailed' || error.reason === 'untrustedCertificate'));
}

/** An error as the sentence that is shown. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
