/**
 * Turns a connection string into what is kept of a server. Knows the keywords of SqlClient, ODBC and JDBC in all their
 * spellings.
 */
import { explainWhole, MOST_CONNECT_SECONDS, readNumber } from '../core/bounds';
import { countOf } from '../core/format';
import { joinSentences, t } from '../core/language';
import { type Authentication, type Encryption, type OwnServer, takesPassword } from '../hosts/host';

type Answers = Partial<Omit<OwnServer, 'id' | 'port'>> & { readonly password?: string | undefined };

type Answered = 'authentication' | 'login' | 'tenant' | 'password' | 'database' | 'encryption' | 'trust';

export interface PastedAnswers {
  readonly answers: Answers & Pick<OwnServer, 'server'>;
  /** What need not be asked any more. */
  readonly answered: ReadonlySet<Answered>;
  /** Which parts of the string are not used, one sentence each. */
  readonly notices: readonly string[];
}

/** An address never contains an equals sign. */
export function isConnectionString(text: string): boolean {
  return text.includes('=') || /^\s*jdbc:/i.test(text);
}

/** Whether the text may contain a password, also while it is still being typed. */
export function mayHoldPassword(text: string): boolean {
  return /(pass(\s*word)?|pwd|token)\s*=|:\/\/[^\s/@:]*:[^\s@]*@/i.test(text);
}

type Keyword =
  | 'server'
  | 'instance'
  | 'port'
  | 'user'
  | 'domain'
  | 'password'
  | 'database'
  | 'encrypt'
  | 'trust'
  | 'hostName'
  | 'authentication'
  | 'integrated'
  | 'spn'
  | 'subnets'
  | 'intent'
  | 'timeout';

const spellings: Readonly<Record<Keyword, readonly string[]>> = {
  server: ['server', 'datasource', 'addr', 'address', 'networkaddress', 'servername'],
  instance: ['instancename'],
  port: ['portnumber', 'port'],
  user: ['userid', 'uid', 'user', 'username'],
  domain: ['domain'],
  password: ['password', 'pwd'],
  database: ['initialcatalog', 'database', 'databasename'],
  encrypt: ['encrypt'],
  trust: ['trustservercertificate'],
  hostName: ['hostnameincertificate'],
  authentication: ['authentication'],
  integrated: ['integratedsecurity', 'trustedconnection'],
  spn: ['serverspn'],
  subnets: ['multisubnetfailover'],
  intent: ['applicationintent'],
  timeout: ['connecttimeout', 'connectiontimeout', 'timeout', 'logintimeout'],
};

const keywords: ReadonlyMap<string, Keyword> = new Map(
  Object.entries(spellings).flatMap(([keyword, names]) =>
    names.map((name) => [name, keyword as Keyword] as const),
  ),
);

/** Pairs that ask only for what is so anyway, or name the program that the string was made for. */
const NEEDLESS =
  /^(persistsecurityinfo|multipleactiveresultsets|marsconnection)=(false|no)$|^driver=|^authenticationscheme=(ntlm|javakerberos|nativeauthentication)$/i;

/** @throws Error with one sentence. It contains none of the values, because one of them is a password */
export function readConnectionString(text: string): PastedAnswers {
  const given = new Map<Keyword, Pair>();
  const unused: string[] = [];
  const { pairs, dialect } = readPairs(text);
  for (const pair of pairs) {
    const keyword = keywords.get(pair.name);
    if (keyword === undefined && !NEEDLESS.test(`${pair.name}=${pair.value}`)) unused.push(pair.key);
    // A key without a value means nothing. Of two values ODBC takes the first, the others the last (docs/facts.md,
    // Hosts).
    if (keyword !== undefined && pair.value !== '' && !(dialect === 'ODBC' && given.has(keyword)))
      given.set(keyword, pair);
  }
  const value = (keyword: Keyword): string | undefined => given.get(keyword)?.value;
  const server = readServer(value);
  if (server === undefined) throw new Error(t('This connection string names no server.'));
  const login = readLogin(given, value);
  const hostName = value('hostName');
  if (hostName?.includes('*')) unused.push((given.get('hostName') as Pair).key);
  const { authentication } = login.answers;
  const spn = value('spn');
  if (spn !== undefined && authentication !== 'integrated') unused.push((given.get('spn') as Pair).key);
  const notices = [...login.notices, ...listRefused(given, authentication), ...describeUnused(unused)];
  return {
    answers: {
      server,
      ...login.answers,
      ...readOptions(given, value),
      ...(authentication === 'entra' && given.has('trust') && { trustServerCertificate: false }),
      ...(spn !== undefined && authentication === 'integrated' && { serverSpn: spn }),
      ...(hostName !== undefined && !hostName.includes('*') && { hostNameInCertificate: hostName }),
    },
    answered: listAnswered(given, login.answers, login.isKindKnown),
    notices,
  };
}

