/** The release of a session's server, by the year in its name: in Azure the version does not tell it. */
import type { Instance } from '../engine/interface/instance';

export function releaseOf(instance: Instance): number {
  return instance.release;
}
