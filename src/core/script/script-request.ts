import { beforeFailover } from './before-failover';
import { modelTarget } from './model-target';
import type { OtherScript, ScriptBasis } from './other-script';
import { recoveryInterval } from './recovery-interval';
import { scanCost } from './scan-cost';
import type { ReviewScript } from './script-set';
import { throttledCheckpoint } from './throttled-checkpoint';

/** The scripts beside the switch, in the order in which they are offered. */
export const otherScripts = {
  'before failover': beforeFailover,
  'throttled checkpoint': throttledCheckpoint,
  'recovery interval': recoveryInterval,
  model: modelTarget,
  'scan cost': scanCost,
};

export type ScriptKind = keyof typeof otherScripts;
type Asked = { [Kind in ScriptKind]: Parameters<(typeof otherScripts)[Kind]['write']>[0] };

/** A script other than the switch that the user asks for. */
export type ScriptRequest<Of extends ScriptKind = ScriptKind> = {
  readonly [Kind in Of]: { readonly kind: Kind } & Asked[Kind];
}[Of];

/** @throws Error with one sentence if there is nothing to write, or nothing that could be undone */
export function writeOtherScript<Kind extends ScriptKind>(
  request: ScriptRequest<Kind>,
  basis: ScriptBasis,
): readonly ReviewScript[] {
  const scripts: { readonly [Each in ScriptKind]: OtherScript<Asked[Each]> } = otherScripts;
  return scripts[request.kind].write(request, basis);
}
