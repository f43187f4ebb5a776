/** The package has no types. Node itself no longer has MD4. */
declare module 'js-md4' {
  const md4: { arrayBuffer(message: Uint8Array): ArrayBuffer };
  export default md4;
}
