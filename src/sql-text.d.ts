/** A file of sql/ as a string: webpack's asset/source in the bundle, a require hook in Mocha. */
declare module '*.sql' {
  const text: string;
  export default text;
}
