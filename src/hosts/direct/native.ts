/**
 * Calls functions of the operating system by koffi, which is one native file and is loaded with the first login as
 * yourself (docs/libraries.md, Koffi). Structures are written byte by byte, as 64-bit systems have them.
 */
import { NegotiationError } from './negotiation';

/** An address in memory; 0: NULL. */
type Address = bigint;

/** Numbers of up to 32 bits, and memory that is passed by its address; null: NULL. */
type Argument = number | Address | Buffer | null;

export interface NativeLibrary {
  /**
   * Calls a function that gives a number of 32 bits, on another thread: it may ask a domain controller.
   * @param args numbers are passed as 32 bits, all else as pointers
   */
  call(name: string, ...args: readonly Argument[]): Promise<number>;
  /** Writes the address of `target` into `memory`, which keeps it from being freed. */
  point(memory: Buffer, at: number, target: Buffer): void;
  /** A copy of what is there. */
  read(address: Address, bytes: number): Buffer;
}

/** What some memory points to. */
const targets = new WeakMap<Buffer, Buffer[]>();

/** @throws NegotiationError `noNative`, `noLibrary` */
export async function loadLibrary(file: string): Promise<NativeLibrary> {
  const koffi = await import('koffi').catch((error: Error) => {
    throw new NegotiationError('noNative', error.message);
  });
  let library: ReturnType<typeof koffi.load>;
  try {
    library = koffi.load(file);
  } catch (error) {
    throw new NegotiationError('noLibrary', (error as Error).message);
  }
  return {
    call: (name, ...args) => {
      const types = args.map((arg) => (typeof arg === 'number' ? 'uint32' : 'void *'));
      const native = library.func(name, 'uint32', types);
      return new Promise((resolve, reject) => {
        native.async(...args, (error: unknown, result: number) => {
          // The arguments are named here, so that their memory lives until the call has ended.
          if (error === null && args.length > 0) resolve(result >>> 0);
          else reject(error);
        });
      });
    },
    point: (memory, at, target) => {
      memory.writeBigUInt64LE(koffi.address(target), at);
      targets.set(memory, [...(targets.get(memory) ?? []), target]);
    },
    read: (address, bytes) => Buffer.from(koffi.decode(address, koffi.array('uint8', bytes)) as Uint8Array),
  };
}
