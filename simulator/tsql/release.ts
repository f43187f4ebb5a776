/** The release of the server behind a session, by the year in its name: in Azure the version that it tells is no guide. */
import type { Instance } from '../engine/interface/instance';

export function releaseOf(instance: Instance): number {
  return instance.release;
}
