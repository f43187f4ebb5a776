/** What a server does with a ticket: GSSAPI with its key. It knows of the product only the tokens. */
import koffi from 'koffi';
import type { CheckTicket } from '../../simulator/tds/handler';

const library = koffi.load('libgssapi_krb5.so.2');
const buffer = koffi.struct({ length: 'size_t', value: 'void *' });
const bindings = koffi.struct({
  initiatorType: 'uint32',
  initiator: buffer,
  acceptorType: 'uint32',
  acceptor: buffer,
  data: buffer,
});
const status = koffi.out(koffi.pointer('uint32'));
const handle = koffi.out(koffi.pointer('void *'));
const given = koffi.out(koffi.pointer(buffer));
const acquire = library.func('gss_acquire_cred', 'uint32', [
  ...[status, 'void *', 'uint32', 'void *', 'int', handle, 'void *', 'void *'],
]);
const accept = library.func('gss_accept_sec_context', 'uint32', [
  ...[status, koffi.inout(koffi.pointer('void *')), 'void *', koffi.pointer(buffer), koffi.pointer(bindings)],
  ...[handle, 'void *', given, status, 'void *', 'void *'],
]);
const display = library.func('gss_display_name', 'uint32', [status, 'void *', given, 'void *']);

/** GSS_C_ACCEPT, GSS_C_DELEG_FLAG. */
const [ACCEPT, DELEGATED] = [2, 1];

interface Given {
  readonly length?: bigint | number;
  readonly value?: bigint;
}
const copy = ({ length = 0, value }: Given): Buffer =>
  Number(length) === 0
    ? Buffer.alloc(0)
    : Buffer.from(koffi.decode(value, koffi.array('uint8', Number(length))) as Uint8Array);

/**
 * Checks tickets with the keys of `KRB5_KTNAME`. `ann@CONTOSO.TEST` is `CONTOSO\ann`. Refuses a ticket that another
 * TLS connection was to have, and one that would let the server act for the user.
 */
export const checkTicket: CheckTicket = (token, binding) => {
  const [minor, credentials, context, name, flags]: unknown[][] = [[0], [null], [null], [null], [0]];
  const [reply, shown]: Given[][] = [[{}], [{}]];
  const none = { length: 0, value: null };
  const tied = binding && {
    initiatorType: 0,
    initiator: none,
    acceptorType: 0,
    acceptor: none,
    data: { length: binding.length, value: binding },
  };
  if (acquire(minor, null, 0, null, ACCEPT, credentials, null, null) !== 0) return null;
  const input = { length: token.length, value: token };
  const major = accept(
    ...[minor, context, credentials?.[0], input, tied, name, null, reply, flags, null, null],
  ) as number;
  if (major !== 0 || ((flags?.[0] as number) & DELEGATED) !== 0) return null;
  display(minor, name?.[0], shown, null);
  const [user = '', realm = ''] = copy(shown?.[0] ?? {})
    .toString('utf8')
    .split('@');
  return { user: `${realm.split('.')[0]}\\${user}`, reply: copy(reply?.[0] ?? {}) };
};
