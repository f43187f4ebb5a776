/** What the pane says above its servers about the products whose connections it uses, or cannot use. */
import type { HostState } from './connection-hosts';

/** One sentence each. @param state null: nothing is known yet */
export function listNotices(state: HostState | null): readonly string[] {
  if (state === null) return [];
  const untrusted = state.listing?.untrusted ?? 0;
  const obstacles =
    state.choice.name === 'own' ? state.findings.filter(({ isPresent }) => isPresent).flatMap(({ obstacle }) => obstacle ?? []) : [];
  return [...obstacles, ...(untrusted === 0 ? [] : [describeUntrusted(untrusted)])];
}

function describeUntrusted(count: number): string {
  const subject = count === 1 ? '1 connection of this workspace is ignored' : `${count} connections of this workspace are ignored`;
  return `${subject}: the workspace is not trusted.`;
}
