/** How many generated texts each fuzz test reads: a short form with every run of the tests, a million by `npm run test:fuzz`. */
export const fuzzCases = Number(process.env['FUZZ_CASES'] ?? 5_000);
