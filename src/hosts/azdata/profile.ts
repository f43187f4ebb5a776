/** A connection of Azure Data Studio without its secrets. The host writes the same thing in four ways; all are read here. */
import type { Account, HostServer } from '../host';
import { MSSQL } from './world';

type Option = string | number | boolean;

export interface AzdataProfile {
  readonly id: string;
  readonly connectionName: string;
  readonly serverName: string;
  /** Empty: the login's own. */
  readonly databaseName: string;
  readonly userName: string;
  readonly authenticationType: string;
  readonly groupId: string;
  /** The database that the connection is for, where it is not for a server (Azure Data Studio 1.47, isServerConnection). */
  readonly originalDatabase: string;
  readonly options: Readonly<Record<string, Option>>;
}

/** What no copy of ours may hold: passwords, tokens, and strings that could hold either. */
const SECRET = /pass|pwd|token|secret|connectionstring/i;

/**
 * Reads a profile in whichever form it comes: `getConnections` (`connectionId`, `providerId`), a menu's argument (`id`, `providerName`),
 * settings (`options` only), a dashboard (`connectionId`, `providerName`, `options`).
 * @returns null where it is none of SQL Server, or none at all
 */
export function readProfile(value: unknown): AzdataProfile | null {
  try {
    return isRecord(value) ? readRecord(value) : null;
  } catch {
    // Somebody else's object may throw at any property.
    return null;
  }
}

function readRecord(record: Record<string, unknown>): AzdataProfile | null {
  const options = isRecord(record['options']) ? record['options'] : {};
  const text = (...values: readonly unknown[]): string =>
    values.find((value): value is string => typeof value === 'string' && value !== '') ?? '';
  const id = text(record['connectionId'], record['id']);
  const serverName = text(record['serverName'], options['server']);
  if (text(record['providerId'], record['providerName']) !== MSSQL || id === '' || serverName === '') return null;
  return {
    id,
    serverName,
    connectionName: text(record['connectionName'], options['connectionName']),
    databaseName: text(record['databaseName'], options['database']),
    userName: text(record['userName'], options['user']),
    authenticationType: text(record['authenticationType'], options['authenticationType']),
    groupId: text(record['groupId'], options['groupId']),
    originalDatabase: text(options['originalDatabase']),
    options: copyOptions(options),
  };
}

/** The profile as the rest of the product knows it. */
export function describeHostServer(profile: AzdataProfile): HostServer {
  const found = {
    id: serverId(profile.id),
    name: profile.connectionName === '' ? profile.serverName : profile.connectionName,
    server: profile.serverName,
    user: needsPassword(profile) && profile.userName !== '' ? profile.userName : null,
  };
  if (needsPassword(profile)) return found;
  return { ...found, login: needsSignIn(profile) ? profile.userName || profile.authenticationType : 'Windows login' };
}

/** A SQL login; without an authentication type the host takes its default, and a user's name then means a SQL login. */
export function needsPassword({ authenticationType, userName }: AzdataProfile): boolean {
  return authenticationType === '' ? userName !== '' : authenticationType === 'SqlLogin';
}

/** Neither a SQL login nor Windows: a token of Microsoft Entra, for which the host may open a page to sign in. */
export function needsSignIn({ authenticationType }: AzdataProfile): boolean {
  return !['', 'SqlLogin', 'Integrated'].includes(authenticationType);
}

/** Who logs in: the same on every server that this kind of login and name is used on. No secret. */
export function nameAccount(profile: AzdataProfile | null, { user, name }: HostServer): Account {
  const kind = profile === null || needsPassword(profile) ? 'SqlLogin' : profile.authenticationType;
  const who = user ?? profile?.userName ?? '';
  const login = kind === 'SqlLogin' ? `login ${who === '' ? `of ${name}` : who}` : `${kind} ${who}`.trim();
  return { key: JSON.stringify(['azdata', kind, who]), shown: `${login}, by Azure Data Studio` };
}

/**
 * Whether `copy` is `profile` under another id. The host gives a new id to what an extension connects (mainThreadConnectionManagement.ts, $connect) and to a
 * query editor or dashboard of one of its databases (connectionProfile.ts, cloneWithDatabase).
 */
export function isCopyOf(copy: AzdataProfile, profile: AzdataProfile): boolean {
  const isForServer = profile.databaseName === '' || isSameName(profile.databaseName, 'master');
  return identify(copy) === identify(profile) && (isForServer || isSameName(profile.databaseName, copy.databaseName));
}

/** Whether both lead to the same server as the same user. */
export function reachesSame(a: AzdataProfile, b: AzdataProfile): boolean {
  return isSameName(a.serverName, b.serverName) && isSameName(a.userName, b.userName) && a.authenticationType === b.authenticationType;
}

export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

export function serverId(connectionId: string): string {
  return `azdata:${connectionId}`;
}

/** The host's own id of a server of ours. */
export function connectionId(id: string): string {
  return id.replace(/^azdata:/, '');
}

function identify({ serverName, userName, authenticationType, groupId, connectionName }: AzdataProfile): string {
  return JSON.stringify([serverName.toLowerCase(), userName.toLowerCase(), authenticationType, groupId, connectionName]);
}

function copyOptions(options: Record<string, unknown>): Record<string, Option> {
  return Object.fromEntries(
    Object.entries(options).filter(
      (entry): entry is [string, Option] => !SECRET.test(entry[0]) && ['string', 'number', 'boolean'].includes(typeof entry[1]),
    ),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
