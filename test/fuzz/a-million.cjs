'use strict';
/* How many texts `npm run test:fuzz` reads unless the environment says otherwise. A script of package.json cannot say it: shells differ. */
process.env.FUZZ_CASES ??= '1000000';
