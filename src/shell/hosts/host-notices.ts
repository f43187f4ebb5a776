/** What the pane says above its servers about the products whose connections it uses, or cannot use. */
import { countOf } from '../../core/format';
import type { HostName } from '../../hosts/host';
import type { HostState } from './connection-hosts';
import type { HostFinding } from './host-choice';

/** A row above the servers: short enough for a narrow pane, and the sentence that it stands for. */
export interface Notice {
  readonly label: string;
  readonly sentence: string;
}

/**
 * @param state null: nothing is known yet
 * @param ways of the servers in the list: a product that is not here any more is missed where it led to one of them
 */
export function listNotices(state: HostState | null, ways: readonly HostName[]): readonly Notice[] {
  if (state === null) return [];
  const untrusted = state.listing?.untrusted ?? 0;
  const missed = state.findings.filter(({ name, isPresent }) => isPresent || ways.includes(name));
  const obstacles = state.choice.name === 'own' ? missed.flatMap(describeObstacle) : [];
  return [...obstacles, ...(untrusted === 0 ? [] : [describeUntrusted(untrusted)])];
}

const shortNames = { azdata: 'Azure Data Studio', mssql: 'mssql' };

function describeObstacle({ name, obstacle }: HostFinding): readonly Notice[] {
  return obstacle === null ? [] : [{ label: `No connections from ${shortNames[name]}`, sentence: obstacle }];
}

function describeUntrusted(count: number): Notice {
  return {
    label: countOf(count, 'connection ignored', 'connections ignored'),
    sentence: `The workspace that ${count === 1 ? 'defines it' : 'defines them'} is not trusted.`,
  };
}
