import { once } from 'node:events';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { Refusal } from '../fail';
import { runLeashed, startLeashed } from '../processes/leashed';
import { unpackDebianPackages } from '../programs';
import { clientsFolder } from './python-client';

const PACKAGES = [
  'krb5-kdc',
  'krb5-admin-server',
  'krb5-user',
  'libkadm5srv-mit12',
  'libkadm5clnt-mit12',
  'libkdb5-10',
  'libgssrpc4',
  'libverto1',
  'libverto-libev1',
  'libev4',
  // For Microsoft's ODBC driver, which logs in to the same domain.
  'libltdl7',
];
const folder = join(clientsFolder, 'kerberos');
const REALM = 'CONTOSO.TEST';

/**
 * Unpacks the key distribution center of MIT Kerberos and its programs once.
 * @throws Refusal if it cannot be fetched
 */
export async function installKerberos(): Promise<void> {
  if (existsSync(folder)) return;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  if (!(await unpackDebianPackages(PACKAGES, part)))
    throw new Refusal(
      'The Kerberos of Debian 12 could not be fetched: it needs root, and the package index.',
    );
  renameSync(part, folder);
}

/** A domain of its own on this machine: a real KDC at a free port of the loopback address, in a folder of its own. */
export interface KerberosDomain {
  /** For `KRB5_CONFIG`. */
  readonly configFile: string;
  /** For `LD_LIBRARY_PATH` of programs that need what was unpacked. */
  readonly libraries: string;
  /** Makes a user or a service with a random key. @returns the file of its key */
  add(principal: string): Promise<string>;
  /**
   * Gets a ticket as at a login.
   * @param lifetime as kinit takes it: `1s`, `10h` @returns its file, for `KRB5CCNAME`
   */
  logIn(user: string, keyFile: string, lifetime?: string): Promise<string>;
  /** Resolves when the tickets of that file are good for nobody any more. */
  waitForEnd(ticketFile: string): Promise<void>;
  /** Another configuration, in which the KDC is at this port. */
  configure(port: number): string;
  stop(): Promise<void>;
}

/** @throws Refusal */
export async function startKerberos(): Promise<KerberosDomain> {
  await installKerberos();
  const home = mkdtempSync(join(tmpdir(), 'kerberos-'));
  const port = await findFreePort();
  const libraries = join(folder, 'usr/lib/x86_64-linux-gnu');
  const configure = (kdcPort: number): string => {
    const file = join(home, `krb5-${kdcPort}.conf`);
    writeFileSync(file, writeConfig(kdcPort, join(libraries, 'krb5/plugins/kdb')));
    return file;
  };
  const configFile = configure(port);
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: libraries,
    KRB5_CONFIG: configFile,
    KRB5_KDC_PROFILE: join(home, 'kdc.conf'),
  };
  writeFileSync(env.KRB5_KDC_PROFILE, writeKdcConfig(home, port));
  const run = async (program: string, ...args: readonly string[]): Promise<void> => {
    const { exitCode, output } = await runLeashed(join(folder, 'usr', program), args, { env });
    if (exitCode !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${output}`);
  };
  await run('sbin/kdb5_util', 'create', '-s', '-P', 'of-the-test', '-r', REALM);
  const kdc = startLeashed(join(folder, 'usr/sbin/krb5kdc'), ['-n', '-r', REALM], { env, folders: [home] });
  await new Promise<void>((resolve) => kdc.onOutput((text) => text.includes('starting') && resolve()));
  let files = 0;
  const newFile = (kind: string): string => join(home, `${++files}.${kind}`);
  return {
    configFile,
    libraries,
    configure,
    add: async (principal) => {
      const keyFile = newFile('keytab');
      await run('sbin/kadmin.local', '-q', `addprinc -randkey ${principal}`);
      await run('sbin/kadmin.local', '-q', `ktadd -k ${keyFile} ${principal}`);
      return keyFile;
    },
    logIn: async (user, keyFile, lifetime = '10h') => {
      const ticketFile = newFile('ticket');
      await run('bin/kinit', '-l', lifetime, '-c', ticketFile, '-k', '-t', keyFile, user);
      return ticketFile;
    },
    waitForEnd: async (ticketFile) => {
      const klist = join(folder, 'usr/bin/klist');
      const second = (): number => Math.floor(Date.now() / 1000);
      while ((await runLeashed(klist, ['-s', '-c', ticketFile], { env })).exitCode === 0);
      // In its last second a ticket is good for some and not for others.
      for (const last = second(); second() <= last;) await setTimeout(50);
    },
    stop: async () => void (await kdc.end()),
  };
}

function writeConfig(port: number, plugins: string): string {
  return `[libdefaults]
 default_realm = ${REALM}
 dns_lookup_kdc = false
 dns_lookup_realm = false
 dns_canonicalize_hostname = false
 rdns = false
 udp_preference_limit = 1
[realms]
 ${REALM} = {
  kdc = 127.0.0.1:${port}
 }
[domain_realm]
 localhost = ${REALM}
[dbmodules]
 db_module_dir = ${plugins}
`;
}

/** By TCP alone. */
function writeKdcConfig(home: string, port: number): string {
  return `[realms]
 ${REALM} = {
  database_name = ${join(home, 'principal')}
  key_stash_file = ${join(home, 'stash')}
  kdc_listen = ""
  kdc_tcp_listen = 127.0.0.1:${port}
 }
[logging]
 kdc = FILE:${join(home, 'kdc.log')}
`;
}

/** A port of the loopback address at which nothing listens. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
