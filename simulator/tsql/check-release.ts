/**
 * An older server does not know newer functions, anywhere in the batch: the error comes before anything of the batch
 * runs.
 */
import { firstRelease } from './bind-call';
import { unknownFunction } from './errors';
import type { Call } from './syntax';

/** @throws SqlError 195 for a function that came with a later release. */
export function checkRelease(node: unknown, release: number): void {
  if (Array.isArray(node)) return node.forEach((each) => checkRelease(each, release));
  if (typeof node !== 'object' || node === null) return;
  if ((node as { readonly kind?: string }).kind === 'call') {
    const { name, line } = node as Call;
    if (firstRelease(name.length === 1 ? (name[0] as string) : name.slice(-2).join('.')) > release)
      throw unknownFunction(name.join('.'), line);
  }
  for (const value of Object.values(node)) checkRelease(value, release);
}
