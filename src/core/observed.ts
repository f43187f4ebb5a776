/**
 * What this login may not see, or what the data cannot say, is not observable, with the reason. It is never a zero.
 * `mayPass`: it could not be read this time, so the next reading may have it.
 */
export type Observed<T> =
  | { readonly kind: 'observed'; readonly value: T }
  | { readonly kind: 'not observable'; readonly reason: string; readonly mayPass?: true };

export function observed<T>(value: T): Observed<T> {
  return { kind: 'observed', value };
}

export function notObservable(reason: string, mayPass = false): Observed<never> {
  return { kind: 'not observable', reason, ...(mayPass && { mayPass }) };
}
