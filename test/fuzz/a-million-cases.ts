/** Loaded before the fuzz tests by `npm run test:fuzz`. */
process.env['FUZZ_CASES'] ??= '1000000';
