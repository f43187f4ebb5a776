'use strict';
/*
 * Lets `import text from "./x.sql"`, or of a page, give the file's text in Mocha, as webpack's asset/source does in the
 * bundle; and fixes the time zone.
 */
const fs = require('node:fs');
process.env.TZ = 'UTC';
require.extensions['.sql'] = require.extensions['.md'] = (module, file) => {
  module.exports = fs.readFileSync(file, 'utf8');
};