/** JDBC and FreeTDS can give instance and port as keys of their own. */
function readServer(value: Value): string | undefined {
  const typed = value('server');
  // A pipe's name begins with two backslashes; elsewhere two are one, written in source code.
  const plain = typed !== undefined && /^(?:np:|\\\\)/i.test(typed) ? typed : typed?.replace(/\\\\/g, '\\');
  const [host, ...port] = plain?.split(',') ?? [];
  if (host === undefined) return undefined;
  const instance = host.includes('\\') ? undefined : value('instance');
  const place = port.length > 0 ? port.join(',') : value('port');
  return `${host}${instance === undefined ? '' : `\\${instance}`}${place === undefined ? '' : `,${place}`}`;
}

type Value = (keyword: Keyword) => string | undefined;
type Given = ReadonlyMap<Keyword, Pair>;

interface Login {
  readonly answers: Answers;
  readonly isKindKnown: boolean;
  readonly notices: readonly string[];
}

/** Azure's portal writes {your_password} in place of the password. */
const PLACEHOLDER = /^\{?your[_ ]?password([_ ]here)?\}?$/i;

function readLogin(given: Given, value: Value): Login {
  const name = value('user')?.replace(/\\\\/g, '\\');
  const typed = value('password');
  const password = typed === undefined || PLACEHOLDER.test(typed) ? undefined : typed;
  // With Integrated Security, SqlClient takes no notice of a user, and JDBC logs in with that of a domain.
  const namesWindowsLogin = name !== undefined && (/[\\@]/.test(name) || value('domain') !== undefined);
  const kind = nameKind(
    value('authentication'),
    isTrue(given.get('integrated'), ['sspi']) && (namesWindowsLogin ? 'windows' : 'integrated'),
  );
  const authentication = kind.authentication ?? (name?.includes('\\') ? 'windows' : 'sql');
  const user = qualify(authentication, name, value('domain'));
  return {
    answers: {
      authentication,
      ...(user !== undefined && { user }),
      ...(password !== undefined && takesPassword({ authentication }) && { password }),
    },
    isKindKnown: kind.authentication !== undefined || (user !== undefined && authentication === 'sql'),
    notices: kind.notices,
  };
}

/**
 * JDBC gives the domain for NTLM beside the user. A Microsoft Entra identity without an @ is an application's, not an
 * account that signs in.
 */
function qualify(
  authentication: Authentication,
  name: string | undefined,
  domain: string | undefined,
): string | undefined {
  if (authentication === 'entra') return name?.includes('@') ? name : undefined;
  if (authentication === 'integrated') return undefined;
  const lacksDomain = authentication === 'windows' && name !== undefined && !/[\\@]/.test(name);
  return lacksDomain && domain !== undefined ? `${domain}\\${name}` : name;
}

interface Kind {
  readonly authentication?: Authentication;
  readonly notices: readonly string[];
}

/** Microsoft Learn, "Connect to Azure SQL with Microsoft Entra authentication and SqlClient". */
function nameKind(written: string | undefined, integrated: false | 'windows' | 'integrated'): Kind {
  const name = written?.toLowerCase().replace(/[\s_]/g, '') ?? '';
  if (name === 'sqlpassword') return { authentication: 'sql', notices: [] };
  if (/^activedirectory(interactive|default|devicecodeflow|integrated)$/.test(name))
    return { authentication: 'entra', notices: [] };
  if (name.startsWith('activedirectory'))
    return {
      authentication: 'entra',
      notices: [t('This way to sign in to Microsoft Entra is not supported. A signed-in account is used.')],
    };
  if (integrated !== false) return { authentication: integrated, notices: [] };
  if (name !== '') return { notices: [t('This kind of authentication is not supported. Choose another.')] };
  return { notices: [] };
}

function readOptions(given: Given, value: Value): Answers {
  const [database, timeout] = [value('database'), value('timeout')];
  // 0 would mean no limit.
  const complaint =
    timeout === undefined
      ? null
      : explainWhole(readNumber(timeout), { least: 0, most: MOST_CONNECT_SECONDS });
  if (complaint !== null)
    throw new Error(
      joinSentences(
        t(
          '{0} in this connection string is not a number of seconds that can be used.',
          (given.get('timeout') as Pair).key,
        ),
        complaint,
      ),
    );
  return {
    ...(given.has('encrypt') && { encrypt: readEncryption(given.get('encrypt') as Pair) }),
    ...(given.has('trust') && { trustServerCertificate: isTrue(given.get('trust')) }),
    ...(database !== undefined && { database }),
    ...(isTrue(given.get('subnets')) && { multiSubnetFailover: true }),
    ...(value('intent')?.toLowerCase() === 'readonly' && { readOnlyIntent: true }),
    ...(timeout !== undefined && Number(timeout) > 0 && { connectTimeoutSeconds: Number(timeout) }),
  };
}

