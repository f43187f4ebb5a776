/** A file of sql/ as a string: webpack's asset/source in the bundle, a require hook in Mocha. */
declare module '*.sql' {
  const text: string;
  export default text;
}

/** The same of a page of docs/, for the command line. */
declare module '*.md' {
  const text: string;
  export default text;
}
