'use strict';
const { join } = require('node:path');
const Minimizer = require('minimizer-webpack-plugin');
const { NoticesPlugin } = require('./tools/build/notices-plugin');

const dist = join(__dirname, 'dist');
const notices = new NoticesPlugin({ file: 'THIRD-PARTY-NOTICES.txt', lastOf: ['extension', 'webview'] });

/*
 * Types are checked by npm run typecheck; here they are only removed. ES modules stay as they are, so that import()
 * stays a chunk of its own.
 */
const typescript = (target) => ({ test: /\.ts$/, loader: 'esbuild-loader', options: { target } });
const minimizer = [
  new Minimizer({ minify: Minimizer.swcMinify, minimizerOptions: { compress: { passes: 3 } } }),
];

/** @type {import('webpack').Configuration} */
const common = {
  mode: 'production',
  resolve: { extensions: ['.ts', '.js'] },
  performance: false,
  stats: 'errors-warnings',
};

/** @type {import('webpack').Configuration} */
const extension = {
  ...common,
  name: 'extension',
  target: 'node16.17',
  entry: { extension: './src/extension.ts' },
  output: {
    path: dist,
    filename: '[name].js',
    chunkFilename: '[name].js',
    library: { type: 'commonjs2' },
    // What could not be loaded is missing the second time too, and no empty module.
    strictModuleErrorHandling: true,
  },
  // koffi.node is only in the package of a platform (tools/build/vsix.ts).
  externals: { vscode: 'commonjs vscode', azdata: 'commonjs azdata', koffi: 'commonjs ./koffi.node' },
  resolve: {
    ...common.resolve,
    /*
     * tedious loads both for ways to log in that we do not offer: they are half of its size and of its loading time
     * (docs/libraries.md, Tedious).
     */
    alias: {
      '@azure/identity': join(__dirname, 'src/hosts/direct/azure-left-out.ts'),
      '@azure/keyvault-keys': join(__dirname, 'src/hosts/direct/azure-left-out.ts'),
    },
  },
  module: { rules: [typescript('node16'), { test: /\.sql$/, type: 'asset/source' }] },
  /* Chunks are named after what is loaded late, so that the package can be read. */
  optimization: { splitChunks: false, chunkIds: 'named', minimizer },
  plugins: [notices],
};

/** @type {import('webpack').Configuration} */
const webview = {
  ...common,
  name: 'webview',
  target: ['web', 'browserslist:chrome 108'],
  entry: {
    webview: './src/webview/dashboard/main.ts',
    review: './src/webview/review/main.ts',
    'error-log': './src/webview/error-log/main.ts',
  },
  output: { path: dist, filename: '[name].js' },
  module: { rules: [typescript('chrome108')] },
  optimization: { minimizer },
  plugins: [notices],
};

module.exports = (_env, { mode }) =>
  [extension, webview].map((one) => ({ ...one, devtool: mode === 'development' ? 'source-map' : false }));