function readEncryption(pair: Pair): Encryption {
  const name = pair.value.toLowerCase();
  if (name === 'strict') return 'strict';
  if (name === 'mandatory') return 'mandatory';
  // Throws if the word is unknown.
  if (name !== 'optional') isTrue(pair);
  return 'mandatory';
}

/** What the string asks for and does not get: no encryption, or a token for a server with an unchecked certificate. */
function listRefused(given: Given, authentication: Authentication | undefined): readonly string[] {
  const [encrypt, trust] = [given.get('encrypt'), given.get('trust')];
  const isOptional = encrypt !== undefined && /^(optional|false|no|0)$/i.test(encrypt.value);
  return [
    ...(isOptional
      ? [
          t(
            'Checkpoint Health always encrypts. {0}={1} is read as mandatory encryption.',
            encrypt.key,
            encrypt.value,
          ),
        ]
      : []),
    ...(authentication === 'entra' && trust !== undefined && isTrue(trust)
      ? [
          t(
            '{0} is not used. A Microsoft Entra token goes only to a server whose certificate is checked.',
            trust.key,
          ),
        ]
      : []),
  ];
}

/** @throws Error if it is neither yes nor no */
function isTrue(pair: Pair | undefined, alsoTrue: readonly string[] = []): boolean {
  if (pair === undefined) return false;
  const word = pair.value.toLowerCase();
  if (['true', 'yes', '1', ...alsoTrue].includes(word)) return true;
  if (['false', 'no', '0'].includes(word)) return false;
  throw new Error(t('{0} in this connection string is neither yes nor no.', pair.key));
}

/**
 * If the string does not give the database, the account or the tenant, the default counts. If it says nothing of
 * encryption, that is asked.
 */
function listAnswered(
  given: Given,
  { authentication, user, password }: Answers,
  isKindKnown: boolean,
): ReadonlySet<Answered> {
  const answered = new Set<Answered>(['database', 'tenant']);
  if (isKindKnown) answered.add('authentication');
  if (isKindKnown && (user !== undefined || !takesPassword({ authentication }))) answered.add('login');
  if (isKindKnown && password !== undefined) answered.add('password');
  if (given.has('encrypt')) answered.add('encryption');
  if (given.has('trust')) answered.add('trust');
  return answered;
}

/*
 * Splits a connection string into pairs. The grammar is ADO.NET's (Microsoft Learn, "Connection Strings",
 * "SqlConnection.ConnectionString"): `key=value;`, with a value in `"` or `'`, which is doubled inside. ODBC and JDBC
 * use braces as quotes; in ADO.NET they are ordinary characters. The one library for this (@tediousjs/connection-string
 * 1.1.0) is not used: it reads `Password=;Encrypt=True` as the password `;Encrypt=True`, `;;` as an escaped semicolon,
 * and silently drops a key without a value.
 */

/**
 * A key as written, and the form in which its spellings are compared: `Trust Server Certificate` and
 * `trustservercertificate` are one.
 */
interface Pair {
  readonly key: string;
  readonly name: string;
  readonly value: string;
}

type Dialect = 'ADO.NET' | 'ODBC' | 'JDBC';

/** With what a value in quotes begins. */
const QUOTES: Readonly<Record<Dialect, string>> = { 'ADO.NET': '"\'', ODBC: '{', JDBC: '{' };

/** @throws Error with one sentence. It contains none of the values, because one of them is a password */
function readPairs(text: string): { readonly pairs: readonly Pair[]; readonly dialect: Dialect } {
  const plain = unwrap(text);
  const jdbc = /^\s*jdbc:sqlserver:\/\/([^;]*)/i.exec(plain);
  const rest = jdbc === null ? plain : plain.slice(jdbc[0].length);
  const dialect =
    jdbc !== null ? 'JDBC' : /(?:^|;)\s*(?:driver|dsn|filedsn)\s*=/i.test(rest) ? 'ODBC' : 'ADO.NET';
  const pairs = jdbc?.[1] ? [createPair('server', jdbc[1].replace(/:(?=\d+$)/, ','))] : [];
  for (let at = skip(rest, 0, /[^\s;]/g); at < rest.length; at = skip(rest, at, /[^\s;]/g)) {
    const found = readPair(rest, at, QUOTES[dialect]);
    if (found === null) throw new Error(describeDamage(rest.slice(at), pairs.length + 1));
    pairs.push(found.pair);
    at = found.to;
  }
  return { pairs, dialect };
}

