/** What this login may not see, or what the data cannot say, is not observable, with the reason. It is never a zero. */
export type Observed<T> = { readonly kind: 'observed'; readonly value: T } | { readonly kind: 'not observable'; readonly reason: string };

export function observed<T>(value: T): Observed<T> {
  return { kind: 'observed', value };
}

export function notObservable(reason: string): Observed<never> {
  return { kind: 'not observable', reason };
}
