'use strict';
const { join } = require('node:path');
const { BannerPlugin } = require('webpack');
const { NoticesPlugin } = require('../tools/build/notices-plugin');

const root = join(__dirname, '..');
const leftOut = join(root, 'src/hosts/direct/azure-left-out.ts');

/** @type {import('webpack').Configuration} */
module.exports = {
  mode: 'production',
  name: 'cli',
  target: 'node20',
  // A thread begins with the same file.
  node: { __filename: false },
  devtool: false,
  // Native: it stays a package beside the program.
  externals: { koffi: 'commonjs koffi' },
  entry: { 'checkpoint-health': join(__dirname, 'src/main.ts') },
  output: { path: join(__dirname, 'dist'), filename: '[name].js', library: { type: 'commonjs2' } },
  resolve: {
    extensions: ['.ts', '.js'],
    alias: { '@azure/identity': leftOut, '@azure/keyvault-keys': leftOut },
  },
  module: {
    rules: [
      { test: /\.ts$/, loader: 'esbuild-loader', options: { target: 'node20' } },
      { test: /\.(sql|md)$/, type: 'asset/source' },
    ],
  },
  optimization: { splitChunks: false, minimize: false },
  plugins: [
    new BannerPlugin({ banner: '#!/usr/bin/env node', raw: true, include: /\.js$/ }),
    new NoticesPlugin({ file: 'THIRD-PARTY-NOTICES.txt', lastOf: ['cli'] }),
  ],
  performance: false,
  stats: 'errors-warnings',
};
