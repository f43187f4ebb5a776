/** What of a connection string is not used, said without showing what may be a part of a password: `Password=ab;cd=ef` has a "keyword" cd. */

/** Keywords of SqlClient, ODBC and JDBC that have no meaning here, without blanks and in lower case. */
const known: ReadonlySet<string> = new Set(
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

/** @param keys as they were written @returns one sentence, or two */
export function describeUnused(keys: readonly string[]): readonly string[] {
  const named = keys.filter((key) => known.has(key.replace(/[\s_]/g, '').toLowerCase()));
  const unknown = keys.length - named.length;
  return [
    ...(named.length > 0 ? [`Not used from the connection string: ${named.join(', ')}.`] : []),
    ...(unknown > 0
      ? [
          `${unknown === 1 ? '1 part' : `${unknown} parts`} of the connection string ${unknown === 1 ? 'has' : 'have'} a keyword that is not known. A password with a semicolon has to stand in quotes.`,
        ]
      : []),
  ];
}
