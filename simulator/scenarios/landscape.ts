/** Which connections the databases of a secondary replica take: none, those with ApplicationIntent=ReadOnly, all. */
type ReadableSecondary = 'NO' | 'READ_ONLY' | 'ALL';

export interface ReplicaDescription {
  /** SERVERPROPERTY('ServerName') of the server; in a distributed group the name of a group. */
  readonly server: string;
  readonly isSynchronous: boolean;
  readonly isAutomatic: boolean;
  readonly readable: ReadableSecondary;
  readonly backupPriority: number;
  /** Milliseconds until log of the primary is on disk here, and from then until it is redone. */
  readonly sendLagMs: number;
  readonly redoLagMs: number;
  /** Databases of the group that are on the server without being joined; they are RESTORING. */
  readonly notJoined?: readonly string[];
  /** Databases whose data movement someone has suspended here. */
  readonly suspended?: readonly string[];
}

export interface ListenerDescription {
  readonly dnsName: string;
  readonly port: number;
  readonly ip: string;
}

/** An availability group whose replicas are servers. The first of them is the primary when the model begins. */
export interface GroupDescription {
  readonly name: string;
  /** The failover cluster that its servers are nodes of. */
  readonly cluster: string;
  readonly isContained: boolean;
  readonly replicas: readonly ReplicaDescription[];
  readonly databases: readonly string[];
  readonly listener?: ListenerDescription;
}

/** A distributed availability group: the primary of `second` is the forwarder, which writes nothing of its own. */
export interface DistributedGroupDescription {
  readonly name: string;
  readonly first: string;
  readonly second: string;
  readonly sendLagMs: number;
}
