/**
 * Messages as they arrive at either end. Each is read by its schema before anything looks at it; null: it is none that
 * the protocol knows, so the receiver drops it and says so once.
 */
import { t } from './core/language';
import { fits } from './core/schema';
import type { FromErrorLog, FromReview, ToErrorLog, ToExtension, ToReview, ToWebview } from './protocol';
import schemas from './protocol.schema.json';

/** Reads what came as a message of one kind. */
export type MessageReader<Message> = (received: unknown) => Message | null;

export function readToWebview(received: unknown): ToWebview | null {
  return fits<ToWebview>(schemas.ToWebview, received) ? received : null;
}

export function readToReview(received: unknown): ToReview | null {
  return fits<ToReview>(schemas.ToReview, received) ? received : null;
}

export function readToErrorLog(received: unknown): ToErrorLog | null {
  return fits<ToErrorLog>(schemas.ToErrorLog, received) ? received : null;
}

export function readToExtension(received: unknown): ToExtension | null {
  return fits<ToExtension>(schemas.ToExtension, received) ? received : null;
}

export function readFromReview(received: unknown): FromReview | null {
  return fits<FromReview>(schemas.FromReview, received) ? received : null;
}

export function readFromErrorLog(received: unknown): FromErrorLog | null {
  return fits<FromErrorLog>(schemas.FromErrorLog, received) ? received : null;
}

/** One sentence for the log about a message that was dropped. */
export function describeDropped(received: unknown): string {
  const type =
    typeof received === 'object' && received !== null
      ? (received as { readonly type?: unknown }).type
      : received;
  return t(
    'A message was dropped because it breaks the protocol: {0}.',
    typeof type === 'string' ? type.slice(0, 50) : typeof type,
  );
}
