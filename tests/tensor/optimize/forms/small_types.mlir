// Floats of 8 bits, integers of 2 and 4.
// KEEP: f8E4M3FN
// KEEP: ui2
// KEEP: i4
// RUN
func.func @main(%x: tensor<4xf8E4M3FN>, %i: tensor<4xi4>, %u: tensor<4xui2>, %b: tensor<4xbf16>) -> (tensor<4xf8E4M3FN>, tensor<4xi4>, tensor<4xui2>, tensor<4xf32>, tensor<4xbf16>) {
  %z = stablehlo.constant dense<0.0> : tensor<4xf8E4M3FN>
  %o = stablehlo.constant dense<1.0> : tensor<4xf8E4M3FN>
  %0 = stablehlo.add %x, %z : tensor<4xf8E4M3FN>
  %1 = stablehlo.multiply %0, %o : tensor<4xf8E4M3FN>
  %oo = stablehlo.add %o, %o : tensor<4xf8E4M3FN>
  %2 = stablehlo.multiply %1, %oo : tensor<4xf8E4M3FN>
  %iz = stablehlo.constant dense<3> : tensor<4xi4>
  %3 = stablehlo.add %i, %iz : tensor<4xi4>
  %4 = stablehlo.add %3, %iz : tensor<4xi4>
  %uz = stablehlo.constant dense<[1, 2, 3, 0]> : tensor<4xui2>
  %5 = stablehlo.add %u, %uz : tensor<4xui2>
  %6 = stablehlo.add %uz, %uz : tensor<4xui2>
  %7 = stablehlo.add %5, %6 : tensor<4xui2>
  %8 = stablehlo.convert %x : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
  %9 = stablehlo.convert %o : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
  %10 = stablehlo.add %8, %9 : tensor<4xf32>
  %bc = stablehlo.constant dense<[1.0, 2.0, 3.0, 0.1]> : tensor<4xbf16>
  %bd = stablehlo.add %bc, %bc : tensor<4xbf16>
  %11 = stablehlo.add %b, %bd : tensor<4xbf16>
  return %2, %4, %7, %10, %11 : tensor<4xf8E4M3FN>, tensor<4xi4>, tensor<4xui2>, tensor<4xf32>, tensor<4xbf16>
}
