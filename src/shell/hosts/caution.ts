/** Tells once what using another product's connections does besides: when the first of its servers has been connected. */
import type { ConnectionHost } from '../../hosts/host';
import type { Conversation } from '../kit/conversation';
import type { OpenServers } from '../servers/open-servers';
import type { KeptState } from '../servers/saved-servers';
import type { ListedServer } from '../servers/server-list';

const TOLD_KEY = 'checkpointHealth.toldCautions';

interface CautionWorld {
  readonly servers: OpenServers;
  readonly state: KeptState;
  readonly conversation: Pick<Conversation, 'offer'>;
  readonly findHost: (server: ListedServer) => ConnectionHost | undefined;
  readonly openSetting: (setting: string) => Promise<void>;
}

export function tellCautions({ servers, state, conversation, findHost, openSetting }: CautionWorld): { dispose(): void } {
  return servers.onDidChange((serverId) => {
    const server = serverId === null ? undefined : servers.list.find(serverId);
    const { name, caution } = (server && findHost(server)) ?? { name: null, caution: null };
    if (server === undefined || caution === null || servers.snapshot(server.id).connection !== 'connected') return;
    const told = state.get(TOLD_KEY);
    const known: readonly unknown[] = Array.isArray(told) ? told : [];
    if (known.includes(name)) return;
    void state.update(TOLD_KEY, [...known, name]);
    conversation.offer(caution.sentence, 'Open Setting', () => openSetting(caution.setting));
  });
}
