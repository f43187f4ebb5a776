/** The release of the server behind a session, by the year in its name. */
import type { Instance } from '../engine/instance';

const years: Readonly<Record<string, number>> = { '11': 2012, '12': 2014, '13': 2016, '14': 2017, '15': 2019, '16': 2022, '17': 2025 };

/** 2019 where the server does not tell its version. */
export function releaseOf(instance: Instance): number {
  const value = instance.serverProperty('ProductVersion');
  const text = value !== null && typeof value === 'object' && 'value' in value ? String(value.value) : String(value);
  return years[text.split('.')[0] as string] ?? 2019;
}
