/** Names that break quoting, markup or columns. Busy databases have them, so that all readers meet them. */
export const HOSTILE_NAMES: readonly string[] = [
  'a]b',
  "x'; DROP DATABASE y;--",
  `${'Consolidated_Reporting_'.repeat(5)}Year_End_2014`.slice(0, 128).padEnd(128, 'x'),
  'Kasse 🧾 Süd',
  '   three leading blanks',
  'odd */ /* "name" <value>5</value></action> ]]> end',
];

// oxfmt-ignore
const TENANTS = [
  'Adatum', 'Alpine', 'Bellows', 'BestForYou', 'Blueyonder', 'Consolidated', 'Contoso', 'Datum', 'Fabrikam', 'Fincher', 'Fourth', 'GraphicDesign',
  'Humongous', 'Lamna', 'Liberty', 'Litware', 'Lucerne', 'Margie', 'Munson', 'Northwind', 'Nod', 'Olympia', 'Proseware', 'Relecloud',
  'Southridge', 'TailSpin', 'Trey', 'VanArsdel', 'Wide', 'Wingtip', 'WoodGrove', 'Woodward', 'Xenon', 'Zava',
];
const MODULES = ['ERP', 'CRM', 'Billing', 'Warehouse', 'Portal', 'Reporting', 'Audit'];
const COUNTRIES = 'AT BE BG CH CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV NL NO PL PT RO SE'.split(' ');

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** As many ordinary names as asked for: tenants by module, months, shops, content databases. */
export function listOrdinaryNames(count: number): readonly string[] {
  const names = TENANTS.flatMap((tenant) => MODULES.map((module) => `${tenant}_${module}`));
  for (let year = 2018; year <= 2025; year++)
    for (let month = 1; month <= 12; month++) names.push(`Telemetry_${year}_${twoDigits(month)}`);
  names.push(...COUNTRIES.map((country) => `Shop_${country}`));
  for (let number = 1; names.length < count; number++) names.push(`WSS_Content_${twoDigits(number)}`);
  return names.slice(0, count);
}
