import assert from 'node:assert/strict';
import { findTwoSidedT, findUpperZ } from '../../../src/core/comparison/student-t';

describe("quantiles of Student's t", () => {
  it('are those of the printed tables', () => {
    // Two-sided probability, degrees of freedom, t: any statistics book.
    const printed = [
      [0.05, 1, 12.7062],
      [0.05, 4, 2.7764],
      [0.05, 6, 2.4469],
      [0.01, 6, 3.7074],
      [0.001, 10, 4.5869],
      [0.05, 30, 2.0423],
      [0.001, 120, 3.3735],
    ] as const;
    for (const [probability, degrees, t] of printed) {
      assert.ok(
        Math.abs(findTwoSidedT(probability, degrees) - t) < 6e-5,
        `${probability} ${degrees}: ${findTwoSidedT(probability, degrees)}`,
      );
    }
    assert.ok(Math.abs(findUpperZ(0.025) - 1.959964) < 1e-5);
    assert.ok(Math.abs(findUpperZ(0.001) - 3.090232) < 1e-5);
    assert.ok(Math.abs(findUpperZ(0.5)) < 1e-5);
  });

  it('hold the closed forms of one and of two degrees of freedom far out in the tail', () => {
    for (const probability of [0.5, 1e-2, 1e-4, 1e-6, 1e-8]) {
      const cauchy = 1 / Math.tan((Math.PI * probability) / 2);
      assert.ok(Math.abs(findTwoSidedT(probability, 1) / cauchy - 1) < 1e-8, `${probability}`);
      const half = 1 - probability;
      const two = half * Math.sqrt(2 / (1 - half ** 2));
      assert.ok(
        Math.abs(findTwoSidedT(probability, 2) / two - 1) < 1e-6,
        `${probability}: ${findTwoSidedT(probability, 2)} ${two}`,
      );
    }
  });
});
