/**
 * What a user can do if another product's connection does not reach a server: try again, trust a new certificate, or
 * let our own driver connect.
 */
import { t } from '../../core/language';
import { type ConnectionHost, type HostServer, otherHosts } from '../../hosts/host';
import { type CommandContext, onTarget } from './command-context';
import { type CommandHandler, Dismissed } from '../kit/command-table';
import type { Option } from '../kit/conversation';
import { nameWay } from '../hosts/host-choice';
import type { ConnectionRules } from '../../gate/connection-rules';
import { mayTrust, trustCertificate } from './server-commands';
import type { ListedServer } from '../servers/server-list';
import type { CertificateChange } from '../servers/trusted-certificates';

interface AnotherWay {
  readonly findHost: (server: ListedServer) => ConnectionHost | undefined;
  /** By our own driver. The server keeps its id, and so its captures. */
  readonly connectDirectly: (server: HostServer) => Promise<void>;
  /** The certificate that a server of our own showed last, if it is not the one that is remembered; else null. */
  readonly findChange: (serverId: string) => CertificateChange | null;
  readonly editServer: (serverId: string) => Promise<void>;
  /** Takes over the connections of another product. */
  readonly importServers: () => Promise<void>;
  readonly showDiagnostics: () => Promise<void>;
}

type Way = () => Promise<unknown>;

/** @param rules what an administrator allows now */
export function createAnotherWayCommand(
  context: CommandContext,
  rules: () => ConnectionRules,
  world: AnotherWay,
): CommandHandler {
  return onTarget(context, async ({ serverId }) => {
    const server = context.servers.list.get(serverId);
    const ways = [...listCertificateWays(context, rules, world, server), ...listWays(context, world, server)];
    const way = await context.conversation.chooseOne(
      t('How do you want to connect to {0}?', server.name),
      ways,
    );
    await way();
  });
}

function listWays(context: CommandContext, world: AnotherWay, server: ListedServer): readonly Option<Way>[] {
  const ways: Option<Way>[] = [
    { value: () => refresh(context, server.id), label: t('Try Again'), description: describeWay(server) },
    {
      value: world.showDiagnostics,
      label: t('Show Connection Diagnostics'),
      description: t('What was found, and why this way was chosen'),
    },
  ];
  if (server.way === 'own')
    return [
      {
        value: () => world.editServer(server.id),
        label: t('Edit Server…'),
        description: t('Address, login, password, encryption'),
      },
      ...ways,
    ];
  const directly = {
    value: () => world.connectDirectly(server),
    label: t('Connect Directly…'),
    description: t(
      'With the settings of this connection; you type its password. Captures stay with the server.',
    ),
  };
  // Nothing that goes by way of that product leads anywhere.
  if (context.servers.snapshot(server.id).standing?.kind === 'gone')
    return [
      directly,
      ...(server.way === 'file' || !otherHosts[server.way].isImported
        ? []
        : [
            {
              value: world.importServers,
              label: t('Import Connections…'),
              description: t('All that {0} has saved, without their passwords', nameWay(server.way)),
            },
          ]),
    ];
  const editPermission = world.findHost(server)?.editPermission ?? null;
  return [
    directly,
    ...(editPermission === null
      ? []
      : [
          {
            value: async () => {
              await editPermission();
              await refresh(context, server.id);
            },
            label: t('Allow or Deny Use of Its Connections…'),
            description: nameWay(server.way),
          },
        ]),
    ...ways,
  ];
}

/** Only if the certificate is the reason that we cannot connect. */
function listCertificateWays(
  context: CommandContext,
  rules: () => ConnectionRules,
  { findChange }: AnotherWay,
  { id, way }: ListedServer,
): readonly Option<Way>[] {
  const server = context.servers.saved.find(id);
  if (server === undefined || way !== 'own' || context.servers.snapshot(id).standing?.kind !== 'certificate')
    return [];
  const change = findChange(id);
  if (!mayTrust(server, rules(), change !== null)) return [];
  const value = async (): Promise<void> => {
    await trustCertificate(context, rules, server, change);
    await refresh(context, id);
  };
  return [
    change === null
      ? { value, label: t('Trust the Server Certificate…'), description: t('No authority vouches for it') }
      : {
          value,
          label: t('Trust the New Certificate…'),
          description: t('The server now shows a different one'),
        },
  ];
}

function describeWay(server: ListedServer): string {
  return server.way === 'own'
    ? t('Through our own driver')
    : t('Through the connection of {0}', nameWay(server.way));
}

async function refresh(context: CommandContext, serverId: string): Promise<void> {
  const monitor = await context.servers.monitor(serverId);
  await context.conversation.showWork(t('Connecting'), (signal) => monitor.refresh(signal));
  const { failure } = monitor.snapshot;
  if (failure !== null) throw new Error(failure);
  if (monitor.snapshot.facts === null) throw new Dismissed();
}
