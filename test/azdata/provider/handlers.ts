import type { Disposable } from 'vscode';

const nothingToEnd = { dispose: () => undefined } as Disposable;

/** A `registerOn...` of a provider: the host registers one handler, once, and keeps it as long as it lives. */
export function keeping<Handler>(keep: (handler: Handler) => void): (handler: Handler) => Disposable {
  return (handler) => {
    keep(handler);
    return nothingToEnd;
  };
}

/** A `registerOn...` for an event that never happens here. */
export const never = (): Disposable => nothingToEnd;
