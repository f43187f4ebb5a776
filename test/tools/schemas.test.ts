import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaFiles, writeSchemas } from '../../tools/build/schemas';
import { root } from '../../tools/packages';

describe('The schemas of data from outside', () => {
  // The compiler reads all of src.

  for (const one of schemaFiles)
    it(`are made of the types as they are: ${one.file}. If not, run npm run schemas`, () => {
      assert.equal(readFileSync(join(root, one.file), 'utf8'), writeSchemas(one));
    });
});