/**
 * Takes time in proportion to the length of the pair.
 * @returns the pair that begins here, and the position after it; null if it is none
 */
function readPair(
  text: string,
  from: number,
  quotes: string,
): { readonly pair: Pair; readonly to: number } | null {
  const equals = skip(text, from, /[=;]/g);
  const key = text.slice(from, equals).trim();
  if (key === '' || text[equals] !== '=') return null;
  const begin = skip(text, equals + 1, /\S/g);
  const first = text.charAt(begin);
  if (first === '' || !quotes.includes(first)) {
    const to = skip(text, equals + 1, /;/g);
    return { pair: createPair(key, text.slice(equals + 1, to).trim()), to };
  }
  const quote = first === '{' ? '}' : first;
  let end = text.indexOf(quote, begin + 1);
  while (end >= 0 && text[end + 1] === quote) end = text.indexOf(quote, end + 2);
  const to = skip(text, end + 1, /\S/g);
  if (end < 0 || (to < text.length && text[to] !== ';')) return null;
  const value = text
    .slice(begin + 1, end)
    .split(quote + quote)
    .join(quote);
  return { pair: createPair(key, value), to };
}

/**
 * The position of the first such character from there on; the end of the text if there is none.
 * @param wanted with the flag g
 */
function skip(text: string, from: number, wanted: RegExp): number {
  wanted.lastIndex = from;
  return wanted.exec(text)?.index ?? text.length;
}

/** If the string was copied from source code: the text within its quotes, with quotes inside escaped by a backslash. */
function unwrap(text: string): string {
  const [, quote, inside] = /^\s*(["'])(?!\1)(.*)\1[;,]?\s*$/.exec(text) ?? [];
  return quote === undefined || inside === undefined ? text : inside.split(`\\${quote}`).join(quote);
}

function createPair(key: string, value: string): Pair {
  return { key, name: key.toLowerCase().replace(/[\s_]/g, ''), value };
}

function describeDamage(rest: string, place: number): string {
  const [, key] = /^([^=;]*)=/.exec(rest) ?? [];
  if (key === undefined)
    return t('This connection string cannot be read: its part {0} has no = sign.', place);
  return t(
    'This connection string cannot be read: the quotes around the value of its part {0} do not match.',
    place,
  );
}

/** Keywords of SqlClient, ODBC and JDBC that mean nothing here, in lower case and without blanks. */
const UNUSED: ReadonlySet<string> = new Set(
  (
    'app applicationname workstationid wsid pooling minpoolsize maxpoolsize poolblockingperiod connectionlifetime loadbalancetimeout enlist connectionreset ' +
    'failoverpartner failoverpartnerspn serverspn persistsecurityinfo multipleactiveresultsets marsconnection packetsize connectretrycount connectretryinterval ' +
    'replication typesystemversion contextconnection userinstance attachdbfilename initialfilename extendedproperties columnencryption columnencryptionsetting ' +
    'enclaveattestationurl attestationprotocol ipaddresspreference servercertificate commandtimeout currentlanguage language networklibrary network net ' +
    'asynchronousprocessing async transactionbinding transparentnetworkipresolution driver dsn filedsn quotedid ansinpw autotranslate regional keystoreauthentication ' +
    'hostnameincertificate domain realm authenticationscheme sendstringparametersasunicode selectmethod sockettimeout querytimeout cancelquerytimeout locktimeout ' +
    'responsebuffering fips sslprotocol truststore truststoretype truststorepassword keystorelocation keystoresecret preparemethod msiclientid accesstokencallbackclass ' +
    'usebulkcopyforbatchinsert disablestatementpooling statementpoolingcachesize lastupdatecount sendtimeasdatetime xopenstates servernameasace'
  ).split(' '),
);

/**
 * Never shows what may be a part of a password: `Password=ab;cd=ef` has a "keyword" cd.
 * @param keys as they were written
 * @returns one sentence, or two
 */
function describeUnused(keys: readonly string[]): readonly string[] {
  const named = keys.filter((key) => UNUSED.has(key.replace(/[\s_]/g, '').toLowerCase()));
  const unknown = keys.length - named.length;
  return [
    ...(named.length > 0 ? [t('Not used from the connection string: {0}.', named.join(', '))] : []),
    ...(unknown > 0
      ? [joinSentences(countUnknown(unknown), t('Put a password that has a semicolon in quotes.'))]
      : []),
  ];
}

function countUnknown(parts: number): string {
  return countOf(
    parts,
    t('{0} part of the connection string has an unknown keyword.'),
    t('{0} parts of the connection string have unknown keywords.'),
  );
}
