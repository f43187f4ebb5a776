/** Styles are put into the page by esbuild. */
declare module '*.css';
