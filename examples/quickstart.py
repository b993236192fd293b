"""Differentiate a small StableHLO program and run the derivative.

f(x, w) = sum(tanh(x w))
"""

import numpy as np

import gradir

PROGRAM = """
func.func @f(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>) -> tensor<f32> {
  %xw = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %y = stablehlo.tanh %xw : tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
"""

m = gradir.load(PROGRAM).value_and_grad("f", wrt=1)
print(m.function("value_and_grad_f"))

rng = np.random.default_rng(0)
x, w = rng.normal(size=(4, 3)).astype(np.float32), rng.normal(size=(3, 2)).astype(np.float32)
value, dw = m.run("value_and_grad_f", x, w)
print("value:", value)
print("gradient with respect to w:", dw, sep="\n")

h = np.float32(1e-2)
step = h * np.eye(6, dtype=np.float32).reshape(6, 3, 2)
differences = [(m.run("f", x, w + s) - m.run("f", x, w - s)) / (2 * h) for s in step]
print("largest deviation from central differences:", np.abs(dw.ravel() - differences).max())
