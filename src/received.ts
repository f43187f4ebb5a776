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

const readBy =
  <Message>(schema: Parameters<typeof fits>[0]): MessageReader<Message> =>
  (received) =>
    fits<Message>(schema, received) ? received : null;

export const readToWebview = readBy<ToWebview>(schemas.ToWebview);
export const readToReview = readBy<ToReview>(schemas.ToReview);
export const readToErrorLog = readBy<ToErrorLog>(schemas.ToErrorLog);
export const readToExtension = readBy<ToExtension>(schemas.ToExtension);
export const readFromReview = readBy<FromReview>(schemas.FromReview);
export const readFromErrorLog = readBy<FromErrorLog>(schemas.FromErrorLog);

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
