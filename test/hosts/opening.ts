/** Opening a connection where nothing stands in the way of logging in, and the user may be asked. */
import assert from 'node:assert/strict';
import {
  type Connection,
  ConnectionError,
  type ConnectionFailure,
  type Opening,
  type ServerAccess,
} from '../../src/hosts/host';
import type { LoginSecrets } from '../../src/hosts/direct/access';

export function freely(signal: AbortSignal = new AbortController().signal): Opening {
  return {
    signal,
    mayAsk: true,
    check: () => undefined,
    turn: () => Promise.resolve(),
    askUser: (_what, ask) => ask(),
  };
}

/** Work in the background: nobody is asked anything. */
export function quietly(signal: AbortSignal = new AbortController().signal): Opening {
  const askUser = (what: string): Promise<never> =>
    Promise.reject(new ConnectionError('needsClick', `It needs ${what}.`));
  return { ...freely(signal), mayAsk: false, askUser };
}

export function openFreely(access: ServerAccess, signal?: AbortSignal): Promise<Connection> {
  return access.open(freely(signal));
}

export interface Failure {
  readonly reason: ConnectionFailure;
  readonly message: string;
  readonly number: number | null;
}

/** With the number of the server's error that the message names; null where it names none. */
export function failure(reason: ConnectionFailure, message: string): Failure {
  const said = /\(Msg (\d+)\)/.exec(message)?.[1];
  return { reason, message, number: said === undefined ? null : Number(said) };
}

/** How something fails. @param shown the address of the server, which reads HOST in the message */
export async function failOf(attempt: Promise<unknown>, shown = ''): Promise<Failure> {
  const error = await attempt.then(
    () => assert.fail('it did not fail'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ConnectionError, String(error));
  const { reason, number, message } = error;
  return { reason, number, message: shown === '' ? message : message.replace(shown, 'HOST') };
}

/** A password that is kept. */
export function keptSecret(secret: string): LoginSecrets {
  return { get: () => Promise.resolve(secret) };
}
