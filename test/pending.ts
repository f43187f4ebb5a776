import type { Context } from 'mocha';
import { Refusal } from '../tools/fail';

/**
 * Runs a preparation that this machine may refuse. If it does, all tests of the suite are pending and carry the reason
 * in their names; npm test prints them last, and fails for them where CI=true. Any other error stays an error.
 */
export async function prepareOrSkip<T>(context: Context, prepare: () => Promise<T>): Promise<T> {
  try {
    return await prepare();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    for (const test of context.test?.parent?.tests ?? []) test.title += ` (could not run: ${error.message})`;
    return context.skip();
  }
}
