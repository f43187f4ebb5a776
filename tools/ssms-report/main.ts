/** Writes the custom report for SSMS anew, after a change of the files that it carries. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../packages';
import { REPORT_PATH, writeReport } from './report';

writeFileSync(join(root, REPORT_PATH), writeReport());
