import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../tools/packages';

/** Words that T-SQL has from compatibility level 110 of the current database only, which an upgraded server's databases need not have. */
const newer = /\b(TRY_CONVERT|TRY_CAST|TRY_PARSE|PERCENTILE_CONT|PERCENTILE_DISC|WITHIN\s+GROUP)\b/i;

describe('What a colleague runs in whatever database is current', () => {
  for (const folder of ['read', 'change', 'ssms', 'azure'])
    it(`compiles below compatibility level 110: sql/${folder}`, () => {
      const files = fs.readdirSync(path.join(root, 'sql', folder)).filter((name) => name.endsWith('.sql'));
      assert.ok(files.length > 0);
      const using = files.filter((name) => newer.test(fs.readFileSync(path.join(root, 'sql', folder, name), 'utf8')));
      assert.deepEqual(using, []);
    });
});
